// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowSizes.h"

#include "core/kernelgen/fused/ElementReads.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

namespace {

/// Registers of a thread for values that are kept: half of what a block of 1024 threads leaves each.
constexpr std::int64_t mostValues = 32;

/// The smallest power of two that is not below `least`, within limits that are powers of two.
int powerOfTwo(std::int64_t least, std::int64_t low, std::int64_t high) {
    std::int64_t n = low;
    while (n < high && n < least)
        n *= 2;
    return int(n);
}

} // namespace

RowSizes rowSizes(const SizedGraphs& graphs, const Plan& plan, const RowGroup& group, bool isTwice) {
    RowSizes out;
    ElementReads reads(graphs.each(), plan.inlined, group.layout, !group.split);
    for (const std::size_t id : group.reductions)
        reads.add(id, true);
    out.kept = reads.found();
    const std::int64_t rows = group.layout.rows[graphs.full], length = group.layout.length[graphs.full];
    const std::int64_t most =
        powerOfTwo(mostValues / std::int64_t(std::max<std::size_t>(out.kept.size(), 1)), 4, mostValues);
    const bool isKept = isTwice || !group.maps.empty() || !group.totals.empty();
    if (group.layout.kind == RowLayout::Kind::columns) {
        // Enough threads for a large device, then enough of them that a column's part stays in registers.
        constexpr std::int64_t manyThreads = 132 * 1024, values = 16;
        const std::int64_t wanted = std::max((manyThreads + rows - 1) / rows, isKept ? length / values : 1);
        out.threads = powerOfTwo(std::min(wanted, (length + 1) / 2), 1, 32);
        if (group.split) out.threads = 32;
        out.columns = std::clamp(256 / out.threads, 32, 128);
        // Much that is read and written: 512 neighbouring bytes of each line, for the memory's sake.
        if (!group.split && isKept && rows >= (1 << 20)) out.columns = std::max(out.columns, 512 / out.threads);
        out.columns = std::min(out.columns, 128);
        out.values = powerOfTwo((length + out.threads - 1) / out.threads, 4, std::min(most, values));
        return out;
    }
    if (group.split) {
        // Of little in all, a block for each multiprocessor: the fewer there are, the sooner the last has come.
        const bool isMuch = rows * length >= (1 << 24);
        out.threads = isMuch ? 256 : 512;
        out.values = isTwice ? int(most) : int(std::min<std::int64_t>(most, isMuch ? 32 : 8));
        return out;
    }
    if (length < 32) {
        out.threads = 1; // a thread for each row
        out.values = powerOfTwo(length, 4, most);
        return out;
    }
    constexpr std::int64_t manyRows = 2048, processors = 132, one = 4, few = 8, many = 16;
    const auto& tensors = graphs.graphs[graphs.full].tensors;
    const bool isShort = std::all_of(out.kept.begin(), out.kept.end(),
                                     [&](std::size_t id) { return tensors[id].dtype != tensor::DType::Float32; });
    // Rows that leave processors free: of 16-bit elements one load for a thread was measured to be the fastest.
    const bool isFew = rows < processors && isShort && !out.kept.empty();
    const std::int64_t each = isFew ? one : rows < manyRows ? few : many;
    out.threads = powerOfTwo((length + each - 1) / each, 32, 1024);
    out.values = powerOfTwo((length + out.threads - 1) / out.threads, 4, most);
    return out;
}

std::vector<std::string> constantsOf(const RowSizes& sizes, const RowGroup& group, const std::string& suffix) {
    std::vector<std::string> out;
    const bool isColumns = group.layout.kind == RowLayout::Kind::columns;
    const auto add = [&](const std::string& text, const std::string& comment) {
        out.push_back("constexpr int " + text + ";" + (comment.empty() ? "" : " // " + comment));
    };
    add(fmt::format("rowThreads{} = {}", suffix, sizes.threads), isColumns            ? "tune: pow2 1..32"
                                                                 : sizes.threads < 32 ? "tune: pow2 1..32"
                                                                                      : "tune: pow2 32..1024");
    add(fmt::format("kept{} = {}", suffix, sizes.values), "tune: pow2 4..32");
    add(fmt::format("rowChunk{0} = rowThreads{0} * kept{0}", suffix), "of a row's elements: what is in registers");
    if (isColumns) add(fmt::format("columnsPerBlock{} = {}", suffix, sizes.columns), "tune: pow2 32..128");
    if (group.split)
        add(fmt::format("mostBlocks{} = 8192", suffix), "tune: pow2 1024..16384");
    else if (!isColumns)
        add(fmt::format("rowsPerBlock{0} = rowThreads{0} <= 32 ? 128 / rowThreads{0} : 1", suffix), "");
    return out;
}

} // namespace kernelarium::kernelgen
