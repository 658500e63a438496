// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripFactors.h"

#include "core/kernelgen/products/Epilogue.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

namespace {

std::string bits(const Operand& o) {
    return fmt::format("reinterpret_cast<const unsigned short*>({})", o.at());
}

} // namespace

StripFactors::StripFactors(KernelFile& file, KernelText& text, const ProductUnit& unit)
    : m_file(file)
    , m_text(text)
    , m_unit(unit) {
    for (std::size_t k = 0; k < unit.forms.size(); ++k) {
        const ProductForm& f = unit.forms[k];
        if (unit.inner.contains(k)) continue;
        if (!m_left) {
            m_direct = &f;
            m_left = std::make_unique<Operand>(file, text, f, f.left, f.rows, "left", "row");
        }
        m_place[k] = m_rights.size();
        m_rights.push_back(
            {&f, std::make_unique<Operand>(file, text, f, f.right, f.columns, "right", "column"), false});
    }
    for (const auto& [k, f] : unit.inner) {
        m_place[k] = m_rights.size();
        m_rights.push_back({&f, std::make_unique<Operand>(file, text, f, f.right, f.columns, "right", "column"), true});
    }
}

std::string StripFactors::timesCount() const {
    return count() == 1 ? "" : fmt::format("{} * ", count());
}

std::optional<Conditions> StripFactors::whole() const {
    Conditions whole;
    bool isNever = false;
    const auto require = [&](const Operand& o) {
        const std::string own = o.whole(m_file);
        isNever = isNever || own == "false";
        whole.require(own, o.isWhole(m_file.graphs().shown));
    };
    require(*m_left);
    for (const Right& r : m_rights)
        require(*r.operand);
    if (isNever) return std::nullopt;
    return whole;
}

void StripFactors::writePointers() {
    for (const Right& r : m_rights)
        r.operand->pointerTo();
    m_left->pointerTo();
}

void StripFactors::writeLoad(const std::string& rows, const std::string& columns) {
    m_text.line("unsigned left[stripAhead][rowEights][2];");
    m_text.line(fmt::format("unsigned right[stripAhead][{}][4][laneColumns / 2];", m_rights.size()));
    m_text.line("// A step of the warp on its way: for a lane 4 terms of a row, and of each of them some columns.");
    m_text.open("const auto load = [&](Index step, int stage) {");
    m_text.line("const Index first = begin + step * 16 + quarter * 4;");
    m_text.line("#pragma unroll");
    m_text.open("for (int i = 0; i < rowEights; ++i) {");
    m_text.line("const Index row = firstRow + i * 8 + line;");
    writeAddress(m_text, "k", bits(*m_left));
    m_text.line(fmt::format("loadPairs<4, whole>(left[stage][i], from, first, row < {} ? end - first : 0);", rows));
    m_text.close();
    m_text.line("#pragma unroll");
    m_text.open("for (int j = 0; j < 4; ++j) {");
    m_text.line("const Index k = first + j;");
    for (std::size_t n = 0; n < m_rights.size(); ++n) {
        const Right& r = m_rights[n];
        m_text.open("{");
        std::string ends = columns;
        if (r.isInner) ends = m_text.number(pointsOf(m_file.tensor(r.form->tensor), r.form->columns), "inners");
        writeAddress(m_text, "column", bits(*r.operand));
        m_text.line(fmt::format("const Index own = {}line * laneColumns;", r.isInner ? "" : "firstColumn + "));
        m_text.line(fmt::format(
            "loadPairs<laneColumns, whole>(right[stage][{}][j], from, own, k < end ? {} - own : 0);", n, ends));
        m_text.close();
    }
    m_text.close();
    m_text.close("};");
}

void StripFactors::writeInnerTiles(const std::string& columns) {
    for (const auto& [k, f] : m_unit.inner) {
        const std::string tile = m_text.fresh(m_unit.inner.size() == 1 ? "after" : fmt::format("after{}", k));
        m_innerTiles[k] = tile;
        const ProductForm& outer = m_unit.forms[k];
        Operand right(m_file, m_text, outer, outer.right, outer.columns, "after", "column");
        m_text.line(fmt::format("__shared__ float {}[stripColumns * stripColumns];", tile));
        const std::string count = m_text.number(pointsOf(m_file.tensor(outer.tensor), outer.sums), "inners");
        right.pointerTo();
        m_text.open(fmt::format("for (int e = threadIdx.x; e < {} * stripColumns; e += stripThreads) {{", count));
        m_text.line("const Index k = e / stripColumns, column = firstColumn + e % stripColumns;");
        m_text.line(fmt::format("{}[e] = column < {} ? float(*({})) : 0.0f;", tile, columns, right.at()));
        m_text.close();
    }
}

} // namespace kernelarium::kernelgen::products
