// SPDX-License-Identifier: GPL-3.0-or-later
// What combines the filters of a place, as functions.
#include "core/kernelgen/convolution/Pieces.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

using algebra::Combine;
using algebra::Function;

/// Writes the steps of a chain that has a value for each filter, loop after loop.
class AcrossWriter {
public:
    AcrossWriter(const Chain& chain, Formulas& formulas, Across form)
        : m_chain(chain)
        , m_formulas(formulas)
        , m_form(form) {
        if (form == Across::stream) m_log = logSumOf(chain);
    }

    std::string run() {
        std::string out;
        for (std::size_t i = 0; i < m_chain.steps.size(); ++i) {
            const Step& step = m_chain.steps[i];
            const bool last = i + 1 == m_chain.steps.size();
            if (isStreamed(i)) {
                if (!m_log || i != m_log->maximum) out += streamed(i);
            } else if (step.combine != Combine::none) {
                out += combination(i);
            } else if (step.each == Each::one) {
                out += m_formulas.loads({&step}, "", "    ");
                out += fmt::format("    const float {} = {};\n", variable(step.name),
                                   m_formulas.body(m_chain, step, "v", m_held));
            } else if (last) {
                out += loop(i, step.each, target(step.each) + " = @body@;\n");
            }
            if (last && step.each == Each::one)
                out +=
                    fmt::format("    {} {};\n", m_form == Across::rows ? "*output =" : "return", variable(step.name));
        }
        return out;
    }

    /// What a filter's value adds to the struct Combined.
    std::string taken() {
        std::string out;
        std::vector<bool> needs(m_chain.steps.size(), false);
        std::vector<const Step*> read;
        std::string tail;
        for (std::size_t i = 0; i < m_chain.steps.size(); ++i) {
            const Step& step = m_chain.steps[i];
            if (!isStreamed(i) || (m_log && (i == m_log->maximum || i == m_log->result))) continue;
            if (m_log && i == m_log->sum) {
                if (m_log->of.kind == Operand::Kind::step) need(m_log->of.index, needs);
                tail += fmt::format(
                    "    all.{} += expf({});\n", variable(m_chain.steps[m_log->result].name),
                    m_log->of.kind == Operand::Kind::step ? variable(m_chain.steps[m_log->of.index].name) : "v");
                continue;
            }
            for (const Operand& o : step.operands)
                if (o.kind == Operand::Kind::step) need(o.index, needs);
            read.push_back(&step);
            tail +=
                "    " + combinedText(step.combine, "all." + variable(step.name), m_formulas.body(m_chain, step, "v"));
        }
        for (std::size_t i = 0; i < m_chain.steps.size(); ++i)
            if (needs[i]) {
                out += fmt::format("    const float {} = {};\n", variable(m_chain.steps[i].name),
                                   m_formulas.body(m_chain, m_chain.steps[i], "v"));
                read.push_back(&m_chain.steps[i]);
            }
        return m_formulas.loads(read, "filter", "    ") + out + tail;
    }

    /// Members of Combined, and what they begin with.
    std::string members() const {
        std::string out, start;
        for (std::size_t i = 0; i < m_chain.steps.size(); ++i) {
            if (!isStreamed(i) || (m_log && (i == m_log->maximum || i == m_log->sum))) continue;
            const bool isLog = m_log && i == m_log->result;
            out += fmt::format("    float {};{}\n", variable(m_chain.steps[i].name),
                               isLog ? " ///< the sum of the exponentials, until it is complete" : "");
            start += (start.empty() ? "" : ", ") + (isLog ? "0.0f" : neutralText(m_chain.steps[i].combine));
        }
        return "struct Combined {\n" + out + "};\n__device__ constexpr Combined nothing{" + start + "};\n\n";
    }

    const std::optional<LogSum>& logSum() const { return m_log; }

    void need(std::size_t step, std::vector<bool>& out) const {
        if (out[step]) return;
        out[step] = true;
        for (const Operand& o : m_chain.steps[step].operands)
            if (o.kind == Operand::Kind::step && m_chain.steps[o.index].each != Each::one) need(o.index, out);
    }

private:
    /// Whether it is among the sums that are taken as the filters come.
    bool isStreamed(std::size_t i) const {
        const Step& s = m_chain.steps[i];
        if (m_form != Across::stream) return false;
        if (m_log && i == m_log->result) return true;
        return s.combine != Combine::none && s.over == Each::filter;
    }
    std::string streamed(std::size_t i) const {
        const Step& s = m_chain.steps[i];
        if (m_log && i == m_log->sum) return {};
        const std::string name = variable(s.name);
        return fmt::format("    const float {0} = all.{0}{1};\n", name, s.mean ? " / float(filters)" : "");
    }

    std::string target(Each each) const {
        const char* index = each == Each::filter ? "filter" : "other";
        return m_form == Across::registers ? fmt::format("values[{}]", index)
                                           : fmt::format("output[{} * apart]", index);
    }

