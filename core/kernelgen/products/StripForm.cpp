// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripForm.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

namespace kernelarium::kernelgen::products {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

constexpr std::int64_t mostRows = 16, mostInner = 32;

class StripFinder {
public:
    explicit StripFinder(const SizedGraphs& graphs)
        : m_each(graphs.each())
        , m_full(graphs.graphs[graphs.full])
        , m_size(graphs.shown) {}

    [[nodiscard]] bool isStrip(const ProductUnit& unit) const {
        const ProductForm* direct = nullptr;
        for (std::size_t k = 0; k < unit.forms.size(); ++k) {
            const ProductForm& f = unit.forms[k];
            if (!f.batch.empty() || pointsOf(tensor(f.tensor), f.rows)[m_size] > mostRows) return false;
            const Offsets right(m_each, tensor(f.tensor), f.right);
            if (!isShort(source(f, f.right)) || !right.isContiguous(f.columns)) return false;
            if (unit.inner.contains(k)) continue;
            if (!isShort(source(f, f.left)) || !isMatrix(f)) return false;
            if (direct && !sharesLeft(*direct, f)) return false;
            direct = &f;
        }
        return direct != nullptr;
    }

    /// Of a unit whose other products are a strip, those with a small product of the same rows for their left factor.
    void addInner(ProductUnit& unit) const {
        ProductUnit grown = unit;
        for (std::size_t k = 0; k < unit.forms.size(); ++k) {
            const ProductForm& f = unit.forms[k];
            const TensorId low = source(f, f.left);
            const Definition* d = m_full.tensors[low].definition();
            const auto product = d ? productOf(m_each, low) : std::nullopt;
            if (!product || !product->batch.empty() || !d->domain.empty() || !f.batch.empty() || !isOutput(f, low) ||
                readersOf(low) != std::set<TensorId>{f.tensor} ||
                pointsOf(tensor(low), product->columns)[m_size] > mostInner)
                continue;
            const Offsets right(m_each, tensor(low), product->right);
            const bool isShared = std::any_of(unit.forms.begin(), unit.forms.end(), [&](const ProductForm& other) {
                return other.tensor != f.tensor && sharesLeft(other, *product);
            });
            if (!isShared || !isShort(source(*product, product->right)) || !right.isContiguous(product->columns))
                continue;
            grown.inner[k] = *product;
            grown.members.insert(low);
        }
        if (!grown.inner.empty() && isStrip(grown)) unit = std::move(grown);
    }

    void addStatistics(ProductUnit& unit) const {
        const ProductForm& f = *directOf(unit);
        const TensorId left = source(f, f.left);
        for (TensorId id = 0; id < m_full.tensors.size(); ++id) {
            const Definition* d = m_full.tensors[id].definition();
            if (!d || d->combine != Combine::sum || !d->domain.empty() || unit.members.contains(id)) continue;
            const auto product = algebra::asProduct(d->body); // of nothing but zeros: 0
            if (!product || product->operands.empty() || pointsOfAll(id) != pointsOf(tensor(f.tensor), f.rows))
                continue;
            if (!readsRows(id, left)) continue;
            if (const auto maps = privateMaps(id, unit)) {
                unit.statistics.push_back(id);
                unit.members.insert(id);
                unit.members.insert(maps->begin(), maps->end());
            }
        }
    }

