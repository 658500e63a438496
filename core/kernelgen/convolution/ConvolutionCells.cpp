// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/LevelsWriter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

const algebra::Graph noGraph;
const std::set<std::size_t> noneInlined;

} // namespace

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

void ConvolutionLevels::cells(const std::string& result) {
    const std::string input = cardNode(m_d.input), weights = weightsNode();
    const bool deep = m_letters.size() == 3;
    Launch& made = launch("cells", "grid", "threads",
                          m_d.repeats() > 1
                              ? std::vector<std::string>{"(s.windowsY * s.windowsX + windows - 1) / windows",
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
    here().loops.push_back({nextId(here(), "loop"), "g", "a group of filters after another", {}, amount("s.groups")});
    const std::string g = here().loops.back().id;
    here().loops.push_back({nextId(here(), "loop"), "c", "an input channel after another", g, amount("s.channels")});
    const std::string c = here().loops.back().id;
    std::string taps = weights;
    if (m_tiles.constantWeights) {
        taps = addTile(here(), "weights", "of all groups and channels; the same for a whole warp", Place::constant,
                       m_d.weight, {amount("s.groups"), amount("s.channels"), amount("window"), amount("group")});
    } else {
        taps = addTile(here(), "weights", "of some channels; loaded by the block together", Place::shared, m_d.weight,
                       {{"channelsAtATime", m_tiles.channelsAtATime}, amount("window"), amount("group")});
    }
    here().edges.push_back({weights, taps, {}, m_tiles.constantWeights ? "" : "16 bytes at a time"});
    const std::string in = addTile(here(), "in", "the inputs of a thread's column in one channel; 0 beyond the border",
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
        step("pool", m_d.pool == Pool::maximum ? "the largest of a cell's outputs" : "the mean of a cell's outputs");
    if (m_d.last().combinesFilters()) {
        const std::string rows = addTile(
            here(), "rows", "values of all filters, until all are there", Place::shared, "convolution",
            {amount("column"), {"parts", m_d.pool == Pool::none ? parts : 1}, amount("s.filters"), amount("threads")});
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

void ConvolutionLevels::readParameters(Launch& l, const std::string& op, const Chain& chain) {
    std::set<std::size_t> read;
    for (const Step& s : chain.steps)
        for (const Operand& o : s.operands)
            if (o.kind == Operand::Kind::scalar || o.kind == Operand::Kind::channel || o.kind == Operand::Kind::element)
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

void ConvolutionLevels::storeCells(Launch& l, std::string last, const std::string& result, const std::string& g) {
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

perf::LaunchCounters ConvolutionLevels::cellsCounters(const Launch& l, double inputsEach, std::int64_t parts) {
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
    region *= m_letters.size() == 3
                  ? std::min(double(value("s.inY")), rows * double(m_d.axes[1].advance) + double(m_d.axes[1].span)) *
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

} // namespace kernelarium::kernelgen::convolution
