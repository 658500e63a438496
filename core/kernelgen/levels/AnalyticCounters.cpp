// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/levels/AnalyticCounters.h"

#include "core/algebra/cost/Points.h"
#include "core/kernelgen/levels/FormulaCost.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Index;
using algebra::Tensor;
using algebra::TensorId;

namespace {

constexpr double lanes = 32, sectorBytes = 32, lineBytes = 128;
/// Requests of warps whose addresses are looked at, for one definition.
constexpr std::int64_t mostSampled = 384;
/// A block's share of the L2, as gpu/emulator/counters takes it.
constexpr double blockShareOfL2 = 256 * 1024;

double bytesOf(const Tensor& t) {
    return double(tensor::byteSize(t.dtype));
}

/// The point with this number in a space, row-major.
void pointAt(const algebra::Extents& space, std::size_t from, std::size_t to, std::int64_t number,
             std::vector<std::int64_t>& point) {
    for (std::size_t a = to; a-- > from;) {
        point[a] = number % space[a];
        number /= space[a];
    }
}

} // namespace

/// Values that an index takes: from low to high, so many of them.
struct AnalyticCounters::Span {
    std::int64_t low = 0, high = 0;
    double count = 1;
};

/// What one lane loads at one place of a formula: nothing where it is masked.
struct AnalyticCounters::Load {
    TensorId source = 0;
    std::int64_t element = -1;
};

AnalyticCounters::AnalyticCounters(const Graph& graph, const std::set<std::size_t>& inlined,
                                   const std::array<std::int64_t, 3>& grid, const std::array<std::int64_t, 3>& block)
    : m_graph(graph)
    , m_inlined(inlined)
    , m_totals(m_counters.totals) {
    for (std::size_t k = 0; k < 3; ++k) {
        m_counters.grid[k] = std::uint32_t(std::max<std::int64_t>(1, grid[k]));
        m_counters.block[k] = std::uint32_t(std::max<std::int64_t>(1, block[k]));
    }
    m_blocks = m_counters.blocks();
    m_threads = m_counters.threadsPerBlock();
}

void AnalyticCounters::visit(TensorId id, const std::vector<std::int64_t>& point, bool masked,
                             std::vector<Load>& loads) const {
    const Definition& d = *m_graph.tensors[id].definition();
    for (const algebra::Constraint& c : d.domain) {
        const auto value = masked ? std::nullopt : c.at(point);
        masked = masked || !value || *value < 0;
    }
    for (const algebra::Read& r : d.reads) {
        const Tensor& source = m_graph.tensors[r.source];
        bool reads = !masked;
        for (const algebra::Constraint& c : r.constraints) {
            const auto value = reads ? c.at(point) : std::nullopt;
            reads = reads && value && *value >= 0;
        }
        std::vector<std::int64_t> at(source.extents.size(), 0);
        std::int64_t element = 0;
        for (std::size_t a = 0; a < at.size() && reads; ++a) {
            const auto value = r.map[a].at(point);
            reads = value && *value >= 0 && *value < source.extents[a];
            if (!reads) break;
            at[a] = *value;
            element = element * source.extents[a] + at[a];
        }
        if (m_inlined.contains(r.source) && source.definition())
            visit(r.source, at, !reads, loads);
        else
            loads.push_back({r.source, reads ? element : -1});
    }
}

std::vector<bool> AnalyticCounters::fixedLoads(TensorId id) const {
    const Tensor& t = m_graph.tensors[id];
    const std::size_t rank = t.extents.size();
    std::vector<bool> fixed;
    if (t.definition()->combine == Combine::none) return fixed;
    std::vector<Load> loads;
    for (const algebra::Read& r : t.definition()->reads) {
        bool uses = false;
        for (const auto* indices : {&r.map, &r.constraints})
            for (const Index& index : *indices)
                for (const algebra::Term& term : index.terms)
                    uses = uses || std::size_t(term.axis) >= rank;
        loads.clear();
        const bool isInlined = m_inlined.contains(r.source) && m_graph.tensors[r.source].definition();
        if (isInlined)
            visit(r.source, std::vector<std::int64_t>(m_graph.tensors[r.source].extents.size(), 0), true, loads);
        fixed.insert(fixed.end(), isInlined ? loads.size() : 1, !uses);
    }
    return fixed;
}

