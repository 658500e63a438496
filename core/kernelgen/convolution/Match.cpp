// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Match.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/convolution/Matcher.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

std::int64_t factorOf(const Index& index, int axis) {
    for (const algebra::Term& t : index.terms)
        if (t.axis == axis) {
            if (!t.isPlain()) throw Refusal{"an index with a quotient"};
            return t.factor;
        }
    return 0;
}
bool isConstant(const Index& index) {
    return index.terms.empty() && index.divisor == 1;
}
bool isAxis(const Index& index, int axis) {
    return index.isAxis() && index.terms[0].axis == axis;
}

namespace {

constexpr std::int64_t mostOutputsOfCell = 16; // with their filters they are in registers

} // namespace

Description Matcher::run() {
    if (m_graph.outputs.size() != 1) throw Refusal{"several results"};
    const TensorId root = theConvolution();
    takeConvolution(root);
    for (TensorId id = root + 1; id < m_graph.tensors.size(); ++id)
        if (readsLevel(m_graph.at(id))) follow(id);
    const auto last = m_level.find(m_graph.outputs[0]);
    const Chain& chain = m_d.stored();
    const Operand expected = chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1};
    if (last == m_level.end() || !(last->second == expected))
        throw Refusal{fmt::format("{}, which is not the end of the chain", m_graph.at(m_graph.outputs[0]).name)};
    const Tensor& output = m_graph.at(m_graph.outputs[0]);
    const Axes axes = axesOf(output);
    m_d.summaryRank = m_d.space == Space::kept ? 0 : int(output.extents.size());
    if (!axes.perFilter) m_d.result = axes.hasFilters ? Description::Result::axisOfOne : Description::Result::noAxis;
    move();
    divide();
    return std::move(m_d);
}

TensorId Matcher::theConvolution() const {
    std::vector<TensorId> found;
    for (TensorId id = 0; id < m_graph.tensors.size(); ++id) {
        const Definition* d = m_graph.at(id).definition();
        const std::size_t rank = m_graph.at(id).extents.size();
        if (!d || d->combine != Combine::sum || rank < 4 || rank > 5 || d->reduction.size() != rank - 1) continue;
        const auto product = algebra::asProduct(d->body);
        if (!product || product->operands.size() != 2 || d->reads.size() != 2 || product->factor != 1) continue;
        if (d->reads[0].map.size() == rank && d->reads[1].map.size() == rank) found.push_back(id);
    }
    if (found.size() != 1) throw Refusal{fmt::format("a task with {} convolutions", found.size())};
    return found[0];
}

