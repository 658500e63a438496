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
constexpr std::int64_t mostOutputs = 32;       // where no pool makes cells larger than they need to be
constexpr std::int64_t mostColumn = 8;         // cells of a thread
constexpr std::int64_t mostRepeats = 512;      // cells of a window
constexpr double dearProducts = 50;            // of an output, beyond which it is stored rather than computed again
constexpr std::int64_t mostRowsOfThread = 256; // values that wait in shared memory for one another

} // namespace

Description Matcher::run() {
    if (m_graph.outputs.size() != 1) throw Refusal{"several results"};
    const TensorId root = theConvolution();
    takeConvolution(root);
    for (TensorId id = root + 1; id < m_graph.tensors.size(); ++id)
        if (readsLevel(m_graph.at(id))) follow(id);
    const Tensor& output = m_graph.at(m_graph.outputs[0]);
    const auto last = m_level.find(m_graph.outputs[0]);
    if (last == m_level.end() || !(last->second == chain().result()))
        throw Refusal{fmt::format("{}, which is not the end of the chain", output.name)};
    m_d.summaryRank = m_d.space == Space::kept ? 0 : int(output.extents.size());
    const Each each = eachOf(last->second);
    if (each == Each::other)
        m_d.result = Description::Result::perOther;
    else if (each == Each::one)
        m_d.result =
            !m_d.overImages && axesOf(output).hasFilters ? Description::Result::axisOfOne : Description::Result::noAxis;
    move();
    divide();
    return std::move(m_d);
}

