// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/ProductEmitter.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/attention/AttentionKernel.h"
#include "core/kernelgen/fused/FourMap.h"
#include "core/kernelgen/fused/FusedLevels.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/fused/RowKernels.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/naive/DefinitionLevels.h"
#include "core/kernelgen/products/FloatKernel.h"
#include "core/kernelgen/products/HalfKernel.h"
#include "core/kernelgen/products/ProductLevels.h"
#include "core/kernelgen/products/StripForm.h"
#include "core/kernelgen/products/StripKernel.h"
#include "core/kernelgen/products/StripTiles.h"
#include "core/kernelgen/products/Units.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

/// Writes launches in an order in which each finds what it reads.
class ProductFile {
public:
    ProductFile(const task::Card& card, const SizedGraphs& graphs, std::vector<ProductUnit> units,
                std::vector<attention::AttentionUnit> attentions)
        : m_graphs(graphs)
        , m_full(graphs.graphs[graphs.full])
        , m_units(std::move(units))
        , m_attentions(std::move(attentions))
        , m_plan(planOf(withoutUnits()))
        , m_file(card, graphs) {
        dissolveRows();
    }

    Emitted write(const std::vector<std::string>& moved) {
        if (!m_units.empty()) chooseTiles();
        const bool isSplit =
            std::any_of(m_tiles.begin(), m_tiles.end(), [](const FloatTiles& t) { return t.parts > 1; });
        if (isSplit || !m_singles.empty()) m_file.constant("constexpr int threads = 256; // tune: pow2 64..1024");
        std::vector<bool> unitDone(m_units.size(), false), attentionDone(m_attentions.size(), false);
        std::set<std::size_t> groups = m_groups;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t u = 0; u < m_units.size(); ++u) {
                if (unitDone[u] || !isReady(m_units[u].members)) continue;
                const std::size_t first = m_file.levels().launches.size();
                if (m_isStrip[u])
                    addStripProduct(m_file, m_units[u], stripParts(m_units[u]), m_plan.inlined);
                else if (m_isHalf)
                    addHalfProduct(m_file, m_units[u], halfParts(m_units[u]), m_plan.inlined);
                else
                    addFloatProduct(m_file, m_units[u], m_tiles[u], m_plan.inlined);
                describeUnit(u, first);
                m_launches += m_tiles[u].parts > 1 ? 2 : 1;
                m_done.insert(m_units[u].members.begin(), m_units[u].members.end());
                unitDone[u] = changed = true;
            }
            for (std::size_t a = 0; a < m_attentions.size(); ++a) {
                if (attentionDone[a] || !isReady(m_attentions[a].members)) continue;
                const std::size_t first = m_file.levels().launches.size();
                attention::addAttention(m_file, m_attentions[a], m_plan.inlined);
                describeAttention(m_attentions[a], first);
                ++m_launches;
                m_done.insert(m_attentions[a].members.begin(), m_attentions[a].members.end());
                attentionDone[a] = changed = true;
            }
            for (const std::size_t g : m_groups) {
                if (!groups.contains(g) || !isReady(rowMembers(g))) continue;
                const std::size_t first = m_file.levels().launches.size();
                m_launches += addRowKernels(m_file, m_plan, g);
                describeRows(m_file, m_plan, g, first);
                for (const TensorId id : rowMembers(g))
                    m_done.insert(id);
                groups.erase(g);
                changed = true;
            }
            for (const TensorId id : m_singles) {
                if (m_done.contains(id) || !isReady({id})) continue;
                addSingle(id);
                ++m_launches;
                m_done.insert(id);
                changed = true;
            }
        }
        if (!groups.empty() || std::count(unitDone.begin(), unitDone.end(), false) > 0 ||
            std::count(attentionDone.begin(), attentionDone.end(), false) > 0 ||
            !std::all_of(m_singles.begin(), m_singles.end(), [this](TensorId id) { return m_done.contains(id); }))
            throw Refusal("kernels that need one another's results");
        return finished(moved);
    }

