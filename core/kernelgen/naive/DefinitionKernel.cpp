// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/naive/DefinitionKernel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;

std::string startOf(Combine combine) {
    switch (combine) {
    case Combine::product: return "1.0f";
    case Combine::maximum:
    case Combine::argMax: return "-INFINITY";
    case Combine::minimum:
    case Combine::argMin: return "INFINITY";
    default: return "0.0f";
    }
}

std::string combined(Combine combine, const std::string& to, const std::string& value) {
    switch (combine) {
    case Combine::sum: return fmt::format("{} += {};", to, value);
    case Combine::product: return fmt::format("{} *= {};", to, value);
    case Combine::maximum: return fmt::format("{} = fmaxf({}, {});", to, to, value);
    default: return fmt::format("{} = fminf({}, {});", to, to, value);
    }
}

namespace {

/// Fewer elements than this, each of at least that many terms, take a block each.
constexpr std::int64_t fewElements = 8192, manyTerms = 1024;

class Writer {
public:
    Writer(KernelText& text, const Each<Graph>& graph, std::size_t id, const std::set<std::size_t>& inlined)
        : m_text(text)
        , m_graph(graph)
        , m_id(id)
        , m_inlined(inlined)
        , m_tensor(graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; }))
        , m_d(*m_tensor.first().definition())
        , m_terms(termsOf(m_tensor))
        , m_axes(algebra::axisNames(m_tensor.first()))
        , m_rank(m_tensor.first().extents.size()) {
        for (std::size_t a = 0; a < m_axes.size(); ++a)
            if (isAlways(spaceExtent(m_tensor, a), 1)) m_axes[a] = "0";
    }

    void pointwise() {
        begin();
        outputAxes(bodyUses());
        PointText point(m_text, m_graph, m_tensor, m_axes, atHand());
        point.setElement("i");
        const std::string domain = point.domain();
        if (!domain.empty()) {
            m_text.open(fmt::format("if (!({})) {{", domain));
            m_text.line(fmt::format("out[i] = {};", stored(floatLiteral(m_d.outside), dtype())));
            m_text.line("return;");
            m_text.close();
        }
        m_text.line(fmt::format("out[i] = {};", stored(point.body(), dtype())));
    }

    void reduction() {
        begin();
        outputAxes(bodyUses());
        const bool isPlace = m_d.combine == Combine::argMax || m_d.combine == Combine::argMin;
        m_text.line(fmt::format("{} value = {};", accumulatorOf(m_tensor), startOf(m_d.combine)));
        if (isPlace) m_text.line("Index place = 0;");
        const bool counts = needsCount();
        if (counts) m_text.line("bool any = false;");
        int loops = 0;
        for (std::size_t a = m_rank; a < m_axes.size(); ++a) {
            if (m_axes[a] == "0") continue;
            m_text.open(fmt::format("for (Index {} = 0; {} < {}; ++{}) {{", m_axes[a], m_axes[a],
                                    m_text.number(spaceExtent(m_tensor, a), fmt::format("reduced{}", a - m_rank)),
                                    m_axes[a]));
            ++loops;
        }
        PointText point(m_text, m_graph, m_tensor, m_axes, atHand());
        point.setElement("i");
        const std::string domain = point.domain();
        if (!domain.empty()) m_text.line(fmt::format("if (!({})) {};", domain, loops ? "continue" : "return"));
        const std::string body = point.valueOf(m_terms.each());
        if (counts) m_text.line("any = true;");
        if (isPlace) {
            std::vector<std::string> r;
            std::string at = "0";
            for (std::size_t a = m_rank; a < m_axes.size(); ++a)
                at = at == "0"
                         ? m_axes[a]
                         : fmt::format("({}) * {} + {}", at,
                                       m_text.number(spaceExtent(m_tensor, a), fmt::format("reduced{}", a - m_rank)),
                                       m_axes[a]);
            m_text.line(fmt::format("const float candidate = {};", body));
            m_text.open(fmt::format("if (candidate {} value) {{", m_d.combine == Combine::argMax ? ">" : "<"));
            m_text.line("value = candidate;");
            m_text.line(fmt::format("place = {};", at));
            m_text.close();
        } else {
            m_text.line(combined(m_d.combine, "value", body));
        }
        while (loops-- > 0)
            m_text.close();
        const std::string result = isPlace ? "place" : finished("value");
        m_text.line(counts ? fmt::format("out[i] = any ? {} : {};", result, floatLiteral(m_d.outside))
                           : fmt::format("out[i] = {};", isPlace ? result : stored(result, dtype())));
    }

    /// A block adds up one element: each thread some of the terms, then half of them to the other half and so on.
    void blockReduction() {
        m_text.line(fmt::format("__shared__ {} parts[threads];", accumulatorOf(m_tensor)));
        m_text.line("const Index i = blockIdx.x;");
        (void)out();
        outputAxes(bodyUses());
        m_text.line(fmt::format("{} value = {};", accumulatorOf(m_tensor), startOf(m_d.combine)));
        const Values terms =
            m_tensor.values([](const Tensor& t) { return algebra::pointCount(t.definition()->reduction); });
        std::string total;
        for (std::size_t a = m_rank; a < m_axes.size(); ++a)
            if (m_axes[a] != "0") total += (total.empty() ? "" : " * ") + extent(a);
        m_text.open(fmt::format("for (Index term = threadIdx.x; term < {}; term += threads) {{", total));
        std::string below;
        for (std::size_t a = m_axes.size(); a-- > m_rank;) {
            if (m_axes[a] == "0") continue;
            const bool isFirst =
                std::all_of(m_axes.begin() + std::ptrdiff_t(m_rank), m_axes.begin() + std::ptrdiff_t(a),
                            [](const std::string& s) { return s == "0"; });
            const std::string rest = below.empty() ? "term" : fmt::format("term / ({})", below);
            m_text.line(fmt::format("const Index {} = {}{};", m_axes[a], rest, isFirst ? "" : " % " + extent(a)));
            below += (below.empty() ? "" : " * ") + extent(a);
        }
        PointText point(m_text, m_graph, m_tensor, m_axes, atHand());
        point.setElement("i");
        const std::string domain = point.domain();
        if (!domain.empty()) m_text.line(fmt::format("if (!({})) continue;", domain));
        m_text.line(combined(m_d.combine, "value", point.valueOf(m_terms.each())));
        m_text.close();
        m_text.line("parts[threadIdx.x] = value;");
        m_text.line("__syncthreads();");
        m_text.open("for (int half = threads / 2; half > 0; half /= 2) {");
        m_text.line("if (threadIdx.x < half) " +
                    combined(m_d.combine, "parts[threadIdx.x]", "parts[threadIdx.x + half]"));
        m_text.line("__syncthreads();");
        m_text.close();
        m_text.line(fmt::format("if (threadIdx.x == 0) out[i] = {};", stored(finished("parts[0]"), dtype())));
    }

    [[nodiscard]] bool takesBlock() const {
        const bool combines = m_d.combine == Combine::sum || m_d.combine == Combine::product ||
                              m_d.combine == Combine::maximum || m_d.combine == Combine::minimum;
        if (!combines || needsCount()) return false;
        std::int64_t elements = 0, terms = 0;
        for (const Tensor* t : m_tensor.at)
            elements = std::max(elements, algebra::pointCount(t->extents)),
            terms = std::max(terms, algebra::pointCount(t->definition()->reduction));
        return elements <= fewElements && terms >= manyTerms;
    }

    void scan(std::size_t axis) {
        begin();
        std::vector<bool> used(m_axes.size(), true);
        used[axis] = false;
        // i counts rows: the axes but the scanned one.
        std::string below;
        for (std::size_t a = m_rank; a-- > 0;) {
            if (a == axis || m_axes[a] == "0") continue;
            bool isFirst = true;
            for (std::size_t b = 0; b < a; ++b)
                isFirst = isFirst && (b == axis || m_axes[b] == "0");
            const std::string rest = below.empty() ? "i" : "i / " + bracketed(below);
            m_text.line(fmt::format("const Index {} = {}{};", m_axes[a], rest, isFirst ? "" : " % " + extent(a)));
            below += (below.empty() ? "" : " * ") + extent(a);
        }
        m_text.line(fmt::format("{} value = {};", accumulatorOf(m_tensor), startOf(m_d.combine)));
        const std::string r = m_axes[m_rank];
        if (r == "0") throw Refusal("a prefix of one element");
        m_text.open(fmt::format("for (Index {} = 0; {} < {}; ++{}) {{", r, r, extent(axis), r));
        PointText point(m_text, m_graph, m_tensor, m_axes, atHand());
        m_text.line(combined(m_d.combine, "value", point.valueOf(m_terms.each())));
        std::vector<std::string> at = m_axes;
        at.resize(m_rank);
        at[axis] = r;
        m_text.line(fmt::format("out[{}] = {};", point.offset(at, m_id), stored(finished("value"), dtype())));
        m_text.close();
    }

