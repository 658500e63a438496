// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionStatistics.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/text/Names.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

using algebra::Tensor;
using products::Operand;

void AttentionStatistics::declare() {
    for (const std::size_t id : m_unit.ofQueries.read) {
        const std::string variable = m_text.fresh(identifier(m_file.full().tensors[id].name) + "Row");
        m_text.line(fmt::format("float {}[2];", variable));
        m_given[id] = variable + "[v / 2]";
        m_variables[id] = variable;
    }
    for (const std::size_t id : m_unit.ofValues.read) {
        const std::string variable = m_text.fresh(identifier(m_file.full().tensors[id].name) + "Keys");
        m_text.line(fmt::format("__shared__ float {}[attentionKeys];", variable));
        m_given[id] = variable + "[column - start]";
        m_variables[id] = variable;
    }
}

void AttentionStatistics::addTerm(const AttentionUnit::Statistics& of, std::size_t source,
                                  const std::map<std::size_t, std::string>& to) {
    for (const std::size_t id : of.sums) {
        AtHand hand;
        hand.withReduction = true;
        hand.element = "e";
        hand.values[source] = "term";
        const Each<Tensor> t = m_file.tensor(id);
        const Terms terms = termsOf(t);
        PointText point(m_text, m_file.graphs().each(), t, algebra::axisNames(t.first()), hand);
        m_text.line(fmt::format("{} += {};", to.at(id), point.valueOf(terms.each())));
    }
}

void AttentionStatistics::store(const AttentionUnit::Statistics& of, const std::map<std::size_t, std::string>& sums,
                                const std::function<std::string(std::size_t)>& to) {
    AtHand hand;
    hand.inlined.insert(of.maps.begin(), of.maps.end());
    for (const std::size_t id : of.sums) {
        const Terms terms = termsOf(m_file.tensor(id));
        hand.given[id] = sums.at(id);
        if (!terms.factor.empty()) m_text.line(fmt::format("{} *= {};", sums.at(id), m_text.factor(terms.factor)));
    }
    for (const std::size_t id : of.read) {
        std::string value;
        if (const auto it = hand.given.find(id); it != hand.given.end()) {
            value = it->second;
        } else {
            const Each<Tensor> t = m_file.tensor(id);
            const std::vector<std::string> axes(t.first().extents.size(), "0");
            value = PointText(m_text, m_file.graphs().each(), t, axes, hand).body();
        }
        m_text.line(fmt::format("{} = {};", to(id), value));
    }
}

std::map<std::size_t, std::string> AttentionStatistics::variablesOf(const AttentionUnit::Statistics& of,
                                                                    const std::string& ending) {
    std::map<std::size_t, std::string> out;
    for (const std::size_t id : of.sums)
        out[id] = m_text.fresh(identifier(m_file.full().tensors[id].name) + ending);
    return out;
}

void AttentionStatistics::writeOfQueries(const Operand& queries) {
    const AttentionUnit::Statistics& of = m_unit.ofQueries;
    auto sums = variablesOf(of, "Part");
    for (auto& [id, name] : sums) {
        m_text.line(fmt::format("float {}[2] = {{}};", name));
        name += "[e / 2 % 2]";
    }
    m_text.line("#pragma unroll");
    m_text.open("for (int e = 0; e < headTile / 2; ++e) {");
    m_text.line("const float term = numberOf(q[e / 8][e / 2 % 4] >> (e % 2 * 16)); // of row lane / 4, or 8 below");
    addTerm(of, queries.source(), sums);
    m_text.close();
    m_text.line("#pragma unroll");
    m_text.open("for (int i = 0; i < 2; ++i) {");
    for (auto& [id, name] : sums) {
        const std::string part = name.substr(0, name.find('[')) + "[i]";
        name = m_text.fresh(identifier(m_file.full().tensors[id].name));
        m_text.line(fmt::format("float {} = sumOfRow({});", name, part));
    }
    store(of, sums, [this](std::size_t id) { return m_variables.at(id) + "[i]"; });
    m_text.close();
}

void AttentionStatistics::writeOfValues(const Operand& values) {
    const AttentionUnit::Statistics& of = m_unit.ofValues;
    const auto sums = variablesOf(of, "");
    m_text.open("for (int key = threadIdx.x; key < attentionKeys; key += attentionThreads) {");
    for (const auto& [id, name] : sums)
        m_text.line(fmt::format("float {} = 0.0f;", name));
    m_text.line("#pragma unroll");
    if (values.along() == Operand::Along::sums) {
        m_text.open("for (int e = 0; e < widthTile; ++e) {");
        m_text.line("const float term = numberOf(values[e * (attentionKeys + 8) + key]);");
    } else {
        m_text.open("for (int i = 0; i < widthTile; i += 8) {");
        m_text.line("const uint4 eight = *reinterpret_cast<const uint4*>(values + key * (widthTile + 8) + i);");
        m_text.line("const unsigned terms[4] = {eight.x, eight.y, eight.z, eight.w};");
        m_text.line("#pragma unroll");
        m_text.open("for (int e = 0; e < 8; ++e) {");
        m_text.line("const float term = numberOf(terms[e / 2] >> (e % 2 * 16));");
    }
    addTerm(of, values.source(), sums);
    m_text.close();
    if (values.along() != Operand::Along::sums) m_text.close();
    store(of, sums, [this](std::size_t id) { return m_variables.at(id) + "[key]"; });
    m_text.close();
    m_text.line("__syncthreads();");
}

} // namespace kernelarium::kernelgen::attention