void AnalyticCounters::sampleSectors(TensorId id, const Walk& walk, double steps) {
    const Tensor& t = m_graph.tensors[id];
    const algebra::Extents space = algebra::spaceOf(t);
    const std::size_t rank = t.extents.size();
    const std::int64_t elements = algebra::pointCount(t.extents);
    const int scan = walk.lanes == Walk::Lanes::rows ? algebra::scanAxis(t) : -1;
    const std::int64_t terms =
        t.definition()->combine == Combine::none || scan >= 0 ? 1 : algebra::pointCount(t.definition()->reduction);
    const bool along = walk.lanes == Walk::Lanes::terms;
    const std::int64_t length = scan >= 0 ? t.extents[std::size_t(scan)] : 1;
    const std::int64_t inLane = along ? terms : elements / length; // points that neighbouring lanes share out
    const std::int64_t perWarp = std::int64_t(lanes) * walk.vector;
    const std::int64_t warps = (inLane + perWarp - 1) / perWarp;
    const std::int64_t others = along ? elements : scan >= 0 ? length : std::int64_t(steps);
    const std::int64_t all = warps * std::max<std::int64_t>(1, others);
    const std::int64_t sampled = std::min(all, mostSampled);
    const std::vector<bool> isFixed = along ? std::vector<bool>() : fixedLoads(id);
    std::vector<std::int64_t> point(space.size(), 0);
    std::vector<Load> loads;
    std::vector<std::vector<Load>> byLane;
    for (std::int64_t s = 0; s < sampled; ++s) {
        // Evenly spread, and not in step with the extents.
        const std::int64_t number =
            all <= mostSampled ? s : std::int64_t((double(s) + 0.618) / double(sampled) * double(all));
        const std::int64_t other = number % std::max<std::int64_t>(1, others),
                           warp = number / std::max<std::int64_t>(1, others);
        byLane.clear();
        double active = 0;
        for (std::int64_t lane = 0; lane < perWarp; ++lane) {
            const std::int64_t own = warp * perWarp + lane;
            if (own >= inLane) break;
            if (scan >= 0) {
                algebra::Extents rows = t.extents;
                rows[std::size_t(scan)] = 1;
                pointAt(rows, 0, rank, own, point);
                point[std::size_t(scan)] = other;
                point[rank] = other;
            } else {
                pointAt(space, 0, rank, along ? other : own, point);
                pointAt(space, rank, space.size(), along ? own : other, point);
            }
            loads.clear();
            visit(id, point, false, loads);
            byLane.push_back(loads);
            ++active;
        }
        const std::size_t places = byLane.empty() ? 0 : byLane.front().size();
        for (std::size_t p = 0; p < places; ++p) {
            const double bytes = bytesOf(m_graph.tensors[byLane[0][p].source]);
            const bool once = p < isFixed.size() && isFixed[p]; // read before the loop
            const double weight = double(all) / double(sampled) / (once ? std::max(1.0, steps) : 1.0);
            const auto request = [&](std::size_t first, std::size_t step) {
                std::set<std::int64_t> sectors, addresses;
                double on = 0;
                for (std::size_t l = first; l < byLane.size(); l += step)
                    if (const std::int64_t e = byLane[l][p].element; e >= 0) {
                        sectors.insert(std::int64_t(double(e) * bytes / sectorBytes));
                        addresses.insert(e);
                        ++on;
                    }
                if (on == 0) return;
                std::set<std::int64_t> lines;
                for (const std::int64_t sector : sectors)
                    lines.insert(sector / 4);
                m_totals.globalLoadRequests += weight;
                m_totals.loadGlobal += weight;
                m_totals.globalLoadSectors += weight * double(sectors.size());
                m_totals.globalLoadIdealSectors += weight * std::ceil(double(addresses.size()) * bytes / sectorBytes);
                m_totals.globalLines += weight * double(lines.size());
                m_totals.globalLoadBytes += weight * on * bytes;
            };
            bool together = walk.vector > 1;
            for (std::size_t l = 1; l < byLane.size() && together; ++l)
                together = byLane[l][p].element == byLane[l - 1][p].element + 1;
            if (walk.vector == 1 || together)
                request(0, 1);
            else
                for (int v = 0; v < walk.vector; ++v)
                    request(std::size_t(v), std::size_t(walk.vector));
        }
    }
}

