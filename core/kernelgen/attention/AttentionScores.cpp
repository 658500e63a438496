// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionScores.h"

#include "core/kernelgen/text/Names.h"

#include <utility>

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

namespace {

/// Element v of fragment n: row lane / 4 of the warp's, 8 more for the second half; column lane % 4 * 2.
void eachScore(KernelText& text) {
    text.line("#pragma unroll");
    text.open("for (int n = 0; n < keyTile / 8; ++n) {");
    text.line("#pragma unroll");
    text.open("for (int v = 0; v < 4; ++v) {");
}
void pointOfScore(KernelText& text) {
    text.line("const Index row = firstRow + down * 16 + lane / 4 + v / 2 * 8;");
    text.line("const Index column = start + across * keyTile + n * 8 + lane % 4 * 2 + v % 2;");
}

} // namespace

AttentionScores::AttentionScores(KernelFile& file, KernelText& text, const AttentionUnit& unit,
                                 const std::set<std::size_t>& inlined, const std::map<std::size_t, std::string>& given,
                                 std::string rows)
    : m_file(file)
    , m_text(text)
    , m_unit(unit)
    , m_inlined(inlined)
    , m_names(products::namesOfPoint(unit.logits.first()))
    , m_rows(std::move(rows)) {
    m_names.sums = {"score[n][v]"};
    m_names.given = given;
}

void AttentionScores::writeElement(const products::ProductUnit& unit) {
    if (!mentions(products::formulasTried(m_file, unit, m_inlined, m_names), "element")) return;
    const products::ProductForm& score = m_unit.logits.first();
    const std::string element = products::elementOf(m_text, m_file.tensor(score.tensor), score);
    m_text.line(fmt::format("const Index element = {};", element));
}

void AttentionScores::writeLogits() {
    m_text.line("float tileLargest[2] = {-INFINITY, -INFINITY};");
    eachScore(m_text);
    pointOfScore(m_text);
    m_text.line("float logit = -INFINITY; // beyond the keys");
    m_text.open(fmt::format("if (row < {} && column < end) {{", m_rows));
    writeElement(m_unit.logits);
    products::writeFormulas(
        m_file, m_text, m_unit.logits, m_inlined, m_names,
        [&](std::size_t, const std::string& value) { m_text.line(fmt::format("logit = {};", value)); });
    m_text.close();
    m_text.line("score[n][v] = logit;");
    m_text.line("tileLargest[v / 2] = fmaxf(tileLargest[v / 2], logit);");
    m_text.close();
    m_text.close();
}

void AttentionScores::writeRescale() {
    m_text.line("float shift[2]; // what is subtracted from the logits: 0 where all are -infinity");
    m_text.line("#pragma unroll");
    m_text.open("for (int i = 0; i < 2; ++i) {");
    m_text.line("const float before = largest[i];");
    m_text.line("largest[i] = fmaxf(before, largestOfRow(tileLargest[i]));");
    m_text.line("shift[i] = largest[i] == -INFINITY ? 0.0f : largest[i];");
    m_text.line("const float rescale = expf(before - shift[i]);");
    m_text.line("total[i] *= rescale;");
    m_text.line("#pragma unroll");
    m_text.open("for (int j = 0; j < widthTile / 8; ++j) {");
    m_text.line("sum[j][2 * i] *= rescale;");
    m_text.line("sum[j][2 * i + 1] *= rescale;");
    m_text.close();
    m_text.close();
    eachScore(m_text);
    m_text.line("score[n][v] = expf(score[n][v] - shift[v / 2]);");
    m_text.line("total[v / 2] += score[n][v];");
    m_text.close();
    m_text.close();
}

void AttentionScores::writeWeights() {
    products::ProductUnit map;
    map.forms = {m_unit.logits.first()};
    map.members = {m_unit.share, m_unit.weight};
    map.stored = {m_unit.weight};
    map.forms[0].tensor = m_unit.share; // its value is at hand
    map.forms[0].factor = 1;
    eachScore(m_text);
    pointOfScore(m_text);
    m_text.open(fmt::format("if (row < {} && column < end) {{", m_rows));
    writeElement(map);
    products::writeFormulas(m_file, m_text, map, m_inlined, m_names, [&](std::size_t, const std::string& value) {
        m_text.line(fmt::format("score[n][v] = {};", value));
    });
    m_text.close();
    m_text.close();
    m_text.close();
}

} // namespace kernelarium::kernelgen::attention