    /// Whether what later loops read of each filter all comes from this step.
    bool sufficesAfter(std::size_t loopStep, std::size_t candidate) const {
        bool suffices = true;
        std::vector<bool> seen(m_chain.steps.size(), false);
        const auto visit = [&](auto&& self, const Step& step) -> void {
            for (const Operand& o : step.operands) {
                if (o.kind == Operand::Kind::value) suffices = false;
                if (o.kind != Operand::Kind::step || o.index == candidate || seen[o.index]) continue;
                if (m_chain.steps[o.index].each != Each::filter) continue;
                seen[o.index] = true;
                self(self, m_chain.steps[o.index]);
            }
        };
        for (std::size_t i = loopStep + 1; i < m_chain.steps.size(); ++i) {
            const Step& s = m_chain.steps[i];
            const bool reads = s.combine != Combine::none || i + 1 == m_chain.steps.size();
            if (reads && (s.combine != Combine::none ? s.over : s.each) == Each::filter) visit(visit, s);
        }
        return suffices;
    }
    static bool isDear(const algebra::Expression& e) {
        if (e.kind != algebra::Expression::Kind::apply) return false;
        switch (e.function) {
        case Function::add:
        case Function::sub:
        case Function::mul:
        case Function::max:
        case Function::min:
        case Function::neg:
        case Function::abs:
        case Function::relu:
        case Function::clamp: return std::ranges::any_of(e.arguments, isDear);
        default: return true;
        }
    }

    std::string combination(std::size_t i) {
        const Step& step = m_chain.steps[i];
        const std::string name = variable(step.name);
        std::string out = fmt::format("    float {} = {};\n", name, neutralText(step.combine));
        out += loop(i, step.over, combinedText(step.combine, name, "@body@"));
        if (step.mean)
            out += fmt::format("    {} /= float({});\n", name, step.over == Each::filter ? "filters" : "others");
        return out;
    }

    /// A loop over the filters or the others: what the step needs of each, then `last` with the step's @body@.
    std::string loop(std::size_t i, Each over, const std::string& last) {
        const Step& step = m_chain.steps[i];
        const bool filters = over == Each::filter;
        std::vector<bool> needs(m_chain.steps.size(), false);
        bool usesValue = false;
        const auto visit = [&](auto&& self, const Step& of) -> void {
            for (const Operand& o : of.operands) {
                const bool isHeld = filters && o == m_held;
                usesValue = usesValue || isHeld;
                if (isHeld || o.kind != Operand::Kind::step || m_chain.steps[o.index].each != over) continue;
                if (m_chain.steps[o.index].combine != Combine::none || needs[o.index]) continue;
                needs[o.index] = true;
                self(self, m_chain.steps[o.index]);
            }
        };
        visit(visit, step);
        std::vector<const Step*> read{&step};
        std::string body;
        std::optional<std::size_t> kept;
        const Operand held = m_held;
        for (std::size_t k = 0; k < i; ++k)
            if (needs[k]) {
                const Step& s = m_chain.steps[k];
                read.push_back(&s);
                body += fmt::format("        const float {} = {};\n", variable(s.name),
                                    m_formulas.body(m_chain, s, "v", held));
                const bool worth = m_form == Across::registers || isDear(s.body);
                if (filters && worth && step.combine != Combine::none && sufficesAfter(i, k)) kept = k;
            }
        const std::string index = filters ? "filter" : "other";
        const bool registers = filters && m_form == Across::registers;
        std::string out = registers ? "#pragma unroll\n    for (int filter = 0; filter < group; ++filter) {\n"
                                      "        if (filter >= filters) break;\n"
                                    : fmt::format("    for (int {0} = 0; {0} < {1}; ++{0}) {{\n", index,
                                                  filters ? "filters" : "others");
        const std::string place = registers ? "values[filter]" : "rows[filter * stride]";
        if (usesValue) out += fmt::format("        const float v = {};\n", place);
        out += m_formulas.loads(read, index, "        ") + body;
        if (kept) {
            out += fmt::format("        {} = {};\n", place, variable(m_chain.steps[*kept].name));
            m_held = {Operand::Kind::step, *kept};
        }
        const std::string text = m_formulas.body(m_chain, step, "v", held);
        const std::size_t at = last.find("@body@");
        return out + "        " + last.substr(0, at) + text + last.substr(at + 6) + "    }\n";
    }

    const Chain& m_chain;
    Formulas& m_formulas;
    Across m_form;
    Operand m_held; ///< what rows and values hold of each filter
    std::optional<LogSum> m_log;
};

std::string othersParameter(const Description& d) {
    return d.others ? "int others, " : "";
}