private:
    [[nodiscard]] AtHand atHand() const {
        AtHand a;
        a.inlined = m_inlined;
        return a;
    }
    /// The sum as a float, times the factor of its terms.
    std::string finished(const std::string& value) {
        const std::string sum = accumulatorOf(m_tensor) == "double" ? fmt::format("float({})", value) : value;
        return m_terms.factor.empty() ? sum : fmt::format("{} * {}", sum, m_text.factor(m_terms.factor));
    }
    static std::string bracketed(const std::string& product) {
        return product.find(' ') == std::string::npos ? product : "(" + product + ")";
    }
    [[nodiscard]] tensor::DType dtype() const { return m_tensor.first().dtype; }
    std::string out() { return m_text.pointer(m_id, dtype(), "out", true); }
    std::string extent(std::size_t axis) {
        return m_text.number(spaceExtent(m_tensor, axis),
                             axis < m_rank ? fmt::format("outN{}", axis) : fmt::format("reduced{}", axis - m_rank));
    }
    /// Whether an element without terms is something else than the combination of none.
    [[nodiscard]] bool needsCount() const {
        return !m_d.domain.empty() && m_d.outside != algebra::neutral(m_d.combine) && m_d.combine != Combine::argMax &&
               m_d.combine != Combine::argMin;
    }

    void begin() {
        m_text.line("const Index i = Index(blockIdx.x) * threads + threadIdx.x;");
        m_text.line("if (i >= count) return;");
    }

    /// Which of the output's axes the formula needs apart from the element's own number.
    std::vector<bool> bodyUses() {
        // Written once into a text that is thrown away: what is not mentioned is not needed.
        std::set<std::string> functions;
        KernelText scratch(m_text.quantities(), functions);
        PointText point(scratch, m_graph, m_tensor, m_axes, atHand());
        point.setElement("i");
        std::string all = point.domain();
        all += " " + point.body() + " " + scratch.lines();
        std::vector<bool> used(m_axes.size(), false);
        for (std::size_t a = 0; a < m_rank; ++a)
            for (std::size_t at = all.find(m_axes[a]); m_axes[a] != "0" && at != std::string::npos;
                 at = all.find(m_axes[a], at + 1)) {
                const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
                const std::size_t end = at + m_axes[a].size();
                if ((at == 0 || !isWord(all[at - 1])) && (end >= all.size() || !isWord(all[end]))) used[a] = true;
            }
        return used;
    }

    void outputAxes(const std::vector<bool>& used) {
        std::string below;
        std::vector<std::string> lines;
        for (std::size_t a = m_rank; a-- > 0;) {
            if (m_axes[a] == "0") continue;
            const bool isFirst = std::all_of(m_axes.begin(), m_axes.begin() + std::ptrdiff_t(a),
                                             [](const std::string& s) { return s == "0"; });
            const bool isNeededBelow =
                std::any_of(used.begin(), used.begin() + std::ptrdiff_t(a), [](bool b) { return b; });
            if (used[a]) {
                const std::string rest = below.empty() ? "i" : "i / " + bracketed(below);
                m_text.line(fmt::format("const Index {} = {}{};", m_axes[a], rest, isFirst ? "" : " % " + extent(a)));
            }
            if (isNeededBelow) below += (below.empty() ? "" : " * ") + extent(a);
        }
    }

    KernelText& m_text;
    Each<Graph> m_graph;
    std::size_t m_id;
    std::set<std::size_t> m_inlined;
    Each<Tensor> m_tensor;
    const Definition& m_d;
    Terms m_terms;
    std::vector<std::string> m_axes;
    std::size_t m_rank;
};

} // namespace