void AnalyticCounters::spansOf(TensorId id, const Spans& space, Read& read) const {
    const Definition& d = *m_graph.tensors[id].definition();
    for (const algebra::Read& r : d.reads) {
        const Tensor& source = m_graph.tensors[r.source];
        Spans spans;
        bool empty = false;
        for (std::size_t a = 0; a < r.map.size(); ++a) {
            const Index& index = r.map[a];
            Span span{index.offset, index.offset, 1};
            for (const algebra::Term& term : index.terms) {
                const Span& axis = space[std::size_t(term.axis)];
                Span value{axis.low / term.divisor, axis.high / term.divisor, 1};
                if (term.modulus > 0) {
                    const bool whole = value.high - value.low + 1 >= term.modulus ||
                                       value.low % term.modulus > value.high % term.modulus;
                    value = whole ? Span{0, term.modulus - 1, 1}
                                  : Span{value.low % term.modulus, value.high % term.modulus, 1};
                }
                span.count *= std::min(double(value.high - value.low + 1), axis.count);
                const std::int64_t x = term.factor * value.low, y = term.factor * value.high;
                span.low += std::min(x, y), span.high += std::max(x, y);
            }
            span.low = std::max<std::int64_t>(0, span.low > 0 ? (span.low + index.divisor - 1) / index.divisor : 0);
            span.high = std::min(span.high < 0 ? -1 : span.high / index.divisor, source.extents[a] - 1);
            empty = empty || span.high < span.low;
            span.count = std::min(span.count, double(span.high - span.low + 1));
            spans.push_back(span);
        }
        if (empty) continue;
        if (m_inlined.contains(r.source) && source.definition()) {
            spansOf(r.source, spans, read);
            continue;
        }
        const auto [it, isNew] = read.try_emplace(r.source, spans);
        if (isNew) continue;
        for (std::size_t a = 0; a < spans.size(); ++a) {
            Span& to = it->second[a];
            const bool same = to.low == spans[a].low && to.high == spans[a].high;
            const double counts = same ? std::max(to.count, spans[a].count) : to.count + spans[a].count;
            to.low = std::min(to.low, spans[a].low), to.high = std::max(to.high, spans[a].high);
            to.count = std::min(counts, double(to.high - to.low + 1));
        }
    }
}

AnalyticCounters::Spans AnalyticCounters::blockSpace(TensorId id, const Walk& walk) const {
    const Tensor& t = m_graph.tensors[id];
    const algebra::Extents space = algebra::spaceOf(t);
    const std::size_t rank = t.extents.size();
    Spans spans;
    for (const std::int64_t e : space)
        spans.push_back({0, e - 1, double(e)});
    const int scan = walk.lanes == Walk::Lanes::rows ? algebra::scanAxis(t) : -1;
    const double elements = double(algebra::pointCount(t.extents));
    double left = m_threads;
    if (walk.lanes == Walk::Lanes::terms)
        left = double(walk.sharing);
    else if (scan < 0)
        left = std::ceil(elements / m_blocks);
    std::vector<std::int64_t> middle(space.size(), 0);
    pointAt(space, 0, rank, std::int64_t(elements / 2), middle);
    for (std::size_t a = rank; a-- > 0;) {
        if (int(a) == scan) continue;
        const double extent = double(space[a]);
        if (left >= extent) {
            left /= extent;
            continue;
        }
        const std::int64_t n = std::max<std::int64_t>(1, std::int64_t(std::ceil(left)));
        const std::int64_t low = std::min(middle[a], space[a] - n);
        spans[a] = {low, low + n - 1, double(n)};
        left = 1;
    }
    return spans;
}

