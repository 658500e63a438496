// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripSums.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/text/Names.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

void StripSums::writeShared() {
    const std::size_t statistics = m_unit.statistics.size();
    m_text.line(fmt::format("constexpr int tile = stripRows * stripColumns, all = {}tile{};", m_factors.timesCount(),
                            statistics == 0   ? ""
                            : statistics == 1 ? " + stripRows"
                                              : fmt::format(" + {} * stripRows", statistics)));
    m_text.line("__shared__ float sums[stripWarps * all]; // of each warp: products, then sums of rows");
}

void StripSums::writeRegisters() {
    m_text.line(fmt::format("float sum[{}][laneColumns / 2][rowEights][4] = {{}};", m_factors.count()));
    for (const TensorId id : m_unit.statistics) {
        m_ofRow[id] = m_text.fresh(identifier(name(id)) + "Row");
        m_text.line(fmt::format("float {}[rowEights] = {{}};", m_ofRow[id]));
    }
}

void StripSums::writeRowTerms() {
    if (m_unit.statistics.empty()) return;
    m_text.line("#pragma unroll");
    m_text.open("for (int e = 0; e < rowEights * 4; ++e) {");
    m_text.line("const float term = numberOf(left[stage][e / 4][e / 2 % 2] >> (e % 2 * 16));");
    for (const TensorId id : m_unit.statistics) {
        AtHand hand;
        hand.withReduction = true;
        hand.element = "e";
        hand.values[m_factors.left().source()] = "term";
        const Each<Tensor> t = m_file.tensor(id);
        const Terms terms = termsOf(t);
        PointText point(m_text, m_file.graphs().each(), t, algebra::axisNames(t.first()), hand);
        m_text.line(fmt::format("{}[e / 4] += {};", m_ofRow[id], point.valueOf(terms.each())));
    }
    m_text.close();
}

void StripSums::writeJoin(bool isSplit) {
    m_text.line("float* const own = sums + warp * all;");
    m_text.line("#pragma unroll");
    m_text.open(fmt::format("for (int e = 0; e < {} * laneColumns / 2 * rowEights * 4; ++e) {{", m_factors.count()));
    m_text.line("const int v = e % 4, i = e / 4 % rowEights, m = e / 4 / rowEights % (laneColumns / 2);");
    m_text.line("const int n = e / 4 / rowEights / (laneColumns / 2);");
    m_text.line("const int row = i * 8 + quarter * 2 + v % 2, column = line * laneColumns + m * 2 + v / 2;");
    m_text.line("own[n * tile + row * stripColumns + column] = sum[n][m][i][v];");
    m_text.close();
    for (std::size_t n = 0; n < m_unit.statistics.size(); ++n) {
        const std::string& row = m_ofRow[m_unit.statistics[n]];
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < rowEights; ++i) {");
        m_text.line(fmt::format("{0}[i] += __shfl_xor_sync(0xffffffffu, {0}[i], 1);", row));
        m_text.line(fmt::format("{0}[i] += __shfl_xor_sync(0xffffffffu, {0}[i], 2);", row));
        m_text.line(fmt::format("if (quarter == 0) own[{} + i * 8 + line] = {}[i];", ofRows(n), row));
        m_text.close();
    }
    m_text.line("__syncthreads();");
    m_text.open("for (int e = threadIdx.x; e < all; e += stripThreads) {");
    m_text.line("float total = 0.0f;");
    m_text.line("#pragma unroll");
    m_text.open("for (int p = 0; p < stripWarps; ++p)");
    m_text.line("total += sums[p * all + e];");
    m_text.indent(-1);
    m_text.line(isSplit ? "partials[(strip * parts + part) * all + e] = total;" : "sums[e] = total;");
    m_text.close();
    if (isSplit) {
        m_text.line("if (!isLast(&finished[strip], parts)) return;");
        m_text.line("// The parts in their order; this block's own comes from memory as well.");
        m_text.open("for (int e = threadIdx.x; e < all; e += stripThreads) {");
        m_text.line("float total = 0.0f;");
        m_text.open("for (Index p = 0; p < parts; ++p)");
        m_text.line("total += __ldcg(partials + (strip * parts + p) * all + e);");
        m_text.indent(-1);
        m_text.line("sums[e] = total;");
        m_text.close();
    }
    m_text.line("__syncthreads();");
}

std::string StripSums::ofRows(std::size_t n) const {
    return fmt::format("{}tile{}", m_factors.timesCount(), n == 0 ? "" : fmt::format(" + {} * stripRows", n));
}

void StripSums::writeFinish(const std::set<std::size_t>& inlined, const std::string& rows, const std::string& columns) {
    const ProductForm& form = m_unit.first();
    m_text.open("for (int e = threadIdx.x; e < tile; e += stripThreads) {");
    m_text.line("const Index row = firstRow + e / stripColumns, column = firstColumn + e % stripColumns;");
    m_text.line(fmt::format("if (row >= {} || column >= {}) continue;", rows, columns));
    PointNames names = namesOfPoint(form);
    for (std::size_t n = 0; n < m_unit.statistics.size(); ++n) {
        const TensorId id = m_unit.statistics[n];
        const std::string value = m_text.fresh(identifier(name(id)));
        const Terms terms = termsOf(m_file.tensor(id));
        const std::string factor = terms.factor.empty() ? "" : " * " + m_text.factor(terms.factor);
        m_text.line(fmt::format("const float {} = sums[{} + e / stripColumns]{};", value, ofRows(n), factor));
        names.given[id] = value;
    }
    for (std::size_t k = 0; k < m_unit.forms.size(); ++k) {
        const std::size_t at = m_factors.place(k);
        if (!m_unit.inner.contains(k)) {
            names.sums.push_back(at == 0   ? "sums[e]"
                                 : at == 1 ? "sums[tile + e]"
                                           : fmt::format("sums[{} * tile + e]", at));
            continue;
        }
        const ProductForm& low = m_unit.inner.at(k);
        const std::string total = m_text.fresh(identifier(name(m_unit.forms[k].tensor)) + "Sum");
        m_text.line(fmt::format("float {} = 0.0f;", total));
        const std::string count =
            m_text.number(pointsOf(m_file.tensor(m_unit.forms[k].tensor), m_unit.forms[k].sums), "inners");
        m_text.open(fmt::format("for (Index k = 0; k < {}; ++k) {{", count));
        std::string value =
            fmt::format("sums[{}tile + e / stripColumns * stripColumns + k]", at == 1 ? "" : fmt::format("{} * ", at));
        if (low.factor != 1) value += " * " + floatLiteral(low.factor);
        m_text.line(fmt::format("const {} term = {};", typeName(m_file.full().tensors[low.tensor].dtype), value));
        m_text.line(
            fmt::format("{} += float(term) * {}[k * stripColumns + e % stripColumns];", total, m_factors.innerTile(k)));
        m_text.close();
        names.sums.push_back(total);
    }
    m_text.line(fmt::format("const Index element = {};", elementOf(m_text, m_file.tensor(form.tensor), form)));
    writeFormulas(m_file, m_text, m_unit, inlined, names,
                  [&](TensorId id, const std::string& value) { storeElement(m_file, m_text, id, "element", value); });
    m_text.close();
}

} // namespace kernelarium::kernelgen::products