/// For sums of exponentials that leave float's range.
std::string carefulText(const Description& d, const Chain& chain, AcrossWriter& writer, Formulas& formulas) {
    const LogSum& log = *writer.logSum();
    std::vector<bool> needs(chain.steps.size(), false);
    if (log.of.kind == Operand::Kind::step) writer.need(log.of.index, needs);
    std::string body;
    std::vector<const Step*> read;
    for (std::size_t i = 0; i < chain.steps.size(); ++i)
        if (needs[i]) {
            read.push_back(&chain.steps[i]);
            body += fmt::format("        const float {} = {};\n", variable(chain.steps[i].name),
                                formulas.body(chain, chain.steps[i], "v"));
        }
    std::string conditions, index;
    for (const std::string& A : axisLetters(d))
        index = index.empty()                   ? "k" + A
                : index.find(' ') == index.npos ? fmt::format("{} * kernel{} + k{}", index, A, A)
                                                : fmt::format("({}) * kernel{} + k{}", index, A, A);
    std::string loops, places, skip, place;
    const std::vector<std::string> letters = axisLetters(d), names = axisNames(d);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const Axis& a = d.axes[i];
        loops += fmt::format("for (int k{0} = 0; k{0} < kernel{0}; ++k{0})\n", letters[i]);
        std::string at = linearText({{a.scale, "of" + letters[i]}, {a.step, "k" + letters[i]}}, a.shift);
        places += fmt::format("const int at{} = {};\n", letters[i], at);
        if (a.divisor != 1) skip += fmt::format("if (at{0} % {1} != 0) continue;\n", letters[i], a.divisor);
        const std::string in = a.divisor == 1 ? "at" + letters[i] : fmt::format("at{} / {}", letters[i], a.divisor);
        skip += fmt::format("if (at{0} < 0 || {1} >= s.in{0}) continue;\n", letters[i], in);
        if (place.find(' ') != place.npos) place = "(" + place + ")";
        place = i == 0 ? in : fmt::format("{} * s.in{} + {}", place, letters[i], in);
    }
    return filled(R"(/// One output of the convolution by its definition.
__device__ float outputAt(const float* image, const float* taps, int filter, @of@, const Shape& s) {
    float v = 0.0f;
    for (int c = 0; c < s.channels; ++c)
@loops@ {
@places@@skip@const int row = (filter / group * s.channels + c) * window + @index@;
const int place = @place@;
v = fmaf(image[int64_t(c) * (@in@) + place], taps[row * group + filter % group], v);
}
    return v;
}

/// The logarithm of one output's sum of exponentials, the largest taken out first: for sums that leave float's range.
__device__ __noinline__ float carefulLogSum(const float* image, const float* taps, @of@, Parameters p, Shape s) {
    float largest = -INFINITY, sum = 0.0f;
    for (int filter = 0; filter < s.filters; ++filter) {
        const float v = outputAt(image, taps, filter, @names@, s);
@loads@@body@        const float more = fmaxf(largest, @x@);
        if (more == -INFINITY) continue;
        sum = sum * expf(largest - more) + expf(@x@ - more);
        largest = more;
    }
    return largest + logf(sum);
}

)",
                  {{"of", forAxes(d, "int of@A@", ", ")},
                   {"names", forAxes(d, "of@A@", ", ")},
                   {"loops", loops.substr(0, loops.size() - 1)},
                   {"places", places},
                   {"skip", skip},
                   {"index", index},
                   {"place", place},
                   {"in", forAxes(d, "s.in@A@", " * ")},
                   {"loads", formulas.loads(read, "filter", "        ")},
                   {"body", body},
                   {"x", log.of.kind == Operand::Kind::step ? variable(chain.steps[log.of.index].name) : "v"}});
}

} // namespace

std::string acrossText(const Description& d, const Chain& chain, Formulas& formulas, Across form, Each value) {
    AcrossWriter writer(chain, formulas, form);
    const bool one = chain.steps.empty() || chain.steps.back().each == Each::one;
    if (form == Across::registers)
        return fmt::format("/// What follows, for all filters of a place together{}.\n"
                           "__device__ {} across(float (&values)[group], int filters, const Parameters& p) {{\n",
                           one ? "" : "; the results take the values' places", one ? "float" : "void") +
               writer.run() + "}\n\n";
    if (form == Across::rows) {
        const std::string first = value == Each::one ? "    const float v = *rows;\n" : "";
        return fmt::format("/// What follows, for all filters of a place together: rows[filter * stride] are their "
                           "values, output[filter * apart] the results.\n"
                           "__device__ void finish(float* rows, int64_t stride, float* output, int64_t apart, "
                           "int filters, {}const Parameters& p) {{\n",
                           othersParameter(d)) +
               first + writer.run() + "}\n\n";
    }
    std::string out = "/// What is combined over the filters as they come.\n" + writer.members() +
                      "/// Adds a filter's value.\n"
                      "__device__ void take(Combined& all, float v, int filter, const Parameters& p) {\n" +
                      writer.taken() + "}\n\n";
    if (writer.logSum()) out += carefulText(d, chain, writer, formulas);
    return out +
           fmt::format("/// What follows, when all filters have been taken.\n"
                       "__device__ float finish(const Combined& all, int filters, {}const Parameters& p) {{\n",
                       othersParameter(d)) +
           writer.run() + "}\n\n";
}

} // namespace kernelarium::kernelgen::convolution