void AnalyticCounters::countDistinct(TensorId id, const Walk& walk) {
    const auto sectorsOf = [this](TensorId source, const Spans& spans) {
        const Tensor& t = m_graph.tensors[source];
        double run = bytesOf(t), runs = 1, width = bytesOf(t);
        bool contiguous = true;
        for (std::size_t a = spans.size(); a-- > 0;) {
            const double reach = double(spans[a].high - spans[a].low + 1);
            if (!contiguous) {
                runs *= spans[a].count;
                continue;
            }
            run *= spans[a].count, width *= reach;
            contiguous = spans[a].count >= double(t.extents[a]);
        }
        // Elements with gaps between them take a sector each, or all of those between.
        const double each = std::min(std::ceil(width / sectorBytes), run / bytesOf(t));
        const double whole = std::ceil(double(algebra::pointCount(t.extents)) * bytesOf(t) / sectorBytes);
        return std::min(whole, runs * std::max(1.0, each));
    };
    Spans space;
    for (const std::int64_t e : algebra::spaceOf(m_graph.tensors[id]))
        space.push_back({0, e - 1, double(e)});
    Read all, ofBlock;
    spansOf(id, space, all);
    for (const auto& [source, spans] : all)
        m_distinct[source] = std::max(m_distinct[source], sectorsOf(source, spans));
    spansOf(id, blockSpace(id, walk), ofBlock);
    double sectors = 0;
    for (const auto& [source, spans] : ofBlock)
        sectors += sectorsOf(source, spans) / walk.parts;
    m_totals.l2LoadSectors += sectors * m_blocks;
    if (walk.again) {
        m_totals.blockAgainSectors += sectors * m_blocks;
        if (sectors * sectorBytes > blockShareOfL2) m_totals.blockLostSectors += sectors * m_blocks;
    } else {
        m_blockBytes += sectors * sectorBytes;
    }
}

void AnalyticCounters::countInstructions(TensorId id, const Walk& walk) {
    const Tensor& t = m_graph.tensors[id];
    const Definition& d = *t.definition();
    const double elements = double(algebra::pointCount(t.extents));
    const bool sums = d.combine != Combine::none;
    const algebra::Extents space = algebra::spaceOf(t);
    double points = double(algebra::pointCount(space));
    if (walk.lanes == Walk::Lanes::rows) points = elements;
    std::vector<algebra::Condition> domain;
    for (const algebra::Constraint& c : d.domain)
        domain.push_back({c, 0, algebra::rangeOf(c, space).high});
    double active = points;
    if (!domain.empty())
        if (const auto counted = algebra::countPoints(space, domain)) active = *counted;
    const FormulaCost each = costOfPoint(m_graph, id, m_inlined);
    m_totals.flopsFp32 += active * each.flops;
    m_totals.fp32 += active * each.fp32 / lanes;
    m_totals.special += active * each.special / lanes;
    const double addresses = active * each.addressing / lanes;
    const double loop = sums ? points * 2 / lanes / (domain.empty() ? 4 : 1) : 0; // nvcc unrolls by four
    const double thread = (walk.lanes == Walk::Lanes::terms ? points : elements / walk.vector) / lanes *
                          (4 + 12.0 * double(t.extents.size() > 1 ? t.extents.size() - 1 : 0) / walk.vector);
    const double guards = points * double(d.domain.size()) * 2 / lanes;
    const bool perTerm = walk.lanes == Walk::Lanes::terms;
    const double integer = addresses + loop + guards + (perTerm ? 0 : thread);
    m_totals.integer += integer;
    m_totals.control += loop / 2;
    m_totals.issueSlots += active * each.slots / lanes + integer + loop / 2;
}

