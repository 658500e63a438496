// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/levels/AnalyticCounters.h"
#include "core/kernelgen/levels/FormulaCost.h"
#include "core/kernelgen/levels/HostNumbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

inline constexpr double lanesOfWarp = 32, bytesOfSector = 32, bytesOfFloat = 4;
inline constexpr double bytesOfL1 = 128 * 1024; // that the inputs of resident blocks may take and be found again

/// A chain's formulas as words: "after = relu(value)".
[[nodiscard]] std::string functionsText(const Chain& chain);
/// What a chain costs for one value.
[[nodiscard]] FormulaCost costOf(const Chain& chain);

/// Writes the levels of a convolution's file, launch after launch: ConvolutionCells.cpp has the convolution itself,
/// ConvolutionPasses.cpp what is before and after it.
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
    void means(Levels& levels, const Norm& norm);
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
                 const std::string& to, const std::vector<std::string>& toExtents, double reads, double flops);
    /// What happens to stored values in kernels of their own.
    void late();

    void pack();
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

    void cells(const std::string& result);

    void readParameters(Launch& l, const std::string& op, const Chain& chain);

    void storeCells(Launch& l, std::string last, const std::string& result, const std::string& g);

    [[nodiscard]] double filtersStored() const {
        return m_d.result == Description::Result::perFilter ? double(value("s.filters")) : 1;
    }

    perf::LaunchCounters cellsCounters(const Launch& l, double inputsEach, std::int64_t parts);

    void summary();

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

} // namespace kernelarium::kernelgen::convolution
