// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/ConvolutionLevels.h"

#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/levels/AnalyticCounters.h"
#include "core/kernelgen/levels/FormulaCost.h"
#include "core/kernelgen/levels/HostNumbers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

constexpr double lanesOfWarp = 32, bytesOfSector = 32, bytesOfFloat = 4;
constexpr double bytesOfL1 = 128 * 1024; // that the inputs of resident blocks may take and be found again

const algebra::Graph noGraph;
const std::set<std::size_t> noneInlined;

std::string functionsText(const Chain& chain) {
    std::string text;
    for (const Step& s : chain.steps) {
        std::vector<std::string> names;
        for (const Operand& o : s.operands)
            switch (o.kind) {
            case Operand::Kind::value: names.emplace_back("value"); break;
            case Operand::Kind::step: names.push_back(chain.steps[o.index].name); break;
            case Operand::Kind::mean: names.emplace_back("mean"); break;
            case Operand::Kind::scale: names.emplace_back("scale"); break;
            default: names.push_back(fmt::format("parameter {}", o.index));
            }
        text += fmt::format(
            "{}{} = {}{}", text.empty() ? "" : "; ", s.name,
            s.combine == algebra::Combine::none ? "" : std::string(algebra::name(s.combine)) + " over the filters of ",
            algebra::toString(s.body, names));
    }
    return text;
}

FormulaCost costOf(const Chain& chain) {
    FormulaCost cost;
    for (const Step& s : chain.steps)
        cost += kernelgen::costOf(s.body);
    return cost;
}

class ConvolutionLevels {
public:
    ConvolutionLevels(const Description& d, const Tiles& tiles, const task::Card& card,
                      const std::vector<tensor::Shape>& shapes)
        : m_d(d)
        , m_tiles(tiles)
        , m_card(card)
        , m_shapes(shapes)
        , m_letters(axisLetters(d)) {
        const tensor::Shape &x = shapeOf(d.input), &w = shapeOf(d.weight);
        m_n.set("group", tiles.group), m_n.set("column", tiles.column), m_n.set("threads", tiles.threads);
        const bool transposed = d.axes[0].transposed;
        m_n.set("s.batch", x[0]), m_n.set("s.channels", x[1] / d.convolutionGroups);
        m_n.set("s.filters", transposed ? w[1] * d.convolutionGroups : w[0]);
        const std::int64_t own = value("s.filters") / d.convolutionGroups; // a group's of the convolution
        m_n.set("s.groups", (own + tiles.group - 1) / tiles.group * d.convolutionGroups);
        m_n.set("window", windowOf(d)), m_n.set("summaryThreads", d.space == Space::line ? 128 : 256),
            m_n.set("normThreads", 256);
        m_n.set("lateThreads", d.late.kind == Late::Kind::norm ? 256 : 128), m_n.set("windows", tiles.windows);
        for (std::size_t i = 0; i < m_letters.size(); ++i) {
            const Axis& a = d.axes[i];
            const std::int64_t in = !d.isLine ? x[i + 2] : i == 0 ? 1 : x[2]; // a line is a plane of one row
            const std::int64_t out = a.outputs(in);
            m_n.set("s.in" + m_letters[i], in), m_n.set("s.out" + m_letters[i], out);
            m_n.set("s.cells" + m_letters[i], d.pool == Pool::none ? (out + a.cell - 1) / a.cell : out / a.cell);
        }
        for (std::size_t i = 0; i < m_letters.size(); ++i)
            m_n.set("s.windows" + m_letters[i], value("s.cells" + m_letters[i]) / d.axes[i].repeat);
        m_n.set("count", value("s.groups") * value("s.channels") * value("window") * tiles.group);
        const bool three = m_letters.size() == 3;
        m_n.set("places", value("s.cellsX") * (three ? value("s.cellsY") : of("(s.cellsY + column - 1) / column")));
    }