void AnalyticCounters::add(TensorId id, const Walk& walk) {
    const Tensor& t = m_graph.tensors[id];
    const Definition& d = *t.definition();
    const double steps =
        d.combine == Combine::none || walk.lanes == Walk::Lanes::rows ? 1 : double(algebra::pointCount(d.reduction));
    const double before = m_totals.loadGlobal;
    sampleSectors(id, walk, steps);
    m_totals.issueSlots += m_totals.loadGlobal - before;
    countDistinct(id, walk);
    countInstructions(id, walk);
    if (walk.stores) addTraffic(double(algebra::pointCount(t.extents)), bytesOf(t), true);
}

void AnalyticCounters::addTraffic(double elements, double elementBytes, bool isStore, double distinct) {
    const double bytes = elements * elementBytes, requests = std::ceil(elements / lanes);
    const double sectors = std::ceil(bytes / sectorBytes);
    const double once = distinct < 0 ? sectors : std::ceil(distinct * elementBytes / sectorBytes);
    m_totals.issueSlots += requests;
    m_totals.globalLines += std::ceil(bytes / lineBytes);
    if (isStore) {
        m_totals.storeGlobal += requests;
        m_totals.globalStoreRequests += requests;
        m_totals.globalStoreSectors += sectors;
        m_totals.globalStoreIdealSectors += sectors;
        m_totals.globalStoreBytes += bytes;
        m_counters.uniqueWrittenBytes += once * sectorBytes;
    } else {
        m_totals.loadGlobal += requests;
        m_totals.globalLoadRequests += requests;
        m_totals.globalLoadSectors += sectors;
        m_totals.globalLoadIdealSectors += sectors;
        m_totals.globalLoadBytes += bytes;
        m_totals.l2LoadSectors += sectors;
        m_counters.uniqueReadBytes += once * sectorBytes;
    }
}

void AnalyticCounters::addInstructions(double flops, double fp32, double slots) {
    m_totals.flopsFp32 += flops;
    m_totals.fp32 += fp32 / lanes;
    m_totals.issueSlots += slots / lanes;
}

void AnalyticCounters::addBlockSteps(double steps) {
    const double warps = m_blocks * std::ceil(m_threads / lanes) * steps;
    m_totals.barrier += warps;
    m_totals.barrierWaits += warps;
    m_totals.loadShared += warps;
    m_totals.storeShared += warps;
    m_totals.sharedLoadRequests += warps;
    m_totals.sharedLoadWavefronts += warps;
    m_totals.sharedStoreRequests += warps;
    m_totals.sharedStoreWavefronts += warps;
    m_totals.sharedIdealWavefronts += 2 * warps;
    m_totals.issueSlots += 6 * warps;
}

perf::LaunchCounters AnalyticCounters::finish() const {
    perf::LaunchCounters out = m_counters;
    for (const auto& [source, sectors] : m_distinct)
        out.uniqueReadBytes += sectors * sectorBytes;
    out.uniqueBytes = out.uniqueReadBytes + out.uniqueWrittenBytes;
    perf::LineCounters& t = out.totals;
    // What all blocks read apart is at least what the grid reads, and no more than the warps ask for.
    t.l2LoadSectors = std::max(std::min(t.l2LoadSectors, t.globalLoadSectors), out.uniqueReadBytes / sectorBytes);
    t.blockAgainSectors = std::min(t.blockAgainSectors, t.l2LoadSectors);
    t.blockLostSectors = std::min(t.blockLostSectors, t.blockAgainSectors);
    t.warpInstructions = t.issueSlots;
    t.threadInstructions = t.threadInstructionsOn = t.issueSlots * lanes;
    out.sampling = {m_blocks, 0, false}; // none of them ran
    out.longestWarp = t.issueSlots / std::max(1.0, m_blocks * std::ceil(m_threads / lanes));
    return out;
}

} // namespace kernelarium::kernelgen