private:
    /// The graph in which what the units make is given, and what they need from others is stored.
    SizedGraphs withoutUnits() const {
        SizedGraphs out = m_graphs;
        const std::set<TensorId> members = allMembers();
        for (Graph& g : out.graphs) {
            std::set<std::pair<TensorId, bool>> seen;
            for (const TensorId id : members) {
                const Definition* d = m_full.tensors[id].definition();
                const bool isWeighted = std::any_of(m_attentions.begin(), m_attentions.end(),
                                                    [id](const auto& a) { return a.weight == id; });
                for (const algebra::Read& r : d->reads)
                    addNeeded(g, members, seen, r.source, d->combine == Combine::sum || isWeighted);
            }
            for (const TensorId id : members)
                g.tensors[id].origin = algebra::Input{algebra::Input::drawn};
            std::erase_if(g.outputs, [&](TensorId id) { return g.tensors[id].input() != nullptr; });
        }
        return out;
    }
    void addNeeded(Graph& g, const std::set<TensorId>& members, std::set<std::pair<TensorId, bool>>& seen, TensorId id,
                   bool mustBeStored) const {
        const Definition* d = m_full.tensors[id].definition();
        if (!d || members.contains(id) || !seen.insert({id, mustBeStored}).second) return;
        if (mustBeStored || d->combine != Combine::none) {
            if (!std::count(g.outputs.begin(), g.outputs.end(), id)) g.outputs.push_back(id);
            return;
        }
        for (const algebra::Read& r : d->reads)
            addNeeded(g, members, seen, r.source, false);
    }
    /// Rows before and after a product cannot be one kernel, which the plan does not see: then each is its own.
    void dissolveRows() {
        for (const Plan::Step& step : m_plan.steps) {
            if (!step.group) {
                m_singles.insert(step.tensor);
                continue;
            }
            const std::set<TensorId> rows = rowMembers(*step.group), needRows = needing(rows);
            std::set<TensorId> between;
            for (const TensorId id : allMembers())
                if (needRows.contains(id)) between.insert(id);
            const std::set<TensorId> needBetween = needing(between);
            if (std::none_of(rows.begin(), rows.end(), [&](TensorId id) { return needBetween.contains(id); }))
                m_groups.insert(*step.group);
            else
                m_singles.insert(rows.begin(), rows.end());
        }
    }
    /// These and all that need one of them.
    [[nodiscard]] std::set<TensorId> needing(std::set<TensorId> some) const {
        if (some.empty()) return some;
        for (TensorId id = *some.begin(); id < m_full.tensors.size(); ++id) {
            const auto sources = algebra::sourcesOf(m_full.tensors[id]);
            if (std::any_of(sources.begin(), sources.end(), [&](TensorId s) { return some.contains(s); }))
                some.insert(id);
        }
        return some;
    }
    [[nodiscard]] std::set<TensorId> allMembers() const {
        std::set<TensorId> all;
        for (const ProductUnit& u : m_units)
            all.insert(u.members.begin(), u.members.end());
        for (const attention::AttentionUnit& a : m_attentions)
            all.insert(a.members.begin(), a.members.end());
        return all;
    }

    [[nodiscard]] std::set<TensorId> rowMembers(std::size_t group) const {
        const RowGroup& g = m_plan.groups[group];
        std::set<TensorId> all(g.reductions.begin(), g.reductions.end());
        all.insert(g.maps.begin(), g.maps.end());
        all.insert(g.totals.begin(), g.totals.end());
        return all;
    }
    /// Whether everything is there that these need from elsewhere.
    [[nodiscard]] bool isReady(const std::set<TensorId>& members) const {
        std::map<TensorId, bool> known;
        return std::all_of(members.begin(), members.end(), [&](TensorId id) { return hasSources(id, members, known); });
    }
    [[nodiscard]] bool hasSources(TensorId id, const std::set<TensorId>& members,
                                  std::map<TensorId, bool>& known) const {
        const auto sources = algebra::sourcesOf(m_full.tensors[id]);
        return std::all_of(sources.begin(), sources.end(), [&](TensorId s) {
            if (members.contains(s) || m_full.tensors[s].input() || m_done.contains(s)) return true;
            if (!m_plan.inlined.contains(s)) return false;
            if (const auto it = known.find(s); it != known.end()) return it->second;
            return known[s] = hasSources(s, members, known);
        });
    }

    void describeUnit(std::size_t u, std::size_t first) {
        ProductWork work = workOf(m_file, m_units[u]);
        work.byTensorCores = m_isHalf;
        const FloatTiles& tiles = m_tiles[u];
        if (m_isStrip[u]) {
            work.tileRows = m_strip.rows(), work.tileColumns = m_strip.columns();
            work.tileSums = 16;
            work.tiles = Place::registers;
            work.parts = stripParts(m_units[u]);
            double sums = 0;
            for (std::size_t k = 0; k < work.factors.size(); ++k) {
                ProductWork::Factor& f = work.factors[k];
                sums = std::max(sums, f.sums);
                if (k + 1 == work.factors.size() || work.factors[k + 1].isStored) continue;
                f.leftTimes = f.rightTimes = std::ceil(work.factors[k + 1].columns / m_strip.columns());
            }
            work.steps = std::ceil(sums / work.parts / (16.0 * m_strip.warps * m_strip.ahead)); // round trips
            work.detail = "The right factors' neighbours are on their way in registers, a step of 16 terms for each "
                          "warp, and formulas of the product's elements follow where the warps' sums meet.";
            return describeProduct(m_file, work, first);
        }
        work.tileRows = m_isHalf ? m_half.tileRows : tiles.tileRows;
        work.tileColumns = m_isHalf ? m_half.tileColumns : tiles.tileColumns;
        work.tileSums = m_isHalf ? m_half.tileSums : tiles.tileSums;
        work.parts = m_isHalf ? halfParts(m_units[u]) : tiles.parts;
        if (m_isHalf) {
            const HalfShape shape = shapeOf(m_units[u]);
            work.stages = m_half.stages, work.clocksOfStep = m_half.clocksOfStep(shape.products);
            work.sharedBytes = m_half.sharedBytes(shape);
        }
        work.isTwice = !m_isHalf && work.parts > 1;
        work.detail =
            "Tiles of the factors are multiplied, and formulas of the product's elements follow in registers.";
        describeProduct(m_file, work, first);
    }
    void describeAttention(const attention::AttentionUnit& unit, std::size_t first) {
        ProductWork work = workOf(m_file, unit.output);
        ProductWork scores = workOf(m_file, unit.logits);
        ProductWork::Factor& q = scores.factors.front();
        ProductWork::Factor& v = work.factors.front();
        const attention::AttentionTiles tiles =
            attention::attentionTilesFor(std::int64_t(q.sums), std::int64_t(v.columns));
        const double rowTile = 16.0 * tiles.rowWarps, keyTile = double(tiles.keyTile) * tiles.keyWarps;
        const double downs = std::ceil(q.rows / rowTile);
        const Launch& launch = m_file.levels().launches[first];
        work.parts = std::max(1.0, std::round(double(launch.grid[0].value) / std::max(1.0, downs * q.batch)));
        q.leftTimes = work.parts;
        q.rightTimes = v.rightTimes = downs;
        v.isStored = false;
        work.factors.insert(work.factors.begin(), q);
        work.tileRows = std::int64_t(rowTile), work.tileColumns = std::int64_t(keyTile);
        work.tileSums = std::int64_t(keyTile);
        work.steps = std::ceil(q.columns / keyTile / work.parts);
        work.byTensorCores = true;
        work.detail = "Scores, their maximum and sum so far, and the values weighted by them: no score is stored.";
        describeProduct(m_file, work, first);
    }

    void chooseTiles() {
        std::set<DType> types;
        for (const ProductUnit& u : m_units)
            for (const ProductForm& f : u.forms)
                for (const std::size_t k : {f.left, f.right})
                    types.insert(sourceType(f, k));
        for (const ProductUnit& u : m_units)
            m_isStrip.push_back(isStrip(m_graphs, u));
        if (types.size() != 1) throw Refusal("products of elements of several types");
        m_isHalf = *types.begin() == DType::Float16 || *types.begin() == DType::BFloat16;
        if (!m_isHalf && *types.begin() != DType::Float32) throw Refusal("a product of elements of another type");
        const ProductUnit* const strip = largestOf(true);
        const ProductUnit* const largest = largestOf(false);
        if (strip) {
            double sums = 0;
            for (const ProductForm& f : strip->forms)
                sums = std::max(sums, points(f, f.sums));
            m_strip = stripTilesFor(points(strip->first(), strip->first().rows), double(strip->forms.size()), sums);
            addStripTiles(m_file, m_strip);
        }
        if (m_isHalf) {
            if (largest) {
                const HalfShape shape = shapeOf(*largest);
                m_half = halfTilesFor(shape);
                addHalfTiles(m_file, m_half, shape);
            }
            m_tiles.resize(m_units.size());
            return;
        }
        const FloatTiles shared = tilesOf(*largest, std::nullopt);
        for (const ProductUnit& u : m_units)
            m_tiles.push_back(tilesOf(u, shared));
        addFloatTiles(m_file, shared);
    }
    [[nodiscard]] const ProductUnit* largestOf(bool strips) const {
        const ProductUnit* largest = nullptr;
        double most = -1;
        for (std::size_t k = 0; k < m_units.size(); ++k) {
            if (m_isStrip[k] != strips) continue;
            const ProductForm& f = m_units[k].first();
            const double work = points(f, f.rows) * points(f, f.columns) * points(f, f.sums) * points(f, f.batch);
            if (work > most) most = work, largest = &m_units[k];
        }
        return largest;
    }
    [[nodiscard]] int stripParts(const ProductUnit& u) const {
        const ProductForm& f = u.first();
        return m_strip.parts(points(f, f.columns), points(f, f.sums));
    }
    [[nodiscard]] HalfShape shapeOf(const ProductUnit& u) const {
        const ProductForm& f = u.first();
        const auto isAlong = [&](std::size_t read) {
            return Offsets(m_graphs.each(), m_file.tensor(f.tensor), read).isContiguous(f.sums);
        };
        return {points(f, f.batch),     points(f, f.rows), points(f, f.columns), points(f, f.sums),
                double(u.forms.size()), isAlong(f.left),   isAlong(f.right)};
    }
    [[nodiscard]] int halfParts(const ProductUnit& u) const { return halfTilesFor(shapeOf(u), m_half).parts; }
    [[nodiscard]] FloatTiles tilesOf(const ProductUnit& u, const std::optional<FloatTiles>& shape) const {
        const ProductForm& f = u.first();
        const bool maySplit = f.batch.empty() || f.batch.back() < f.rows.front();
        return floatTilesFor(points(f, f.batch), points(f, f.rows), points(f, f.columns), points(f, f.sums), maySplit,
                             shape);
    }
    [[nodiscard]] double points(const ProductForm& f, const Group& group) const {
        return double(pointsOf(m_file.tensor(f.tensor), group)[m_graphs.shown]);
    }
    [[nodiscard]] DType sourceType(const ProductForm& f, std::size_t read) const {
        return m_full.tensors[m_full.tensors[f.tensor].definition()->reads[read].source].dtype;
    }

    void addSingle(TensorId id) {
        m_file.declare(id);
        if (addFourMap(m_file, m_plan, id)) return describeFourMap(m_file, m_plan, id);
        const DefinitionKernel kernel = definitionKernel(m_file, m_graphs.each(), id, m_plan.inlined);
        const std::string elements = m_file.variable(id) + ".numel()";
        if (kernel.blockPerElement) {
            m_file.launch(kernel.name, elements, kernel.text, {}, {});
            describeDefinition(m_file, m_graphs.each(), id, m_plan.inlined, kernel,
                               [this](TensorId k) { return m_file.tensorNode(k); });
            return;
        }
        std::string count = elements;
        if (kernel.count == "rows") {
            const Each<Tensor> t = m_file.tensor(id);
            count = fmt::format("{} / ({})", elements,
                                m_file.number(extentOf(t, std::size_t(algebra::scanAxis(t.first())))));
        }
        m_file.launch(kernel.name, fmt::format("blocks({}, threads)", count), kernel.text, {}, {count});
        describeDefinition(m_file, m_graphs.each(), id, m_plan.inlined, kernel,
                           [this](TensorId k) { return m_file.tensorNode(k); });
    }

    Emitted finished(const std::vector<std::string>& moved) {
        std::size_t products = 2 * m_attentions.size(), split = 0, formulas = 0;
        for (std::size_t u = 0; u < m_units.size(); ++u) {
            products += m_units[u].forms.size();
            products += m_units[u].inner.size();
            split += (m_isStrip[u] ? stripParts(m_units[u])
                      : m_isHalf   ? halfParts(m_units[u])
                                   : m_tiles[u].parts) > 1
                         ? 1
                         : 0;
        }
        for (const Tensor& t : m_full.tensors)
            formulas += t.definition() ? 1 : 0;
        const auto counted = [](std::size_t n, const std::string& what) {
            return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
        };
        const std::string launches = fmt::format("{} {}", m_launches, m_launches == 1 ? "launch" : "launches");
        const std::string others = counted(formulas - products, products == 0 ? "formula" : "other formula");
        const std::string why = products == 0
                                    ? fmt::format("{} in {}", others, launches)
                                    : fmt::format("{} and {} in {}", counted(products, "product"), others, launches);
        std::string idea = why + ".", skeleton = products == 0 ? "rows" : "product";
        if (!m_attentions.empty()) {
            skeleton = "attention";
            idea += " Blocks take a part of the keys each and keep a running maximum and sum of their rows, so that no "
                    "score is stored; the last block of some rows puts the parts together in their order.";
        }
        if (std::count(m_isStrip.begin(), m_isStrip.end(), true) > 0)
            idea +=
                " Of products with few rows a block makes a strip of columns: the right factors go from memory into "
                "the registers of tensor cores, each element once, while the next ones are on their way.";
        if (std::count(m_isStrip.begin(), m_isStrip.end(), false) > 0) {
            idea += " Each block makes a tile of a product from tiles of its factors in shared memory, ";
            idea += m_isHalf ? "by tensor cores with sums in float32" : "each thread a part of it in registers";
            idea += "; the next tiles are on their way meanwhile, and formulas of its elements are computed there.";
        }
        if (split > 0) {
            idea += " Sums are cut into parts for more blocks, and the parts are added in their order.";
            skeleton = "split product";
        }
        std::string name = skeleton;
        std::replace(name.begin(), name.end(), ' ', '_');
        std::string text = m_file.finish(name, idea, moved);
        return Emitted{std::move(text), skeleton, why, m_file.finishedLevels()};
    }

    const SizedGraphs& m_graphs;
    const Graph& m_full;
    std::vector<ProductUnit> m_units;
    std::vector<attention::AttentionUnit> m_attentions;
    Plan m_plan;
    std::set<std::size_t> m_groups; ///< the plan's that stay together
    std::set<TensorId> m_singles;   ///< with a kernel of their own
    KernelFile m_file;
    std::vector<FloatTiles> m_tiles;
    HalfTiles m_half;
    std::set<TensorId> m_done;
    int m_launches = 0;
    bool m_isHalf = false;
    std::vector<bool> m_isStrip; ///< by unit
    StripTiles m_strip;
};

} // namespace