    /// `prefix`: the namespace within the file, with its colons.
    void add(Levels& levels, const std::string& prefix, const std::string& result) {
        m_levels = &levels;
        m_prefix = prefix;
        pack();
        cells(result);
        if (m_d.space == Space::moments) return;
        if (m_d.space != Space::kept) summary();
        if (m_d.overImages)
            addPass({"total",
                     "1",
                     "32",
                     {"1"},
                     "all images",
                     "Adds up the images' sums, in their order.",
                     "the sum",
                     "every 32nd image's sum",
                     "sum over the images"},
                    "ofImages", {"s.batch"}, "output", {}, 1, 1);
        late();
    }
    /// The launch that makes means and scales of the sums of the statistics.
    void means(Levels& levels, const Norm& norm) {
        m_levels = &levels;
        m_prefix = "statistics::";
        const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
        Launch& l = launch("means",
                           images    ? "s.filters"
                           : grouped ? fmt::format("dim3({}, s.batch)", norm.groups)
                                     : "dim3(s.filters, s.batch)",
                           "normThreads");
        l.label = "means and scales";
        l.detail =
            "Adds up the blocks' sums in their order, and makes a mean and 1 / sqrt(variance + epsilon) of them.";
        l.blockDoes = "one mean and one scale";
        l.threadDoes = "every so many of the sums, in float64; then halves are added to halves";
        AnalyticCounters counters(noGraph, noneInlined, three(l.grid), three(l.block));
        const std::string from = m_sumsNode,
                          to = tensorNode("norms", "mean and scale by image and filter", {"s.batch", "s.filters", "2"});
        counters.addTraffic(m_sums, bytesOfFloat, false);
        counters.addTraffic(double(value("s.batch") * value("s.filters") * 2), bytesOfFloat, true);
        counters.addBlockSteps(9);
        m_normsNode = to;
        Launch& here = m_levels->launches.back();
        const std::string op = addOperator(
            here, "mean and scale", "mean = sum / count, scale = 1 / sqrt(squares / count - mean^2 + epsilon)", {});
        here.edges.push_back({from, op, {}, "neighbouring threads read neighbouring elements"});
        here.edges.push_back({op, to, {}, {}});
        here.counters = counters.finish();
        here.counters.kernel = here.kernel;
        here.counters.staticSharedBytes = 256 * 16;
    }
    void setNorms(const std::string& node) { m_normsNode = node; }
    [[nodiscard]] const std::string& norms() const { return m_normsNode; }

private:
    [[nodiscard]] std::int64_t of(const std::string& text) const { return m_n.of(text).value_or(0); }
    [[nodiscard]] std::int64_t value(const std::string& name) const { return of(name); }
    [[nodiscard]] Amount amount(const std::string& text) const { return {text, of(text)}; }
    static std::array<std::int64_t, 3> three(const std::array<Amount, 3>& a) {
        return {a[0].value, a[1].value, a[2].value};
    }
    [[nodiscard]] const tensor::Shape& shapeOf(const std::string& name) const {
        for (std::size_t i = 0; i < m_card.tensors.size(); ++i)
            if (m_card.tensors[i].name == name) return m_shapes[i];
        return m_shapes.front();
    }
    /// What counts the stored values of an image and filter along an axis.
    [[nodiscard]] std::string storedExtent() const {
        return m_d.pool == Pool::none ? "s.out" : m_d.repeats() > 1 ? "s.windows" : "s.cells";
    }
    [[nodiscard]] std::vector<std::string> over(const std::string& prefix) const {
        std::vector<std::string> names;
        for (const std::string& l : m_letters)
            names.push_back(prefix + l);
        return names;
    }