TensorId Matcher::theConvolution() const {
    std::vector<TensorId> found;
    for (TensorId id = 0; id < m_graph.tensors.size(); ++id) {
        const Definition* d = m_graph.at(id).definition();
        const std::size_t rank = m_graph.at(id).extents.size();
        if (!d || d->combine != Combine::sum || rank < 3 || rank > 5 || d->reduction.size() != rank - 1) continue;
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
        !reads(x.map[0], 0, t.extents[0]))
        throw Refusal{"a convolution with views"};
    if (!reads(x.map[1], first, d.reduction[0]) || !reads(w.map[transposed ? 1 : 0], 1, t.extents[1]) ||
        !reads(w.map[transposed ? 0 : 1], first, d.reduction[0]))
        takeGroups(id);
    m_d.input = input.name;
    m_d.weight = weight.name;
    m_d.channels = d.reduction[0];
    m_d.filters = t.extents[1];
    m_d.isLine = rank == 3;
    if (m_d.isLine) {
        Axis one; // beside the only one
        one.transposed = transposed;
        one.step = transposed ? -1 : 1;
        m_d.axes.push_back(one);
    }
    for (std::size_t i = 2; i < rank; ++i) {
        const int tap = first + int(i) - 1;
        const Index& at = x.map[i];
        Axis a;
        a.transposed = transposed;
        a.kernel = d.reduction[i - 1];
        a.scale = factorOf(at, int(i));
        if (a.scale == 0 && t.extents[i] == 1 && m_like)
            a.scale = m_like->axes.at(m_d.axes.size()).scale; // it does not show
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

/// The channels come in groups, each of which has filters of its own.
void Matcher::takeGroups(TensorId id) {
    const Tensor& t = m_graph.at(id);
    const Definition& d = *t.definition();
    const Read &x = d.reads[0], &w = d.reads[1];
    const std::int64_t channels = m_graph.at(x.source).extents[1], each = d.reduction[0];
    const algebra::Extents& weight = m_graph.at(w.source).extents;
    const bool transposed = weight[0] == channels && weight[1] != each;
    const std::int64_t groups = channels / each, filters = t.extents[1] / groups;
    const Refusal refusal{"a convolution with views"};
    if (channels % each != 0 || t.extents[1] % groups != 0) throw refusal;
    std::vector<std::int64_t> point(t.extents.size() + d.reduction.size(), 0);
    for (std::int64_t f = 0; f < t.extents[1]; ++f)
        for (std::int64_t c = 0; c < each; ++c) {
            point[1] = f, point[t.extents.size()] = c;
            const std::int64_t channel = f / filters * each + c;
            if (x.map[1].at(point) != channel || w.map[0].at(point) != (transposed ? channel : f) ||
                w.map[1].at(point) != (transposed ? f % filters : c))
                throw refusal;
        }
    m_d.convolutionGroups = groups;
}

bool Matcher::readsLevel(const Tensor& t) const {
    return std::ranges::any_of(algebra::sourcesOf(t),
                               [&](TensorId s) { return m_level.contains(s) || m_left.contains(s) || s == m_squares; });
}

Chain& Matcher::chain() {
    if (m_d.space != Space::kept) return m_d.summary;
    if (m_d.late.kind != Late::Kind::none) return m_d.late.pool == Pool::none ? m_d.late.chain : m_d.late.after;
    return m_d.pool == Pool::none ? m_d.before : m_d.after;
}

void Matcher::nextLevel(TensorId value, Each each) {
    for (const auto& [left, operand] : m_level)
        m_left.emplace(left, operand);
    m_left.erase(value);
    m_level = {{value, {}}};
    m_value = each;
}

void Matcher::needResult(TensorId source, const std::string& reader) {
    if (!(m_level.at(source) == chain().result()))
        throw Refusal{fmt::format("{}, which does not read what was made last", reader)};
}

void Matcher::move() {
    chooseLate();
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

void Matcher::chooseLate() {
    if (m_d.space != Space::kept || m_d.late.kind != Late::Kind::none) return;
    double products = double(m_d.channels); // of an output
    for (const Axis& a : m_d.axes)
        products *= double(a.kernel) / double(a.divisor);
    const bool dear = m_like ? m_like->late.kind == Late::Kind::norm : products > dearProducts;
    if (m_d.norm && m_d.pool == Pool::none && !m_d.before.combinesFilters() && dear) makeLate();
    Chain& last = m_d.pool == Pool::none ? m_d.before : m_d.after;
    if (!last.combinesFilters() || isStream(last) || m_d.before.combinesFilters() != (m_d.pool == Pool::none)) return;
    std::int64_t kept = 1;
    for (const Axis& a : m_d.axes)
        kept *= m_d.pool == Pool::none ? a.divisor : 1;
    if (m_like ? m_like->late.kind != Late::Kind::filters : kept * m_d.filters <= mostRowsOfThread) return;
    m_d.late.kind = Late::Kind::filters;
    m_d.late.chain = std::move(last);
    last = {};
}

void Matcher::divide() {
    for (std::size_t i = 0; i < m_d.axes.size(); ++i)
        if (Axis& a = m_d.axes[i]; !a.divide(m_d.pool == Pool::none ? a.divisor : m_windows[i]))
            throw Refusal{"windows that the stride does not divide"};
    const bool large = m_d.cellOutputs() > mostOutputsOfCell;
    if (m_d.pool == Pool::none || m_d.combined || !(large || m_d.before.combinesFilters())) {
        if (!m_d.combined && m_d.cellOutputs() > mostOutputs)
            throw Refusal{fmt::format("a cell of {} outputs", m_d.cellOutputs())};
        return;
    }
    for (std::size_t i = 0; i < m_d.axes.size(); ++i) { // a window is made of several cells
        Axis& a = m_d.axes[i];
        a.repeat = m_windows[i] / a.divisor;
        (void)a.divide(a.divisor);
    }
    if (m_d.cellOutputs() > mostOutputsOfCell || m_d.axes[0].repeat > mostColumn || m_d.repeats() > mostRepeats)
        throw Refusal{fmt::format("windows of {} outputs", m_d.cellOutputs() * m_d.repeats())};
    if (m_d.space != Space::kept) throw Refusal{"a sum over windows of many cells"};
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
        if (!published->axes[0].transposed && d->convolutionGroups > 1 && published->convolutionGroups > 1)
            d->convolutionGroups = published->convolutionGroups; // told from the weights
        if (!(*d == *published))
            return Error{"unsupported",
                         fmt::format("There is no convolution kernel that serves the size {} as well.", name)};
    }
    return *published;
}

} // namespace kernelarium::kernelgen::convolution
