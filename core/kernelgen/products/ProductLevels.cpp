// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/ProductLevels.h"

#include "core/kernelgen/file/FormulaLevels.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;

namespace {

constexpr double lanesOfWarp = 32;

double tilesOf(double extent, std::int64_t tile) {
    return std::ceil(extent / double(tile));
}

class ProductLevels {
public:
    ProductLevels(KernelFile& file, const ProductWork& work, std::size_t first)
        : m_file(file)
        , m_shown(file.shown())
        , m_work(work)
        , m_first(first) {}

    void products() {
        FormulaLevels levels = begin(m_first);
        const ProductWork::Factor& main = m_work.factors.front();
        levels.describe(m_shown.tensors[m_work.stored.back()].name, m_work.detail,
                        fmt::format("a tile of {} rows and {} columns", m_work.tileRows, m_work.tileColumns),
                        "a part of the tile, its sums in registers");
        const double share = std::ceil(main.sums / m_work.parts);
        const auto steps = std::int64_t(m_work.steps > 0 ? m_work.steps : tilesOf(share, m_work.tileSums));
        const std::string loop =
            levels.addLoop("k", "along the sums, a tile of each factor at a time",
                           {fmt::format("{} at a time", m_work.tileSums), std::max<std::int64_t>(1, steps)});
        std::string last;
        for (const ProductWork::Factor& f : m_work.factors)
            last = product(levels, f, loop, last);
        levels.counters().addBlockSteps(2 * double(steps));
        if (!m_work.isTwice && m_work.parts > 1) {
            const std::string sum =
                step(levels, "sum of parts", "in their order, by the last of a tile's blocks", {}, {});
            for (std::size_t k = 0; k < m_work.factors.size(); ++k) {
                const bool isInside = k + 1 < m_work.factors.size() && !m_work.factors[k + 1].isStored;
                if (isInside) continue; // the next one takes it where it is made
                const double sums = elements(m_work.factors[k].product) * m_work.parts;
                levels.counters().addTraffic(sums, 4, true);
                levels.counters().addTraffic(sums, 4, false);
            }
            levels.addEdge(last, sum);
            last = sum;
        }
        if (m_work.isTwice)
            for (const TensorId id : m_work.stored) {
                levels.addEdge(last, partsNode(id));
                levels.counters().addTraffic(elements(id) * m_work.parts, 4, true);
            }
        else
            maps(levels, last);
        levels.finish();
        perf::LaunchCounters& counters = levels.launch().counters;
        counters.dynamicSharedBytes = std::uint32_t(m_work.sharedBytes);
        if (m_work.stages == 0) return;
        counters.blockClocks = double(steps) * m_work.clocksOfStep;
        counters.blockWaits = 1 + double(steps) / (m_work.stages - 1) + (m_work.parts > 1 ? 1 + m_work.parts : 0);
    }