    Launch& launch(const std::string& kernel, const std::string& grid, const std::string& block,
                   const std::vector<std::string>& gridParts = {}) {
        Launch l;
        l.id = fmt::format("l{}", m_levels->launches.size());
        l.kernel = m_prefix + kernel;
        l.times = {"1", 1};
        l.gridText = grid;
        l.blockText = block;
        const std::vector<std::string> parts = gridParts.empty() ? HostNumbers::partsOfDim3(grid) : gridParts;
        for (std::size_t k = 0; k < 3; ++k)
            l.grid[k] = k < parts.size() ? amount(parts[k]) : Amount{"1", 1};
        l.block = {amount(block), Amount{"1", 1}, Amount{"1", 1}};
        m_levels->launches.push_back(std::move(l));
        m_ids = 0;
        return m_levels->launches.back();
    }
    std::string nextId(const Launch& l, const std::string& kind) { return fmt::format("{}.{}{}", l.id, kind, m_ids++); }
    std::string addOperator(Launch& l, const std::string& label, const std::string& formula, const std::string& loop,
                            const std::string& detail = {}) {
        l.operators.push_back({nextId(l, "op"), label, detail, loop, formula});
        return l.operators.back().id;
    }
    std::string addTile(Launch& l, const std::string& label, const std::string& detail, Place place,
                        const std::string& tensor, const std::vector<Amount>& extents) {
        l.tiles.push_back({nextId(l, "tile"), label, detail, place, tensor, "float32", extents});
        return l.tiles.back().id;
    }
    std::string tensorNode(const std::string& name, const std::string& detail,
                           const std::vector<std::string>& extents) {
        const std::string id = "t." + m_prefix + name;
        if (m_levels->tensor(id)) return id;
        Tile t{id, name, detail, Place::device, name, "float32", {}};
        for (const std::string& e : extents)
            t.extents.push_back(amount(e));
        m_levels->tensors.push_back(std::move(t));
        return id;
    }
    /// Of a tensor of the card.
    std::string cardNode(const std::string& name) {
        const std::string id = "t." + name;
        if (m_levels->tensor(id)) return id;
        Tile t{id, name, "an input of the task", Place::device, name, "float32", {}};
        const tensor::Shape& shape = shapeOf(name);
        for (std::size_t k = 0; k < shape.size(); ++k)
            t.extents.push_back({fmt::format("{}.size({})", identifier(name), k), shape[k]});
        m_levels->tensors.push_back(std::move(t));
        return id;
    }

