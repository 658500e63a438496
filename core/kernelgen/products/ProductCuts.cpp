// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/ProductCuts.h"

#include "core/kernelgen/products/HalfKernel.h"
#include "core/kernelgen/products/ProductLevels.h"
#include "core/kernelgen/products/StripForm.h"
#include "core/kernelgen/products/StripKernel.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::kernelgen::products {

using tensor::DType;

ProductCuts::ProductCuts(KernelFile& file, const SizedGraphs& graphs, const std::vector<ProductUnit>& units)
    : m_file(file)
    , m_graphs(graphs)
    , m_units(units) {
    if (!units.empty()) choose();
}

int ProductCuts::add(std::size_t u, const std::set<std::size_t>& inlined) {
    const std::size_t first = m_file.levels().launches.size();
    if (m_isStrip[u])
        addStripProduct(m_file, m_units[u], stripParts(m_units[u]), inlined);
    else if (m_isHalf)
        addHalfProduct(m_file, m_units[u], halfParts(m_units[u]), inlined);
    else
        addFloatProduct(m_file, m_units[u], m_tiles[u], inlined);
    describe(u, first);
    return m_tiles[u].parts > 1 ? 2 : 1;
}

bool ProductCuts::hasStrips() const {
    return std::count(m_isStrip.begin(), m_isStrip.end(), true) > 0;
}

bool ProductCuts::hasTiles() const {
    return std::count(m_isStrip.begin(), m_isStrip.end(), false) > 0;
}

int ProductCuts::parts(std::size_t u) const {
    if (m_isStrip[u]) return stripParts(m_units[u]);
    return m_isHalf ? halfParts(m_units[u]) : m_tiles[u].parts;
}

bool ProductCuts::isTwice() const {
    return std::any_of(m_tiles.begin(), m_tiles.end(), [](const FloatTiles& t) { return t.parts > 1; });
}

void ProductCuts::choose() {
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

const ProductUnit* ProductCuts::largestOf(bool strips) const {
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

int ProductCuts::stripParts(const ProductUnit& u) const {
    const ProductForm& f = u.first();
    return m_strip.parts(points(f, f.columns), points(f, f.sums));
}

HalfShape ProductCuts::shapeOf(const ProductUnit& u) const {
    const ProductForm& f = u.first();
    const auto isAlong = [&](std::size_t read) {
        return Offsets(m_graphs.each(), m_file.tensor(f.tensor), read).isContiguous(f.sums);
    };
    return {points(f, f.batch),     points(f, f.rows), points(f, f.columns), points(f, f.sums),
            double(u.forms.size()), isAlong(f.left),   isAlong(f.right)};
}

int ProductCuts::halfParts(const ProductUnit& u) const {
    return halfTilesFor(shapeOf(u), m_half).parts;
}

FloatTiles ProductCuts::tilesOf(const ProductUnit& u, const std::optional<FloatTiles>& shape) const {
    const ProductForm& f = u.first();
    const bool maySplit = f.batch.empty() || f.batch.back() < f.rows.front();
    return floatTilesFor(points(f, f.batch), points(f, f.rows), points(f, f.columns), points(f, f.sums), maySplit,
                         shape);
}

double ProductCuts::points(const ProductForm& f, const Group& group) const {
    return double(pointsOf(m_file.tensor(f.tensor), group)[m_graphs.shown]);
}

DType ProductCuts::sourceType(const ProductForm& f, std::size_t read) const {
    return m_file.full().tensors[m_file.full().tensors[f.tensor].definition()->reads[read].source].dtype;
}

void ProductCuts::describe(std::size_t u, std::size_t first) {
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
    work.detail = "Tiles of the factors are multiplied, and formulas of the product's elements follow in registers.";
    describeProduct(m_file, work, first);
}

} // namespace kernelarium::kernelgen::products
