// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowGroups.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>
#include <deque>
#include <map>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Rows fewer than this, of at least that many elements, are split over several blocks; columns likewise.
constexpr std::int64_t fewRows = 264, longRow = 32768, fewColumns = 2048, longColumn = 1024;
/// One reduction of shorter rows, and nothing else to do with them, is a thread's business.
constexpr std::int64_t shortRow = 32;

bool has(const std::vector<std::size_t>& list, TensorId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}
class GroupFinder {
public:
    GroupFinder(const SizedGraphs& graphs, const std::set<std::size_t>& inlined)
        : m_each(graphs.each())
        , m_full(graphs.graphs[graphs.full])
        , m_inlined(inlined) {}

    std::vector<RowGroup> run() {
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (isTaken(id)) continue;
            for (const RowGroup& start : starts(id)) {
                RowGroup g = grown(start, id);
                if (!isWorthwhile(g) || isEntangled(g)) continue;
                keep(g);
                m_groups.push_back(std::move(g));
                break;
            }
        }
        return std::move(m_groups);
    }

    [[nodiscard]] bool fitsStatistic(TensorId id, const RowGroup& g, bool withReduction = false) const {
        RowGroup one = g;
        one.layout = RowLayout::single(g.layout.rows);
        return fits(id, one, withReduction);
    }