    void together() {
        FormulaLevels levels = begin(m_first + 1);
        levels.describe(m_shown.tensors[m_work.stored.back()].name,
                        "Puts the parts of the sums together, in their order.", "neighbouring elements", "one element");
        const std::string sum = step(levels, "sum of parts", "in their order", {}, {});
        for (const TensorId id : m_work.stored) {
            levels.addEdge(partsNode(id), sum);
            levels.counters().addTraffic(elements(id) * m_work.parts, 4, false);
            levels.counters().addInstructions(elements(id) * m_work.parts, elements(id) * m_work.parts,
                                              3 * elements(id) * m_work.parts / lanesOfWarp);
        }
        maps(levels, sum);
        levels.finish();
    }

private:
    FormulaLevels begin(std::size_t at) {
        return {m_file, m_file.graphs().each(), m_none, [this](TensorId id) { return m_file.tensorNode(id); }, at};
    }
    [[nodiscard]] double elements(TensorId id) const {
        return double(algebra::pointCount(m_shown.tensors[id].extents));
    }
    [[nodiscard]] double bytes(TensorId id) const { return double(tensor::byteSize(m_shown.tensors[id].dtype)); }
    std::string step(FormulaLevels& levels, const std::string& label, const std::string& detail,
                     const std::string& loop, const std::string& formula) {
        const std::string id = fmt::format("{}.p{}", levels.launch().id, m_steps++);
        levels.launch().operators.push_back({id, label, detail, loop, formula});
        return id;
    }
    std::string partsNode(TensorId id) {
        const std::string node = fmt::format("t{}p", id), name = m_shown.tensors[id].name;
        if (!m_file.levels().tensor(node))
            m_file.levels().tensors.push_back(
                {node,
                 name + " in parts",
                 "parts of the sums, for a later launch",
                 Place::device,
                 name,
                 "float32",
                 {{"parts", std::int64_t(m_work.parts)},
                  {std::to_string(std::int64_t(elements(id))), std::int64_t(elements(id))}}});
        return node;
    }
    std::string factorTile(FormulaLevels& levels, TensorId of, std::int64_t a, std::int64_t b) {
        const Tensor& t = m_shown.tensors[of];
        return levels.addTile({{},
                               t.name + " tile",
                               "for the next step while this one is multiplied",
                               m_work.tiles,
                               t.name,
                               std::string(tensor::name(t.dtype)),
                               {{std::to_string(a), a}, {std::to_string(b), b}}});
    }
    std::string sumsTile(FormulaLevels& levels, TensorId of, std::int64_t a, std::int64_t b) {
        const Tensor& t = m_shown.tensors[of];
        return levels.addTile({{},
                               t.name + " sums",
                               "sums",
                               Place::registers,
                               t.name,
                               "float32",
                               {{std::to_string(a), a}, {std::to_string(b), b}}});
    }
    /// Its sums' node.
    std::string product(FormulaLevels& levels, const ProductWork::Factor& f, const std::string& loop,
                        const std::string& before) {
        const Tensor& t = m_shown.tensors[f.product];
        const std::string multiply =
            step(levels, t.name, m_work.byTensorCores ? "by tensor cores" : "fused multiplications and additions", loop,
                 algebra::toString(m_shown, f.product));
        const double acrosses = f.leftTimes > 0 ? f.leftTimes : tilesOf(f.columns, m_work.tileColumns);
        const double downs = f.rightTimes > 0 ? f.rightTimes : tilesOf(f.rows, m_work.tileRows);
        if (f.isStored) {
            const std::string left = factorTile(levels, f.left, m_work.tileRows, m_work.tileSums);
            levels.addEdge(m_file.tensorNode(f.left), left);
            levels.addEdge(left, multiply);
            levels.counters().addTraffic(f.batch * f.rows * f.sums * acrosses, bytes(f.left), false,
                                         std::min(elements(f.left), f.batch * f.rows * f.sums));
        } else if (!before.empty()) {
            levels.addEdge(before, multiply);
        }
        const std::string right = factorTile(levels, f.right, m_work.tileSums, m_work.tileColumns);
        levels.addEdge(m_file.tensorNode(f.right), right);
        levels.addEdge(right, multiply);
        levels.counters().addTraffic(f.batch * f.sums * f.columns * downs, bytes(f.right), false,
                                     std::min(elements(f.right), f.batch * f.sums * f.columns));
        const std::string sums = sumsTile(levels, f.product, m_work.tileRows, m_work.tileColumns);
        levels.addEdge(multiply, sums);
        const double terms = f.batch * f.rows * f.columns * f.sums;
        if (m_work.byTensorCores) {
            levels.counters().totals().flopsTensor += 2 * terms;
            levels.counters().addInstructions(0, 0, terms / (16 * 8 * 16) * 3);
        } else {
            levels.counters().addInstructions(2 * terms, terms, 1.3 * terms / lanesOfWarp);
        }
        return sums;
    }
    void maps(FormulaLevels& levels, std::string from) {
        for (const TensorId id : m_work.maps) {
            const Tensor& t = m_shown.tensors[id];
            const std::string map = step(levels, t.name, "in registers", {}, algebra::toString(m_shown, id));
            levels.addEdge(from, map);
            for (const algebra::Read& r : t.definition()->reads)
                if (m_shown.tensors[r.source].input()) {
                    levels.addEdge(m_file.tensorNode(r.source), map);
                    levels.counters().addTraffic(elements(id), bytes(r.source), false, elements(r.source));
                }
            levels.counters().addInstructions(elements(id), elements(id), 3 * elements(id) / lanesOfWarp);
            from = map;
        }
        for (const TensorId id : m_work.stored) {
            levels.addEdge(from, m_file.tensorNode(id));
            levels.counters().addTraffic(elements(id), bytes(id), true);
        }
    }

    KernelFile& m_file;
    const Graph& m_shown;
    const ProductWork& m_work;
    std::size_t m_first;
    std::size_t m_steps = 0;
    std::set<std::size_t> m_none;
};

} // namespace

ProductWork workOf(KernelFile& file, const ProductUnit& unit) {
    ProductWork work;
    const auto points = [&](const ProductForm& f, const Group& group) {
        return double(pointsOf(file.tensor(f.tensor), group)[file.graphs().shown]);
    };
    std::set<TensorId> products;
    const auto add = [&](const ProductForm& f) {
        const auto& reads = file.shown().tensors[f.tensor].definition()->reads;
        work.factors.push_back({f.tensor, reads[f.left].source, reads[f.right].source, points(f, f.batch),
                                points(f, f.rows), points(f, f.columns), points(f, f.sums)});
        products.insert(f.tensor);
    };
    for (std::size_t k = 0; k < unit.forms.size(); ++k) {
        const auto inner = unit.inner.find(k);
        if (inner != unit.inner.end()) add(inner->second);
        add(unit.forms[k]);
        work.factors.back().isStored = inner == unit.inner.end();
    }
    for (const TensorId id : unit.members)
        if (!products.contains(id)) work.maps.push_back(id);
    work.stored = unit.stored;
    return work;
}

void describeProduct(KernelFile& file, const ProductWork& work, std::size_t first) {
    ProductLevels levels(file, work, first);
    levels.products();
    if (work.isTwice) levels.together();
}

} // namespace kernelarium::kernelgen::products