DefinitionKernel definitionKernel(KernelFile& file, const Each<Graph>& graph, std::size_t id,
                                  const std::set<std::size_t>& inlined) {
    DefinitionKernel out{"", file.kernel(), false, ""};
    const Tensor& t = graph.first().tensors[id];
    Writer writer(out.text, graph, id, inlined);
    std::string last = "Index count";
    const int scanned = algebra::scanAxis(t);
    bool isScan = scanned >= 0;
    for (const Graph* g : graph.at)
        isScan = isScan && algebra::scanAxis(g->tensors[id]) == scanned;
    // The output is the first parameter's tensor in every form, so that kernels of one text are alike.
    (void)out.text.pointer(id, t.dtype, "out", true);
    if (isScan) {
        writer.scan(std::size_t(scanned));
        out.count = "rows";
    } else if (t.definition()->combine == Combine::none) {
        writer.pointwise();
    } else if (writer.takesBlock()) {
        writer.blockReduction();
        out.blockPerElement = true;
        last = "";
    } else {
        writer.reduction();
    }
    const Graph& full = graph.at.size() == file.graphs().graphs.size() ? *graph.at[file.graphs().full] : graph.first();
    out.name = file.addKernel(t.name, algebra::toString(full, id), out.text, last);
    return out;
}

} // namespace kernelarium::kernelgen