private:
    [[nodiscard]] Each<Tensor> tensor(TensorId id) const {
        return m_each.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    }
    [[nodiscard]] bool isOutput(TensorId id) const { return has(m_full.outputs, id); }
    [[nodiscard]] bool isTaken(TensorId id) const {
        return std::any_of(m_groups.begin(), m_groups.end(), [id](const RowGroup& g) {
            return has(g.reductions, id) || has(g.maps, id) || has(g.totals, id);
        });
    }
    [[nodiscard]] bool isReduction(TensorId id) const {
        const Definition* d = m_full.tensors[id].definition();
        return d && d->combine != Combine::none && d->domain.empty() && algebra::scanAxis(m_full.tensors[id]) < 0;
    }
    [[nodiscard]] Values terms(TensorId id) const {
        return tensor(id).values([](const Tensor& t) { return algebra::pointCount(t.definition()->reduction); });
    }
    [[nodiscard]] Values elements(TensorId id) const {
        return tensor(id).values([](const Tensor& t) { return algebra::pointCount(t.extents); });
    }

    /// The layouts that its reads may have, each as a group without members.
    [[nodiscard]] std::vector<RowGroup> starts(TensorId id) const {
        std::vector<RowGroup> out;
        if (!isReduction(id)) return out;
        const Each<Tensor> t = tensor(id);
        RowGroup g;
        g.layout = {RowLayout::Kind::rows, elements(id), terms(id), Values(t.at.size(), 1)};
        const auto offer = [&] {
            if (isAlways(g.layout.length, 1)) return;
            if (fits(id, g, true) && readsElements(id, g)) out.push_back(g);
        };
        offer();
        const std::size_t rank = t.first().extents.size(), whole = algebra::spaceOf(t.first()).size();
        const auto lastAxes = [&](std::size_t count, std::size_t end) {
            return t.values([&](const Tensor& x) {
                const algebra::Extents space = algebra::spaceOf(x);
                std::int64_t product = 1;
                for (std::size_t a = end - count; a < end; ++a)
                    product *= space[a];
                return product;
            });
        };
        for (std::size_t count = 1; count <= rank; ++count) {
            g.layout.kind = RowLayout::Kind::columns;
            g.layout.inner = lastAxes(count, rank), g.innerAxes = count;
            if (!isAlways(g.layout.inner, 1)) offer();
        }
        for (std::size_t count = 1; count + rank < whole; ++count) {
            g.layout.kind = RowLayout::Kind::channels;
            g.layout.inner = lastAxes(count, whole), g.innerAxes = count;
            if (!isAlways(g.layout.inner, 1)) offer();
        }
        return out;
    }

    [[nodiscard]] AtHand handOf(const RowGroup& g, bool withReduction) const {
        AtHand hand;
        hand.withReduction = withReduction;
        hand.layout = g.layout;
        return hand;
    }

    /// Whether every read of the formula, through those written in place, is of the element, the row or its place, or
    /// does not touch the group: then the group's kernel has it.
    [[nodiscard]] bool fits(TensorId id, const RowGroup& g, bool withReduction) const {
        Known& known = knownOf(g);
        if (const auto at = known.fits.find({id, withReduction}); at != known.fits.end()) return at->second;
        const bool does = computeFits(id, g, withReduction);
        knownOf(g).fits[{id, withReduction}] = does;
        return does;
    }
    [[nodiscard]] bool computeFits(TensorId id, const RowGroup& g, bool withReduction) const {
        const Each<Tensor> t = tensor(id);
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        PointText point(text, m_each, t, algebra::axisNames(t.first()), handOf(g, withReduction));
        const auto& reads = t.first().definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k) {
            const TensorId s = reads[k].source;
            if (has(g.reductions, s) && (!point.isOfRow(k) || isPlace(m_full.tensors[s].definition()->combine)))
                return false;
            if (has(g.maps, s) || has(g.totals, s)) return false;
            if (!m_inlined.contains(s)) continue;
            if (!knownOf(g).depends[s]) continue;
            if (point.isSameElement(k)) {
                if (!fits(s, g, false)) return false;
            } else if (point.isOfRow(k)) {
                if (!fitsStatistic(s, g)) return false;
            } else {
                return false;
            }
        }
        return true;
    }
    /// Whether it needs something that is made outside of the group from what is made in it.
    [[nodiscard]] bool needsOutsider(TensorId id, const RowGroup& g) const { return knownOf(g).needsOutsider[id]; }
    [[nodiscard]] bool dependsOn(TensorId id, const RowGroup& g) const { return knownOf(g).depends[id]; }

    /// What is asked of a group again and again, by tensor.
    struct Known {
        RowLayout layout;
        std::vector<std::size_t> members, reductions;
        std::vector<bool> depends, needsOutsider;
        std::map<std::pair<TensorId, bool>, bool> fits; ///< the tensor, and whether with its reduction
    };
    [[nodiscard]] Known& knownOf(const RowGroup& g) const {
        constexpr std::size_t mostKept = 4;
        const std::vector<std::size_t> members = g.members();
        for (Known& k : m_known)
            if (k.members == members && k.reductions == g.reductions && k.layout == g.layout) return k;
        if (m_known.size() == mostKept) m_known.pop_back();
        Known k{g.layout, members, g.reductions, algebra::dependents(m_full, members), {}, {}};
        k.needsOutsider.resize(m_full.tensors.size(), false);
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const std::vector<TensorId> sources = algebra::sourcesOf(m_full.tensors[id]);
            k.needsOutsider[id] = std::any_of(sources.begin(), sources.end(), [&](TensorId s) {
                if (has(g.reductions, s) || !m_full.tensors[s].definition()) return false;
                return bool(m_inlined.contains(s) ? k.needsOutsider[s] : k.depends[s]);
            });
        }
        m_known.push_front(std::move(k));
        return m_known.front();
    }

    /// Whether it reads at least one tensor element by element.
    [[nodiscard]] bool readsElements(TensorId id, const RowGroup& g) const {
        const Each<Tensor> t = tensor(id);
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        PointText point(text, m_each, t, algebra::axisNames(t.first()), handOf(g, true));
        const auto& reads = t.first().definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k)
            if (point.isSameElement(k)) return true;
        return false;
    }

    [[nodiscard]] RowGroup grown(RowGroup g, TensorId from) const {
        for (TensorId id = from; id < m_full.tensors.size(); ++id) {
            if (!isReduction(id) || isTaken(id)) continue;
            if (terms(id) != g.layout.length || elements(id) != g.layout.rows) continue;
            if (!fits(id, g, true) || needsOutsider(id, g) || !readsElements(id, g)) continue;
            g.reductions.push_back(id);
        }
        Values all = g.layout.rows;
        for (std::size_t s = 0; s < all.size(); ++s)
            all[s] *= g.layout.length[s];
        std::vector<std::size_t> maps, totals;
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Definition* d = m_full.tensors[id].definition();
            if (!d || d->combine != Combine::none || m_inlined.contains(id) || isTaken(id) || !d->domain.empty() ||
                !dependsOn(id, g) || needsOutsider(id, g))
                continue;
            const Values count = elements(id);
            const bool isOne = count == g.layout.rows;
            if (!isOne && count != all) continue;
            if (isOne ? fitsStatistic(id, g) : fits(id, g, false)) maps.push_back(id);
        }
        g.split = isSplit(g);
        for (TensorId id = 0; !g.split && g.layout.kind == RowLayout::Kind::rows && id < m_full.tensors.size(); ++id) {
            if (!isReduction(id) || isTaken(id) || has(g.reductions, id) || !isAlways(elements(id), 1)) continue;
            if (isPlace(m_full.tensors[id].definition()->combine)) continue;
            if (!dependsOn(id, g) || needsOutsider(id, g)) continue;
            const bool isOfAllRows = terms(id) == g.layout.rows && fitsStatistic(id, g, true);
            if (isOfAllRows || (terms(id) == all && fits(id, g, true))) totals.push_back(id);
        }
        g.maps = std::move(maps);
        g.totals = std::move(totals);
        return g;
    }
    [[nodiscard]] bool isSplit(const RowGroup& g) const {
        const TensorId id = g.reductions.front();
        const std::int64_t rows = algebra::pointCount(m_full.tensors[id].extents);
        const std::int64_t length = algebra::pointCount(m_full.tensors[id].definition()->reduction);
        const bool hasPlace = std::any_of(g.reductions.begin(), g.reductions.end(), [this](TensorId r) {
            return isPlace(m_full.tensors[r].definition()->combine);
        });
        if (hasPlace) return false;
        return g.layout.kind == RowLayout::Kind::columns ? rows < fewColumns && length >= longColumn
                                                         : rows < fewRows && length >= longRow;
    }

    [[nodiscard]] bool isWorthwhile(const RowGroup& g) const {
        if (g.reductions.empty()) return false;
        const std::int64_t length = algebra::pointCount(m_full.tensors[g.reductions[0]].definition()->reduction);
        return length >= shortRow || g.reductions.size() + g.maps.size() + g.totals.size() > 1;
    }
    /// Whether one of the groups before needs it, and it that one.
    [[nodiscard]] bool isEntangled(const RowGroup& g) const {
        const auto needs = [this](const RowGroup& a, const RowGroup& b) {
            for (const auto* list : {&a.reductions, &a.maps, &a.totals})
                for (const TensorId id : *list)
                    if (dependsOn(id, b)) return true;
            return false;
        };
        return std::any_of(m_groups.begin(), m_groups.end(),
                           [&](const RowGroup& h) { return needs(g, h) && needs(h, g); });
    }

    /// What others read of the rows is stored.
    void keep(RowGroup& g) const {
        const std::vector<bool> isRead = readOutside(g);
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            if (isMember(id, g) || (m_inlined.contains(id) && !isRead[id])) continue;
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[id]))
                if (has(g.reductions, s)) g.stored.insert(s);
        }
        for (const TensorId s : g.reductions)
            if (isOutput(s)) g.stored.insert(s);
    }
    [[nodiscard]] static bool isMember(TensorId id, const RowGroup& g) {
        return has(g.reductions, id) || has(g.maps, id) || has(g.totals, id);
    }
    /// By tensor: whether something outside of the group uses it, through what is written in place.
    [[nodiscard]] std::vector<bool> readOutside(const RowGroup& g) const {
        std::vector<bool> isRead(m_full.tensors.size(), false);
        for (TensorId reader = m_full.tensors.size(); reader-- > 0;) {
            if (isMember(reader, g) || (m_inlined.contains(reader) && !isRead[reader])) continue;
            for (const TensorId s : algebra::sourcesOf(m_full.tensors[reader]))
                isRead[s] = true;
        }
        return isRead;
    }

    Each<Graph> m_each;
    const Graph& m_full;
    const std::set<std::size_t>& m_inlined;
    std::vector<RowGroup> m_groups;
    mutable std::deque<Known> m_known; ///< of the groups that were asked about last, the latest first
};

} // namespace

std::vector<RowGroup> rowGroups(const SizedGraphs& graphs, const std::set<std::size_t>& inlined) {
    return GroupFinder(graphs, inlined).run();
}

bool isOfRows(const SizedGraphs& graphs, const std::set<std::size_t>& inlined, const RowGroup& group, std::size_t id) {
    return GroupFinder(graphs, inlined).fitsStatistic(id, group);
}

} // namespace kernelarium::kernelgen