void Matcher::takeConvolution(TensorId id) {
    const Tensor& t = m_graph.at(id);
    const Definition& d = *t.definition();
    const std::size_t rank = t.extents.size();
    const int first = int(rank);
    const Read &x = d.reads[0], &w = d.reads[1];
    const Tensor &input = m_graph.at(x.source), &weight = m_graph.at(w.source);
    if (!input.input() || !weight.input()) throw Refusal{"a convolution of what was computed before"};
    const bool transposed = [&] {
        for (int i = 2; i < first; ++i)
            if (const std::int64_t step = factorOf(x.map[std::size_t(i)], first + i - 1)) return step < 0;
        return isAxis(w.map[0], first); // every kernel position is 0
    }();
    // An axis of one point is read at 0.
    const auto reads = [](const Index& index, int axis, std::int64_t extent) {
        return isAxis(index, axis) || (extent == 1 && isConstant(index) && index.offset == 0);
    };
    if (!d.domain.empty() || !x.constraints.empty() || !w.constraints.empty() || x.outside != 0 ||
        !reads(x.map[0], 0, t.extents[0]) || !reads(x.map[1], first, d.reduction[0]) ||
        !reads(w.map[transposed ? 1 : 0], 1, t.extents[1]) || !reads(w.map[transposed ? 0 : 1], first, d.reduction[0]))
        throw Refusal{"a convolution in groups or with views"};
    m_d.input = input.name;
    m_d.weight = weight.name;
    m_d.channels = d.reduction[0];
    m_d.filters = t.extents[1];
    for (std::size_t i = 2; i < rank; ++i) {
        const int tap = first + int(i) - 1;
        const Index& at = x.map[i];
        Axis a;
        a.transposed = transposed;
        a.kernel = d.reduction[i - 1];
        a.scale = factorOf(at, int(i));
        if (a.scale == 0 && t.extents[i] == 1 && m_like) a.scale = m_like->axes.at(i - 2).scale; // it does not show
        a.step = factorOf(at, tap);
        if (a.kernel == 1) a.step = transposed ? -1 : 1; // its only position is 0
        a.shift = at.offset;
        a.divisor = at.divisor;
        if (a.scale <= 0 || a.step == 0 || (a.step < 0) != transposed || (transposed && a.scale != 1) ||
            (a.kernel > 1 && !isAxis(w.map[i], tap)))
            throw Refusal{"the maps of this convolution"};
        a.extra = 0;
        a.extra = t.extents[i] - a.outputs(input.extents[i]);
        if (a.extra < 0 || (a.extra > 0 && !transposed)) throw Refusal{"the extents of this convolution"};
        m_d.axes.push_back(a);
    }
    m_extents = t.extents;
    m_level = {{id, {}}};
}

bool Matcher::readsLevel(const Tensor& t) const {
    return std::ranges::any_of(algebra::sourcesOf(t),
                               [&](TensorId s) { return m_level.contains(s) || m_left.contains(s) || s == m_squares; });
}

void Matcher::move() {
    m_d.after = joined(std::move(m_after), m_d.after);
    if (m_d.pool == Pool::mean && isAffine(m_d.before)) {
        m_d.combined = true;
        m_d.rewrites.push_back("the mean of a cell is one convolution with sums of the taps");
    } else if (!(m_d.pool == Pool::maximum && isRising(m_d.before))) {
        return;
    }
    if (!m_d.before.steps.empty())
        m_d.rewrites.push_back(m_d.combined ? "affine maps moved past the mean" : "rising maps moved past the maximum");
    m_d.after = joined(std::move(m_d.before), m_d.after);
    m_d.before = {};
}

void Matcher::divide() {
    for (std::size_t i = 0; i < m_d.axes.size(); ++i)
        if (Axis& a = m_d.axes[i]; !a.divide(m_d.pool == Pool::none ? a.divisor : m_windows[i]))
            throw Refusal{"windows that the stride does not divide"};
    if (!m_d.combined && m_d.cellOutputs() > mostOutputsOfCell)
        throw Refusal{fmt::format("a cell of {} outputs", m_d.cellOutputs())};
}

static Result<Description> described(const Graph& graph, const Description* like) {
    try {
        return Matcher(graph, like).run();
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("There is no convolution kernel for {}.", r.what)};
    }
}

Result<Description> describe(const Graph& graph) {
    return described(graph, nullptr);
}

Result<Description> describe(const task::Card& card) {
    std::optional<Description> published;
    const auto full = card.size("full");
    if (!full) return full.error();
    std::vector<std::pair<std::string, task::Symbols>> sizes{{"full", *full}};
    for (const auto& size : card.sizes)
        if (size.first != "full") sizes.push_back(size);
    for (const auto& [name, symbols] : sizes) {
        const Result<Graph> graph = algebra::lower(card, symbols);
        if (!graph) return graph.error();
        Result<Description> d = described(*graph, published ? &*published : nullptr);
        if (!d) return d.error();
        if (!published) published = *d;
        d->channels = published->channels;
        d->filters = published->filters;
        if (!(*d == *published))
            return Error{"unsupported",
                         fmt::format("There is no convolution kernel that serves the size {} as well.", name)};
    }
    return *published;
}

} // namespace kernelarium::kernelgen::convolution
