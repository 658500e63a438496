// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/LevelsWriter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

const algebra::Graph graphOfNone;
const std::set<std::size_t> noneInPlace;

} // namespace

void ConvolutionLevels::means(Levels& levels, const Norm& norm) {
    m_levels = &levels;
    m_prefix = "statistics::";
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    Launch& l = launch("means",
                       images    ? "s.filters"
                       : grouped ? fmt::format("dim3({}, s.batch)", norm.groups)
                                 : "dim3(s.filters, s.batch)",
                       "normThreads");
    l.label = "means and scales";
    l.detail = "Adds up the blocks' sums in their order, and makes a mean and 1 / sqrt(variance + epsilon) of them.";
    l.blockDoes = "one mean and one scale";
    l.threadDoes = "every so many of the sums, in float64; then halves are added to halves";
    AnalyticCounters counters(graphOfNone, noneInPlace, three(l.grid), three(l.block));
    const std::string from = m_sumsNode,
                      to = tensorNode("norms", "mean and scale by image and filter", {"s.batch", "s.filters", "2"});
    counters.addTraffic(m_sums, bytesOfFloat, false);
    counters.addTraffic(double(value("s.batch") * value("s.filters") * 2), bytesOfFloat, true);
    counters.addBlockSteps(9);
    m_normsNode = to;
    Launch& here = m_levels->launches.back();
    const std::string op = addOperator(here, "mean and scale",
                                       "mean = sum / count, scale = 1 / sqrt(squares / count - mean^2 + epsilon)", {});
    here.edges.push_back({from, op, {}, "neighbouring threads read neighbouring elements"});
    here.edges.push_back({op, to, {}, {}});
    here.counters = counters.finish();
    here.counters.kernel = here.kernel;
    here.counters.staticSharedBytes = 256 * 16;
}

void ConvolutionLevels::addPass(const Pass& pass, const std::string& from, const std::vector<std::string>& fromExtents,
                                const std::string& to, const std::vector<std::string>& toExtents, double reads,
                                double flops) {
    const std::string fromNode = tensorNode(from, "left by an earlier launch", fromExtents);
    const std::string toNode =
        tensorNode(to, to == "output" ? "an output of the task" : "for a later launch", toExtents);
    Launch& l = launch(pass.kernel, pass.grid, pass.block, pass.gridParts);
    l.label = pass.label, l.detail = pass.detail, l.blockDoes = pass.blockDoes, l.threadDoes = pass.threadDoes;
    const std::string op = addOperator(l, pass.label, pass.formula, {});
    l.edges.push_back({fromNode, op, {}, {}});
    l.edges.push_back({op, toNode, {}, {}});
    AnalyticCounters counters(graphOfNone, noneInPlace, three(l.grid), three(l.block));
    const double in = elementsOf(fromExtents);
    counters.addTraffic(in * reads, bytesOfFloat, false, in);
    counters.addTraffic(elementsOf(toExtents), bytesOfFloat, true);
    counters.addInstructions(in * flops, in * flops, in * (flops + 6));
    l.counters = counters.finish();
    l.counters.kernel = l.kernel;
}

void ConvolutionLevels::late() {
    const std::string extent = storedExtent();
    std::vector<std::string> volumes = over(extent), stored{"s.batch", "s.filters"};
    std::string volume;
    for (const std::string& e : volumes)
        volume += (volume.empty() ? "" : " * ") + e;
    stored.insert(stored.end(), volumes.begin(), volumes.end());
    const double flops = costOf(m_d.late.chain).flops + costOf(m_d.late.after).flops;
    switch (m_d.late.kind) {
    case Late::Kind::none: return;
    case Late::Kind::filters: {
        std::vector<std::string> out{"s.batch"};
        out.insert(out.end(), volumes.begin(), volumes.end());
        return addPass({"later",
                        "all",
                        "lateThreads",
                        {"(" + volume + " + lateThreads - 1) / lateThreads", "s.batch"},
                        "filters together",
                        "Reads what was stored once more, since all filters of a place are needed.",
                        "neighbouring places of an image",
                        "one place, all filters",
                        functionsText(m_d.late.chain)},
                       "stored", stored, "output", out, 1, flops);
    }
    case Late::Kind::lastAxis: {
        std::string rows = "s.batch * s.filters";
        for (std::size_t i = 0; i + 1 < volumes.size(); ++i)
            rows += " * " + volumes[i];
        m_n.set("rows", of(rows)), m_n.set("each", value("lateThreads") / 32);
        return addPass({"later",
                        "(rows + each - 1) / each",
                        "lateThreads",
                        {"(rows + each - 1) / each"},
                        "rows along the last axis",
                        "A norm of each row, and what follows it.",
                        "some rows, a warp for each",
                        "neighbours of a row",
                        functionsText(m_d.late.chain)},
                       "stored", stored, "output", stored, 1, flops + 6);
    }
    case Late::Kind::norm: break;
    }
    m_n.set("volume", of(volume)), m_n.set("rows", of("s.batch * s.filters"));
    const bool images = m_d.lateNorm->over == Norm::Over::images;
    const std::string norms =
        images ? "s.filters" : fmt::format("s.batch * {}", std::max<std::int64_t>(1, m_d.lateNorm->groups));
    m_n.set("ofNorms", of(norms));
    addPass({"moments",
             "rows",
             "lateThreads",
             {"rows"},
             "moments",
             "Mean and squares about it of each image and filter.",
             "an image's filter",
             "every so many of its places",
             "mean and sum of (value - mean)^2"},
            "output", stored, "ofRows", {"s.batch * s.filters", "2"}, 1, 4);
    addPass({"join",
             "(ofNorms + 127) / 128",
             "128",
             {"(ofNorms + 127) / 128"},
             "means and scales",
             "Joins the moments that one mean is of.",
             "128 means",
             "one mean and one scale",
             "mean, 1 / sqrt(variance + epsilon)"},
            "ofRows", {"s.batch * s.filters", "2"}, "norms", {"s.batch * s.filters", "2"}, 1, 8);
    addPass({"normalise",
             "all",
             "lateThreads",
             {"(volume + lateThreads - 1) / lateThreads", "rows"},
             "normalised values",
             "Each stored value, normalised in place, and what follows.",
             "neighbouring places",
             "one place",
             functionsText(m_d.late.chain)},
            "output", stored, "output", stored, 1, flops + 2);
}