    /// A launch that reads one tensor of ours and writes one.
    struct Pass {
        std::string kernel, grid, block;
        std::vector<std::string> gridParts;
        std::string label, detail, blockDoes, threadDoes, formula;
    };
    [[nodiscard]] double elementsOf(const std::vector<std::string>& extents) const {
        double n = 1;
        for (const std::string& e : extents)
            n *= double(std::max<std::int64_t>(1, of(e)));
        return n;
    }
    /// `reads`: how often its input is read; `flops` for each element of it.
    void addPass(const Pass& pass, const std::string& from, const std::vector<std::string>& fromExtents,
                 const std::string& to, const std::vector<std::string>& toExtents, double reads, double flops) {
        const std::string fromNode = tensorNode(from, "left by an earlier launch", fromExtents);
        const std::string toNode =
            tensorNode(to, to == "output" ? "an output of the task" : "for a later launch", toExtents);
        Launch& l = launch(pass.kernel, pass.grid, pass.block, pass.gridParts);
        l.label = pass.label, l.detail = pass.detail, l.blockDoes = pass.blockDoes, l.threadDoes = pass.threadDoes;
        const std::string op = addOperator(l, pass.label, pass.formula, {});
        l.edges.push_back({fromNode, op, {}, {}});
        l.edges.push_back({op, toNode, {}, {}});
        AnalyticCounters counters(noGraph, noneInlined, three(l.grid), three(l.block));
        const double in = elementsOf(fromExtents);
        counters.addTraffic(in * reads, bytesOfFloat, false, in);
        counters.addTraffic(elementsOf(toExtents), bytesOfFloat, true);
        counters.addInstructions(in * flops, in * flops, in * (flops + 6));
        l.counters = counters.finish();
        l.counters.kernel = l.kernel;
    }
    /// What happens to stored values in kernels of their own.
    void late() {
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

    void pack() {
        const std::string from = cardNode(m_d.weight);
        Launch& l = launch("pack", "(count + 127) / 128", "128");
        l.label = "weights in their order";
        l.detail = m_d.combined
                       ? "Orders the weights by group, channel, tap and filter; a tap is the mean of those that "
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
        AnalyticCounters counters(noGraph, noneInlined, three(here.grid), three(here.block));
        const double count = double(value("count"));
        const double weights = double(tensor::elementCount(shapeOf(m_d.weight)));
        counters.addTraffic(m_d.combined ? count * double(m_d.cellOutputs()) : count, bytesOfFloat, false, weights);
        counters.addTraffic(count, bytesOfFloat, true);
        counters.addInstructions(count * (m_d.combined ? 60 : 0), count * 0, count * 60);
        here.counters = counters.finish();
        here.counters.kernel = here.kernel;
    }
    std::string weightsNode() {
        return tensorNode(m_tiles.constantWeights ? "weights" : "packed",
                          m_tiles.constantWeights ? "weights in their order; read through constant memory"
                                                  : "weights in their order",
                          {"s.groups", "s.channels", "window", "group"});
    }

    /// Pairs of an output of a cell (all, where they are one) and an input that a weight joins.
    [[nodiscard]] double pairsOfCell() const {
        double pairs = 1;
        for (const Axis& a : m_d.axes) {
            if (m_d.combined) {
                pairs *= double(a.span);
                continue;
            }
            double n = 0;
            for (std::int64_t p = 0; p < a.cell; ++p)
                for (std::int64_t k = 0; k < a.kernel; ++k)
                    n += a.offset(p, k).has_value();
            pairs *= n;
        }
        return pairs;
    }

    void cells(const std::string& result) {
        const std::string input = cardNode(m_d.input), weights = weightsNode();
        const bool deep = m_letters.size() == 3;
        Launch& made = launch(
            "cells", "grid", "threads",
            m_d.repeats() > 1 ? std::vector<std::string>{"(s.windowsY * s.windowsX + windows - 1) / windows",
                                                         deep ? "s.windowsZ" : "1", "s.batch"}
                              : std::vector<std::string>{"(places + threads - 1) / threads",
                                                         deep ? "(s.cellsZ + column - 1) / column" : "1", "s.batch"});
        const std::size_t at = m_levels->launches.size() - 1;
        made.label = m_d.space == Space::moments ? "sums for the norm" : "convolution and what follows";
        made.detail = "What follows the convolution happens in registers, before anything is stored.";
        made.blockDoes = fmt::format("{} columns of {} cells in an image, for all filters, a group after another",
                                     m_tiles.threads, m_tiles.column);
        made.threadDoes = fmt::format("a column of {} cells of {} outputs, {} filters at a time", m_tiles.column,
                                      m_d.cellOutputs(), m_tiles.group);
        const Axis& slow = m_d.axes[0];
        std::vector<Amount> inputs{{fmt::format("(column - 1) * advance{0} + span{0}", m_letters[0]),
                                    (m_tiles.column - 1) * slow.advance + slow.span}};
        for (std::size_t i = 1; i < m_d.axes.size(); ++i)
            inputs.push_back({"span" + m_letters[i], m_d.axes[i].span});
        double inputsEach = 1;
        for (const Amount& a : inputs)
            inputsEach *= double(a.value);
        const std::int64_t parts = m_d.combined ? 1 : m_d.cellOutputs();
        const auto here = [&]() -> Launch& { return m_levels->launches[at]; };
        here().loops.push_back(
            {nextId(here(), "loop"), "g", "a group of filters after another", {}, amount("s.groups")});
        const std::string g = here().loops.back().id;
        here().loops.push_back(
            {nextId(here(), "loop"), "c", "an input channel after another", g, amount("s.channels")});
        const std::string c = here().loops.back().id;
        std::string taps = weights;
        if (m_tiles.constantWeights) {
            taps = addTile(here(), "weights", "of all groups and channels; the same for a whole warp", Place::constant,
                           m_d.weight, {amount("s.groups"), amount("s.channels"), amount("window"), amount("group")});
        } else {
            taps =
                addTile(here(), "weights", "of some channels; loaded by the block together", Place::shared, m_d.weight,
                        {{"channelsAtATime", m_tiles.channelsAtATime}, amount("window"), amount("group")});
        }
        here().edges.push_back({weights, taps, {}, m_tiles.constantWeights ? "" : "16 bytes at a time"});
        const std::string in =
            addTile(here(), "in", "the inputs of a thread's column in one channel; 0 beyond the border",
                    Place::registers, m_d.input, inputs);
        here().edges.push_back(
            {input, in, {}, fmt::format("neighbouring threads read {} elements apart", m_d.axes.back().advance)});
        const std::string out = addTile(here(), "out", "sums of a thread's column", Place::registers, "convolution",
                                        {amount("column"), {"parts", parts}, amount("group")});
        const std::string convolve =
            addOperator(here(), "convolve", "out[n][part][f] += in.at[n * advance + offset(part, k)] * weight[k][f]", c,
                        fmt::format("{:.0f} multiply-adds for each cell and filter", pairsOfCell()));
        here().edges.push_back({in, convolve, {}, {}});
        here().edges.push_back({taps, convolve, {}, {}});
        here().edges.push_back({convolve, out, {}, {}});
        std::string last = out;
        const auto step = [&](const std::string& label, const std::string& formula) {
            const std::string op = addOperator(here(), label, formula, g);
            here().edges.push_back({last, op, {}, {}});
            last = op;
        };
        if (!m_d.before.steps.empty() && !m_d.combined) {
            step("each output", functionsText(m_d.before));
            readParameters(here(), last, m_d.before);
        }
        if (m_d.pool != Pool::none && !m_d.combined)
            step("pool",
                 m_d.pool == Pool::maximum ? "the largest of a cell's outputs" : "the mean of a cell's outputs");
        if (m_d.last().combinesFilters()) {
            const std::string rows =
                addTile(here(), "rows", "values of all filters, until all are there", Place::shared, "convolution",
                        {amount("column"),
                         {"parts", m_d.pool == Pool::none ? parts : 1},
                         amount("s.filters"),
                         amount("threads")});
            here().edges.push_back({last, rows, {}, {}});
            last = rows;
        }
        if (m_d.pool != Pool::none && !m_d.after.steps.empty()) {
            step("each pooled output", functionsText(m_d.after));
            readParameters(here(), last, m_d.after);
        }
        storeCells(here(), last, result, g);
        here().counters = cellsCounters(here(), inputsEach, parts);
    }

    void readParameters(Launch& l, const std::string& op, const Chain& chain) {
        std::set<std::size_t> read;
        for (const Step& s : chain.steps)
            for (const Operand& o : s.operands)
                if (o.kind == Operand::Kind::scalar || o.kind == Operand::Kind::channel ||
                    o.kind == Operand::Kind::element)
                    if (read.insert(o.index).second)
                        l.edges.push_back({cardNode(m_d.parameters[o.index]),
                                           op,
                                           o.kind == Operand::Kind::scalar    ? "[0]"
                                           : o.kind == Operand::Kind::channel ? "[filter]"
                                                                              : "[filter, place]",
                                           {}});
        if ((chain.reads(Operand::Kind::mean) || chain.reads(Operand::Kind::scale)) && !m_normsNode.empty())
            l.edges.push_back({m_normsNode, op, "[image, filter]", {}});
    }

    void storeCells(Launch& l, std::string last, const std::string& result, const std::string& g) {
        if (m_d.space != Space::kept) {
            const std::string tile = addTile(l, "ofWarps", "a sum of each warp and filter", Place::shared, "sums",
                                             {{"threads / 32", m_tiles.threads / 32}, amount("group")});
            const std::string op =
                addOperator(l, "sum over space",
                            m_d.space == Space::moments ? "sums and sums of squares over a block's places"
                                                        : "sums over a block's places",
                            g);
            l.edges.push_back({last, op, {}, {}});
            l.edges.push_back({op, tile, {}, {}});
            const double blocks = double(l.grid[0].value * l.grid[1].value);
            m_n.set("blocks", std::int64_t(blocks));
            std::vector<std::string> extents{"s.batch", "blocks", "s.groups * group"};
            m_sums = double(value("s.batch")) * blocks * double(of("s.groups * group"));
            if (m_d.space == Space::moments) extents.emplace_back("2"), m_sums *= 2;
            m_sumsNode = tensorNode("sums", "of each block", extents);
            l.edges.push_back({tile, m_sumsNode, {}, {}});
            return;
        }
        std::vector<std::string> extents{"s.batch"};
        if (m_d.result == Description::Result::perFilter) extents.emplace_back("s.filters");
        if (m_d.result == Description::Result::axisOfOne) extents.emplace_back("1");
        for (const std::string& e : over(storedExtent()))
            extents.push_back(e);
        const bool isStored = m_d.late.kind == Late::Kind::filters || m_d.late.kind == Late::Kind::lastAxis;
        const std::string to = isStored ? tensorNode("stored", "for a later launch", extents)
                                        : tensorNode(result, "an output of the task", extents);
        l.edges.push_back({last, to, {}, "neighbouring threads write neighbouring cells"});
    }

    [[nodiscard]] double filtersStored() const {
        return m_d.result == Description::Result::perFilter ? double(value("s.filters")) : 1;
    }

    perf::LaunchCounters cellsCounters(const Launch& l, double inputsEach, std::int64_t parts) {
        AnalyticCounters counters(noGraph, noneInlined, three(l.grid), three(l.block));
        perf::LineCounters& t = counters.totals();
        const double blocks = double(l.grid[0].value) * double(l.grid[1].value) * double(l.grid[2].value);
        const double warps = blocks * std::ceil(double(m_tiles.threads) / lanesOfWarp);
        const double groups = double(value("s.groups")), channels = double(value("s.channels"));
        // Threads beyond the last place return where nobody has to wait for them.
        const bool mayReturn = m_tiles.constantWeights && m_d.space == Space::kept;
        const double share = mayReturn ? double(value("places")) / (double(l.grid[0].value) * m_tiles.threads) : 1;
        const double rounds = warps * groups * channels * share;
        // The inputs of a column: a guarded load for each, neighbouring lanes `advance` elements apart.
        const double stride = double(m_d.axes.back().advance) * bytesOfFloat;
        const double sectors = std::min(lanesOfWarp, lanesOfWarp * stride / bytesOfSector + 1);
        double inside = 1; // share of the loads that are not beyond a border
        double inputElements = double(value("s.batch")) * channels;
        for (std::size_t i = 0; i < m_d.axes.size(); ++i) {
            const Axis& a = m_d.axes[i];
            const double in = double(value("s.in" + m_letters[i])), cellsOf = double(value("s.cells" + m_letters[i]));
            const double asked = cellsOf * double(a.span);
            double met = 0;
            for (std::int64_t j = 0; j < std::int64_t(cellsOf); ++j)
                for (std::int64_t s = 0; s < a.span; ++s) {
                    const std::int64_t place = j * a.advance + a.first + s;
                    met += place >= 0 && place < std::int64_t(in);
                }
            inside *= asked > 0 ? met / asked : 1;
            inputElements *= std::min(in, std::max(1.0, cellsOf * double(a.advance) + double(a.span - a.advance)));
        }
        const double loads = rounds * inputsEach;
        t.loadGlobal += loads, t.globalLoadRequests += loads;
        t.globalLoadSectors += loads * sectors * inside, t.globalLoadIdealSectors += loads * 4;
        t.globalLines += loads * std::max(1.0, sectors / 4), t.globalLoadBytes += loads * lanesOfWarp * 4 * inside;
        counters.addInstructions(0, 0, loads * lanesOfWarp * 4); // the load, its place and its guards
        // The products.
        const double products = rounds * pairsOfCell() * m_tiles.column * m_tiles.group;
        counters.addInstructions(products * lanesOfWarp * 2, products * lanesOfWarp, products * lanesOfWarp);
        if (!m_tiles.constantWeights) {
            const double taps = rounds * double(windowOf(m_d)) * m_tiles.group / 4;
            t.loadShared += taps, t.sharedLoadRequests += taps, t.sharedLoadWavefronts += taps;
            t.sharedIdealWavefronts += taps;
            counters.addInstructions(0, 0, taps * lanesOfWarp);
            counters.addBlockSteps(2 * groups * std::ceil(channels / m_tiles.channelsAtATime));
            const double packed = double(value("count"));
            counters.addTraffic(packed * blocks, bytesOfFloat, false, packed);
        }
        // What follows.
        const double columns = warps * share * groups * m_tiles.column * m_tiles.group * lanesOfWarp;
        const FormulaCost before = costOf(m_d.before), after = costOf(m_d.after);
        const double outputs = columns * double(parts);
        const auto chain = [&](const FormulaCost& cost, double times) {
            counters.addInstructions(cost.flops * times, cost.fp32 * times, cost.slots * times);
            t.special += cost.special * times / lanesOfWarp;
        };
        if (!m_d.combined) chain(before, outputs);
        if (m_d.pool != Pool::none) chain(after, columns), counters.addInstructions(outputs, outputs, outputs);
        counters.addInstructions(0, 0, (m_d.pool == Pool::none ? outputs : columns) * 6); // places and guards
        const double cellsAll = [&] {
            double n = double(value("s.batch"));
            for (const std::string& name : over(storedExtent()))
                n *= double(value(name));
            return n;
        }();
        if (m_d.space == Space::kept) {
            counters.addTraffic(cellsAll * filtersStored(), bytesOfFloat, true);
            const double apart = m_d.pool == Pool::none ? double(m_d.axes.back().cell) : 1;
            t.globalStoreSectors *= std::min(8.0, apart); // neighbours of one thread are stored one after another
        } else {
            counters.addTraffic(m_sums, bytesOfFloat, true);
            counters.addBlockSteps(2 * groups);
            counters.addInstructions(columns / m_tiles.column * 10, 0, columns / m_tiles.column * 10);
        }
        for (const Chain* c : {&m_d.before, &m_d.after})
            for (const Step& s : c->steps)
                for (const Operand& o : s.operands)
                    if (o.kind == Operand::Kind::element)
                        counters.addTraffic(cellsAll * filtersStored(), bytesOfFloat, false);
        // Parameters of a filter, the same for a warp: loaded once for a column.
        for (const Chain* c : {&m_d.before, &m_d.after})
            for (const Step& s : c->steps)
                for (const Operand& o : s.operands) {
                    const bool ofFilter = o.kind == Operand::Kind::channel || o.kind == Operand::Kind::scalar ||
                                          o.kind == Operand::Kind::mean || o.kind == Operand::Kind::scale;
                    if (!ofFilter) continue;
                    const double requests = columns / m_tiles.column / lanesOfWarp;
                    t.loadGlobal += requests, t.globalLoadRequests += requests, t.globalLoadSectors += requests;
                    t.globalLoadIdealSectors += requests, t.globalLines += requests;
                    t.globalLoadBytes += requests * lanesOfWarp * bytesOfFloat;
                    counters.addInstructions(0, 0, requests * lanesOfWarp);
                }
        // What blocks read: a block's inputs once if they stay in the L1 until the next group, else for every group.
        double region = channels * double((m_tiles.column - 1) * m_d.axes[0].advance + m_d.axes[0].span);
        const double rows = std::ceil(double(m_tiles.threads) / double(std::max<std::int64_t>(1, value("s.cellsX"))));
        region *= m_letters.size() == 3 ? std::min(double(value("s.inY")),
                                                   rows * double(m_d.axes[1].advance) + double(m_d.axes[1].span)) *
                                              double(value("s.inX"))
                                        : double(value("s.inX"));
        const bool stays = region * bytesOfFloat * m_tiles.blocksPerSm <= bytesOfL1;
        const double once = std::min(region * blocks * bytesOfFloat / bytesOfSector, t.globalLoadSectors);
        t.l2LoadSectors += once * (stays ? 1 : groups);
        t.blockAgainSectors += stays ? 0 : once * (groups - 1);
        counters.addDistinctBytes(inputElements * bytesOfFloat);
        perf::LaunchCounters out = counters.finish();
        out.kernel = l.kernel;
        const double need = double(m_tiles.column * parts * m_tiles.group) + inputsEach + 24;
        const double most = std::floor(65536.0 / (m_tiles.threads * m_tiles.blocksPerSm) / 8) * 8;
        out.registers = std::uint32_t(std::clamp(need, 32.0, std::min(255.0, most)));
        if (!m_tiles.constantWeights)
            out.staticSharedBytes += std::uint32_t(m_tiles.channelsAtATime * windowOf(m_d) * m_tiles.group * 4);
        if (m_d.last().combinesFilters())
            out.dynamicSharedBytes = std::uint32_t(4 * m_tiles.column * (m_d.pool == Pool::none ? parts : 1) *
                                                   value("s.filters") * m_tiles.threads);
        return out;
    }

    void summary() {
        const bool isLine = m_d.space == Space::line;
        std::string volume;
        for (std::size_t i = 1; i < m_letters.size(); ++i)
            volume += (volume.empty() ? "" : " * ") + std::string(m_d.pool == Pool::none ? "s.out" : "s.cells") +
                      m_letters[i];
        if (isLine) m_n.set("volume", of(volume));
        Launch& l =
            launch("summary", isLine ? "all" : "s.batch", "summaryThreads",
                   isLine ? std::vector<std::string>{"(volume + summaryThreads - 1) / summaryThreads", "s.batch"}
                          : std::vector<std::string>{});
        l.label = "sums of the blocks";
        l.detail = "Adds up the sums of an image's blocks, in their order.";
        l.blockDoes = "one image";
        l.threadDoes = "every 32nd block's sum of a filter; a warp for each filter";
        l.loops.push_back({nextId(l, "loop"),
                           "filter",
                           "a warp's filters",
                           {},
                           {"(s.filters + 7) / 8", (value("s.filters") + 7) / 8}});
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
        AnalyticCounters counters(noGraph, noneInlined, three(here.grid), three(here.block));
        counters.addTraffic(m_sums, bytesOfFloat, false);
        counters.totals().globalLoadSectors = m_sums; // filters lie apart: a sector for each sum
        counters.totals().l2LoadSectors = m_sums;
        counters.addTraffic(double(value("s.batch")) * filtersStored(), bytesOfFloat, true);
        counters.addInstructions(m_sums, m_sums, m_sums * 5);
        here.counters = counters.finish();
        here.counters.kernel = here.kernel;
    }

    const Description& m_d;
    Tiles m_tiles;
    const task::Card& m_card;
    const std::vector<tensor::Shape>& m_shapes;
    std::vector<std::string> m_letters;
    HostNumbers m_n;
    Levels* m_levels = nullptr;
    std::string m_prefix, m_sumsNode, m_normsNode;
    double m_sums = 0;
    std::size_t m_ids = 0;
};

} // namespace

Result<Levels> levelsOf(const Description& d, const Tiles& tiles, const task::Card& card, const std::string& size) {
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    const auto shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    Levels levels;
    levels.size = size;
    std::string norms;
    if (d.norm) {
        const Description of = statisticsOf(d);
        Tiles ofTiles = tilesFor(of);
        ofTiles.mostWeights = tiles.mostWeights;
        ofTiles.constantWeights = tiles.constantWeights;
        ConvolutionLevels statistics(of, ofTiles, card, *shapes);
        statistics.add(levels, "statistics::", "sums");
        statistics.means(levels, *d.norm);
        norms = statistics.norms();
    }
    ConvolutionLevels own(d, tiles, card, *shapes);
    own.setNorms(norms);
    own.add(levels, "", "output");
    return levels;
}

} // namespace kernelarium::kernelgen::convolution