    [[nodiscard]] const ProductForm* directOf(const ProductUnit& unit) const {
        for (std::size_t k = 0; k < unit.forms.size(); ++k)
            if (!unit.inner.contains(k)) return &unit.forms[k];
        return nullptr;
    }

private:
    static bool isShort(DType t) { return t == DType::Float16 || t == DType::BFloat16; }
    [[nodiscard]] bool isShort(TensorId id) const { return isShort(m_full.tensors[id].dtype); }
    [[nodiscard]] Each<Tensor> tensor(TensorId id) const {
        return m_each.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
    }
    [[nodiscard]] TensorId source(const ProductForm& f, std::size_t read) const {
        return m_full.tensors[f.tensor].definition()->reads[read].source;
    }
    [[nodiscard]] Values pointsOfAll(TensorId id) const {
        return tensor(id).values([](const Tensor& t) { return algebra::pointCount(t.extents); });
    }
    /// Whether the left factor is its source as a matrix of rows without gaps.
    [[nodiscard]] bool isMatrix(const ProductForm& f) const {
        const Values all = pointsOfAll(source(f, f.left));
        const Values rows = pointsOf(tensor(f.tensor), f.rows), sums = pointsOf(tensor(f.tensor), f.sums);
        for (std::size_t s = 0; s < all.size(); ++s)
            if (rows[s] * sums[s] != all[s]) return false;
        return Offsets(m_each, tensor(f.tensor), f.left).isContiguous(f.sums);
    }
    /// Whether a product's left factor at its row and term is the element of that number: rows * sums of its source.
    [[nodiscard]] bool isOutput(const ProductForm& f, TensorId low) const {
        const auto inner = productOf(m_each, low);
        return isMatrix(f) && pointsOf(tensor(low), inner->rows) == pointsOf(tensor(f.tensor), f.rows) &&
               pointsOf(tensor(low), inner->columns) == pointsOf(tensor(f.tensor), f.sums);
    }
    [[nodiscard]] bool sharesLeft(const ProductForm& a, const ProductForm& b) const {
        return source(a, a.left) == source(b, b.left) && isMatrix(a) && isMatrix(b) &&
               pointsOf(tensor(a.tensor), a.rows) == pointsOf(tensor(b.tensor), b.rows) &&
               pointsOf(tensor(a.tensor), a.sums) == pointsOf(tensor(b.tensor), b.sums);
    }
    [[nodiscard]] std::set<TensorId> readersOf(TensorId id) const {
        std::set<TensorId> out;
        for (TensorId reader = 0; reader < m_full.tensors.size(); ++reader) {
            const auto sources = algebra::sourcesOf(m_full.tensors[reader]);
            if (std::count(sources.begin(), sources.end(), id)) out.insert(reader);
        }
        return out;
    }
    [[nodiscard]] bool isReturned(TensorId id) const {
        return std::count(m_full.outputs.begin(), m_full.outputs.end(), id) > 0;
    }
    /// Whether a sum's reads are all of the left factor, at the point's own number.
    [[nodiscard]] bool readsRows(TensorId id, TensorId left) const {
        Quantities no(m_each.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        AtHand hand;
        hand.withReduction = true;
        const PointText point(text, m_each, tensor(id), algebra::axisNames(m_full.tensors[id]), hand);
        const auto& reads = m_full.tensors[id].definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k)
            if (reads[k].source != left || !point.isSameElement(k)) return false;
        return true;
    }
    /// The maps of a value of each row by which the unit reads it, where nothing else does.
    [[nodiscard]] std::optional<std::set<TensorId>> privateMaps(TensorId id, const ProductUnit& unit) const {
        std::set<TensorId> maps;
        std::vector<TensorId> open{id};
        while (!open.empty()) {
            const TensorId now = open.back();
            open.pop_back();
            if (isReturned(now)) return std::nullopt;
            for (const TensorId reader : readersOf(now)) {
                if (unit.members.contains(reader)) continue;
                const Definition* d = m_full.tensors[reader].definition();
                if (!d || d->combine != Combine::none || pointsOfAll(reader) != pointsOfAll(id)) return std::nullopt;
                if (maps.insert(reader).second) open.push_back(reader);
            }
        }
        return maps;
    }

    Each<Graph> m_each;
    const Graph& m_full;
    std::size_t m_size;
};

} // namespace

bool isStrip(const SizedGraphs& graphs, const ProductUnit& unit) {
    return StripFinder(graphs).isStrip(unit);
}

void growStrips(const SizedGraphs& graphs, std::vector<ProductUnit>& units) {
    const StripFinder finder(graphs);
    std::set<TensorId> taken;
    for (ProductUnit& u : units) {
        finder.addInner(u);
        if (!finder.isStrip(u)) continue;
        finder.addStatistics(u);
        for (const auto& [form, product] : u.inner)
            taken.insert(product.tensor);
    }
    std::erase_if(units, [&](const ProductUnit& u) { return taken.contains(u.first().tensor); });
}

} // namespace kernelarium::kernelgen::products