namespace {

Graph rewritten(Graph graph, std::vector<std::string>* moved = nullptr) {
    return attention::factorsAtWeights(prepared(std::move(graph), moved), moved);
}

} // namespace

bool hasProducts(const task::Card& card) {
    const Result<SizedGraphs> graphs = graphsOf(card, [](Graph g) { return rewritten(std::move(g)); });
    return graphs && !unitsOf(*graphs).empty();
}

Result<Emitted> emitFile(const task::Card& card, const EmitOptions& options) {
    const Result<SizedGraphs> graphs = graphsOf(
        card, [](Graph g) { return rewritten(std::move(g)); }, options.size);
    if (!graphs) return graphs.error();
    try {
        std::vector<std::string> moved;
        if (const auto full = card.size("full"))
            if (Result<Graph> graph = algebra::lower(card, *full)) (void)rewritten(*std::move(graph), &moved);
        const auto write = [&](std::vector<attention::AttentionUnit> attentions) {
            std::set<TensorId> taken;
            for (const attention::AttentionUnit& a : attentions)
                taken.insert(a.members.begin(), a.members.end());
            std::vector<ProductUnit> units = unitsOf(*graphs, taken);
            growStrips(*graphs, units);
            const auto& tensors = graphs->graphs.front().tensors;
            const bool isShort = std::all_of(tensors.begin(), tensors.end(), [](const Tensor& t) {
                return !t.input() || t.dtype == DType::Float16 || t.dtype == DType::BFloat16;
            });
            // Rows and maps of short types come here for what is between them: that is float32 in this form alone.
            if (units.empty() && attentions.empty() && !isShort)
                throw Refusal("no matrix product that is worth a kernel");
            return ProductFile(card, *graphs, std::move(units), std::move(attentions)).write(moved);
        };
        std::vector<attention::AttentionUnit> attentions = attention::attentionsOf(*graphs);
        if (!attentions.empty()) {
            try {
                return write(std::move(attentions));
            } catch (const Refusal&) { // the scores are stored, then
            }
        }
        return write({});
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("No product's form fits task {}: it has {}.", card.key(), r.what()),
                     "`superopt emit --naive` writes a kernel for each formula."};
    }
}

} // namespace kernelarium::kernelgen::products