void ConvolutionLevels::pack() {
    const std::string from = cardNode(m_d.weight);
    Launch& l = launch("pack", "(count + 127) / 128", "128");
    l.label = "weights in their order";
    l.detail = m_d.combined ? "Orders the weights by group, channel, tap and filter; a tap is the mean of those that "
                              "the outputs of a cell have for one input."
                            : "Orders the weights by group, channel, tap and filter.";
    l.blockDoes = "128 neighbouring weights";
    l.threadDoes = "one weight";
    const std::string to = weightsNode();
    Launch& here = m_levels->launches.back();
    const std::string op =
        addOperator(here, "pack", m_d.combined ? "sum of the taps that meet / outputs of a cell" : "a copy", {});
    here.edges.push_back({from, op, {}, {}});
    here.edges.push_back({op, to, "[group, channel, tap, filter]", {}});
    AnalyticCounters counters(graphOfNone, noneInPlace, three(here.grid), three(here.block));
    const double count = double(value("count"));
    const double weights = double(tensor::elementCount(shapeOf(m_d.weight)));
    counters.addTraffic(m_d.combined ? count * double(m_d.cellOutputs()) : count, bytesOfFloat, false, weights);
    counters.addTraffic(count, bytesOfFloat, true);
    counters.addInstructions(count * (m_d.combined ? 60 : 0), count * 0, count * 60);
    here.counters = counters.finish();
    here.counters.kernel = here.kernel;
}

void ConvolutionLevels::summary() {
    const bool isLine = m_d.space == Space::line;
    std::string volume;
    for (std::size_t i = 1; i < m_letters.size(); ++i)
        volume +=
            (volume.empty() ? "" : " * ") + std::string(m_d.pool == Pool::none ? "s.out" : "s.cells") + m_letters[i];
    if (isLine) m_n.set("volume", of(volume));
    Launch& l = launch("summary", isLine ? "all" : "s.batch", "summaryThreads",
                       isLine ? std::vector<std::string>{"(volume + summaryThreads - 1) / summaryThreads", "s.batch"}
                              : std::vector<std::string>{});
    l.label = "sums of the blocks";
    l.detail = "Adds up the sums of an image's blocks, in their order.";
    l.blockDoes = "one image";
    l.threadDoes = "every 32nd block's sum of a filter; a warp for each filter";
    l.loops.push_back(
        {nextId(l, "loop"), "filter", "a warp's filters", {}, {"(s.filters + 7) / 8", (value("s.filters") + 7) / 8}});
    const std::string loop = l.loops.back().id;
    const std::string op = addOperator(l, "add up", "sum over the blocks", loop);
    l.edges.push_back({m_sumsNode, op, "[image, block, filter]", {}});
    std::string last = op;
    if (!m_d.summary.steps.empty()) {
        last = addOperator(l, "each sum", functionsText(m_d.summary), {});
        l.edges.push_back({op, last, {}, {}});
        readParameters(l, last, m_d.summary);
    }
    std::vector<std::string> extents{"s.batch"};
    if (m_d.result != Description::Result::noAxis)
        extents.emplace_back(m_d.result == Description::Result::perFilter ? "s.filters" : "1");
    const std::string to = m_d.overImages ? tensorNode("ofImages", "for a later launch", {"s.batch"})
                                          : tensorNode("output", "an output of the task", extents);
    Launch& here = m_levels->launches.back();
    here.edges.push_back({last, to, {}, {}});
    AnalyticCounters counters(graphOfNone, noneInPlace, three(here.grid), three(here.block));
    counters.addTraffic(m_sums, bytesOfFloat, false);
    counters.totals().globalLoadSectors = m_sums; // filters lie apart: a sector for each sum
    counters.totals().l2LoadSectors = m_sums;
    counters.addTraffic(double(value("s.batch")) * filtersStored(), bytesOfFloat, true);
    counters.addInstructions(m_sums, m_sums, m_sums * 5);
    here.counters = counters.finish();
    here.counters.kernel = here.kernel;
}

} // namespace kernelarium::kernelgen::convolution
