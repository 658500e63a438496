// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/Operand.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Read;
using algebra::Tensor;

const char* const onBorder = "static bool onBorder(const torch::Tensor& tensor) {\n"
                             "    return reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 16 == 0;\n"
                             "}\n\n";

Operand::Operand(KernelFile& file, KernelText& text, const ProductForm& form, std::size_t read, const Group& lines,
                 const std::string& name, const std::string& line)
    : m_text(text)
    , m_form(form)
    , m_lines(lines)
    , m_offsets(file.graphs().each(), file.tensor(form.tensor), read)
    , m_name(name)
    , m_line(line) {
    m_source = file.full().tensors[form.tensor].definition()->reads[read].source;
    m_dtype = file.full().tensors[m_source].dtype;
    if (m_offsets.isContiguous(form.sums))
        m_along = Along::sums;
    else if (m_offsets.isContiguous(lines))
        m_along = Along::lines;
    m_pointer = text.pointer(m_source, m_dtype, file.full().tensors[m_source].name, false);
    m_base = m_pointer;
}

void Operand::pointerTo() {
    const std::string begin = sumOf({m_offsets.constant(m_text), m_offsets.part(m_text, m_form.batch, "batch")});
    if (begin != "0") {
        m_base = m_text.fresh(m_name + "Begin");
        m_text.line(fmt::format("const {}* const {} = {} + ({});", typeName(m_dtype), m_base, m_pointer, begin));
    }
    m_at = sumOf({m_offsets.part(m_text, m_lines, m_line), m_offsets.part(m_text, m_form.sums, "k")});
}

std::string Operand::address() const {
    return fmt::format("{} + ({})", m_base, m_at);
}

std::string wholeOf(const KernelFile& file, const std::vector<Values>& borders, std::int64_t each,
                    const std::vector<std::string>& variables) {
    std::string out;
    std::set<std::string> seen;
    const auto add = [&](const std::string& condition) {
        if (seen.insert(condition).second) out += (out.empty() ? "" : " && ") + condition;
    };
    for (const Values& v : borders) {
        if (std::all_of(v.begin(), v.end(), [each](std::int64_t x) { return x % each == 0; }) &&
            (isAlways(v, v[0]) || isAlways(v, 0)))
            continue;
        if (isAlways(v, v[0])) return "false";
        const std::string number = file.number(v);
        add(fmt::format("{} % {} == 0", number.find_first_of("+-") == std::string::npos ? number : "(" + number + ")",
                        each));
    }
    for (const std::string& v : variables)
        add(fmt::format("onBorder({})", v));
    return out.empty() ? "true" : out;
}

std::vector<Values> Operand::borders() const {
    return m_offsets.borders(m_along == Along::sums ? m_form.sums : m_lines);
}

std::string Operand::whole(const KernelFile& file) const {
    if (m_along == Along::none) return "false";
    return wholeOf(file, borders(), onceRead(), {file.variable(m_source)});
}

void Conditions::require(const std::string& condition, bool isSo) {
    m_isSo = m_isSo && isSo;
    if (condition == "true") return;
    for (std::size_t from = 0; from < condition.size();) {
        const std::size_t to = std::min(condition.find(" && ", from), condition.size());
        const std::string one = condition.substr(from, to - from);
        if (m_seen.insert(one).second) m_text += (m_text.empty() ? "" : " && ") + one;
        from = to + 4;
    }
}

bool Operand::isWhole(std::size_t size) const {
    if (m_along == Along::none) return false;
    const std::vector<Values> all = borders();
    return std::all_of(all.begin(), all.end(), [&](const Values& v) { return v[size] % onceRead() == 0; });
}

} // namespace kernelarium::kernelgen::products
