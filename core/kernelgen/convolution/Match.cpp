// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Match.h"

#include "core/algebra/lowering/Lowering.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;

struct Refusal {
    std::string what;
};

constexpr std::int64_t mostOutputsOfCell = 16; // with their filters they are in registers

/// The factor of a plain term of this axis; 0 where there is none.
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
bool isIdentity(const std::vector<Index>& map, std::size_t rank) {
    if (map.size() != rank) return false;
    for (std::size_t i = 0; i < rank; ++i)
        if (!map[i].isAxis() || map[i].terms[0].axis != int(i)) return false;
    return true;
}

class Matcher {
public:
    explicit Matcher(const Graph& graph)
        : m_graph(graph) {}

    Description run() {
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
        if (!axes.perFilter)
            m_d.result = axes.hasFilters ? Description::Result::axisOfOne : Description::Result::noAxis;
        move();
        divide();
        return std::move(m_d);
    }

private:
    /// The one tensor that is a sum of products of two inputs of rank 4 or 5 over channels and a window.
    TensorId theConvolution() const {
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

    void takeConvolution(TensorId id) {
        const Tensor& t = m_graph.at(id);
        const Definition& d = *t.definition();
        const std::size_t rank = t.extents.size();
        const int first = int(rank);
        const Read &x = d.reads[0], &w = d.reads[1];
        const Tensor &input = m_graph.at(x.source), &weight = m_graph.at(w.source);
        if (!input.input() || !weight.input()) throw Refusal{"a convolution of what was computed before"};
        const bool transposed = w.map[0].isAxis() && w.map[0].terms[0].axis == first;
        const auto isAxisNumber = [](const Index& i, int axis) { return i.isAxis() && i.terms[0].axis == axis; };
        if (!d.domain.empty() || !x.constraints.empty() || !w.constraints.empty() || x.outside != 0 ||
            !isAxisNumber(x.map[0], 0) || !isAxisNumber(x.map[1], first) ||
            !isAxisNumber(w.map[transposed ? 1 : 0], 1) || !isAxisNumber(w.map[transposed ? 0 : 1], first))
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
            a.step = factorOf(at, tap);
            if (a.kernel == 1) a.step = transposed ? -1 : 1; // its only position is 0
            a.shift = at.offset;
            a.divisor = at.divisor;
            if (a.scale <= 0 || a.step == 0 || (a.step < 0) != transposed || (transposed && a.scale != 1) ||
                (a.kernel > 1 && !isAxisNumber(w.map[i], tap)))
                throw Refusal{"the maps of this convolution"};
            a.extra = 0;
            a.extra = t.extents[i] - a.outputs(input.extents[i]);
            if (a.extra < 0 || (a.extra > 0 && !transposed)) throw Refusal{"the extents of this convolution"};
            m_d.axes.push_back(a);
        }
        m_extents = t.extents;
        m_level = {{id, {}}};
    }

    bool readsLevel(const Tensor& t) const {
        return std::ranges::any_of(algebra::sourcesOf(t),
                                   [&](TensorId s) { return m_level.contains(s) || m_left.contains(s) || s == m_squares; });
    }

    void follow(TensorId id) {
        const Tensor& t = m_graph.at(id);
        const Definition* d = t.definition();
        if (!d || !d->domain.empty()) throw Refusal{t.name};
        if (normStatistics(id, *d)) return;
        for (const Read& r : d->reads)
            if (m_left.contains(r.source))
                throw Refusal{fmt::format("{}, which reads what stands before a pool", t.name)};
        if (d->combine == Combine::none || d->reduction.size() == 1) return pointwise(id, *d);
        if (!overSpace(id, *d)) pool(id, *d);
    }

    /// Whether some tensor is the sum of squared distances of `source` from this mean.
    bool isMeanOfNorm(TensorId mean, TensorId source) const {
        return std::ranges::any_of(m_graph.tensors, [&](const Tensor& t) {
            const Definition* d = t.definition();
            return d && d->combine == Combine::sum && d->reads.size() == 2 && d->reads[0].source == source &&
                   d->reads[1].source == mean && d->body.is(algebra::Function::square) &&
                   d->body.arguments[0].is(algebra::Function::sub);
        });
    }

    /// The mean, the sum of squared distances and the scale of a norm, which are taken together.
    bool normStatistics(TensorId id, const Definition& d) {
        const Tensor& t = m_graph.at(id);
        const Tensor& x = m_graph.at(d.reads[0].source);
        if (m_mean && d.reads.size() == 2 && d.reads[1].source == *m_mean && d.combine == Combine::sum) {
            m_squares = id;
            return true;
        }
        if (m_squares && d.reads.size() == 1 && d.reads[0].source == *m_squares && d.combine == Combine::none) {
            takeScale(t, d.body);
            m_level[id] = {Operand::Kind::scale, 0};
            return true;
        }
        if (d.combine != Combine::sum || d.reads.size() != 1 || !m_level.contains(d.reads[0].source) ||
            !isMeanOfNorm(id, d.reads[0].source))
            return false;
        const Chain& chain = m_d.before;
        if (m_d.norm || m_d.pool != Pool::none || m_d.space != Space::kept || chain.combinesFilters() ||
            chain.reads(Operand::Kind::element) ||
            !(m_level.at(d.reads[0].source) ==
              (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
            throw Refusal{fmt::format("{}, a norm at this place", t.name)};
        const std::int64_t images = x.extents[0], filters = m_d.filters, units = algebra::pointCount(t.extents);
        m_perNorm = algebra::pointCount(d.reduction);
        if (m_perNorm * units != algebra::pointCount(x.extents)) throw Refusal{t.name};
        Norm norm;
        norm.steps = chain.steps.size();
        const std::int64_t places = algebra::pointCount(x.extents) / images / filters;
        if (units == filters && m_perNorm == images * places) norm.over = Norm::Over::images;
        else if (units == images * filters && m_perNorm == places) norm.over = Norm::Over::space;
        else if (units % images == 0 && units < images * filters && t.extents[0] == images && m_perNorm % places == 0) {
            norm.over = Norm::Over::filtersOfGroup;
            norm.groups = units / images;
        } else throw Refusal{fmt::format("{}, which is over other axes", t.name)};
        m_d.norm = norm;
        m_d.normed = chain;
        m_mean = id;
        m_level[id] = {Operand::Kind::mean, 0};
        return true;
    }

    /// 1 / sqrt(squares / count + epsilon)
    void takeScale(const Tensor& t, const algebra::Expression& e) {
        using algebra::Function;
        const auto* root = e.is(Function::div) && e.arguments[0].isLiteral(1) && e.arguments[1].is(Function::sqrt)
                               ? &e.arguments[1].arguments[0]
                               : nullptr;
        if (!root || !root->is(Function::add) || root->arguments.size() != 2) throw Refusal{t.name};
        const bool first = root->arguments[0].isLiteral();
        const algebra::Expression &epsilon = root->arguments[first ? 0 : 1], &variance = root->arguments[first ? 1 : 0];
        const auto product = algebra::asProduct(variance);
        if (!epsilon.isLiteral() || !product || product->operands.size() != 1 ||
            std::abs(product->factor * double(m_perNorm) - 1) > 1e-9)
            throw Refusal{t.name};
        m_d.norm->epsilon = epsilon.literal;
    }

    /// Whether a norm's statistic is read as that of the element's image and filter.
    bool readsNorm(const Read& r, int filterAxis) const {
        bool image = false, filter = false;
        const std::int64_t each = m_d.filters / m_d.norm->groups;
        for (const Index& i : r.map) {
            if (isConstant(i)) continue;
            if (i.terms.size() != 1 || i.offset != 0 || i.divisor != 1 || i.terms[0].factor != 1) return false;
            const algebra::Term& term = i.terms[0];
            if (term.axis == 0 && term.isPlain()) image = true;
            else if (term.axis == filterAxis && (m_d.norm->over == Norm::Over::filtersOfGroup
                                                     ? term.divisor == each
                                                     : term.isPlain()))
                filter = true;
            else return false;
        }
        if (m_d.norm->over == Norm::Over::filtersOfGroup && m_d.norm->groups == 1) filter = true;
        return filter && image == (m_d.norm->over != Norm::Over::images);
    }

    /// How a tensor of the level has its axes.
    struct Axes {
        bool hasFilters = true, perFilter = true; ///< an axis of the filters, and of more than one
        std::size_t places = 2;                   ///< the first spatial axis
    };
    Axes axesOf(const Tensor& t) const {
        const std::size_t n = m_d.axes.size();
        Axes a;
        if (m_d.space != Space::kept) return summaryAxesOf(t);
        a.hasFilters = t.extents.size() == n + 2;
        a.places = a.hasFilters ? 2 : 1;
        a.perFilter = a.hasFilters && t.extents[1] == m_extents[1];
        bool same = t.extents.size() >= n + 1 && t.extents.size() <= n + 2 && t.extents[0] == m_extents[0] &&
                    (!a.hasFilters || a.perFilter || t.extents[1] == 1);
        for (std::size_t i = 0; same && i < n; ++i)
            same = t.extents[a.places + i] == m_extents[2 + i];
        if (!same) throw Refusal{fmt::format("{}, which changes the shape", t.name)};
        return a;
    }

    /// After a sum over space: images, filters, and any number of axes of one place.
    Axes summaryAxesOf(const Tensor& t) const {
        const std::int64_t images = m_extents[0], points = algebra::pointCount(t.extents);
        Axes a;
        a.perFilter = t.extents.size() >= 2 && t.extents[1] == m_d.filters && points == images * m_d.filters;
        a.hasFilters = a.perFilter || (t.extents.size() >= 2 && points == images);
        a.places = t.extents.size();
        if (t.extents.empty() || t.extents[0] != images || !(a.hasFilters || points == images))
            throw Refusal{fmt::format("{}, which changes the shape", t.name)};
        return a;
    }

    /// The sum or mean of a whole plane or volume.
    bool overSpace(TensorId id, const Definition& d) {
        const Tensor& t = m_graph.at(id);
        const std::size_t n = m_d.axes.size();
        const auto product = algebra::asProduct(d.body);
        if (m_d.space != Space::kept && d.combine == Combine::sum && d.reads.size() == 1 && product &&
            product->operands.size() == 1 && product->factor == 1 && algebra::pointCount(d.reduction) == 1 &&
            algebra::pointCount(t.extents) == algebra::pointCount(m_graph.at(d.reads[0].source).extents)) {
            m_level[id] = m_level.at(d.reads[0].source); // of one place
            return true;
        }
        if (m_d.space != Space::kept || d.combine != Combine::sum || d.reduction.size() != n || d.reads.size() != 1 ||
            !product || product->operands.size() != 1 || t.extents.size() < 2 || t.extents[0] != m_extents[0] ||
            t.extents[1] != m_extents[1] || algebra::pointCount(t.extents) != m_extents[0] * m_extents[1])
            return false;
        std::int64_t places = 1;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t extent = m_extents[i + 2];
            const Index& at = d.reads[0].map[i + 2];
            const bool whole = at.isAxis() && at.terms[0].axis == int(t.extents.size() + i) && d.reduction[i] == extent;
            if (!whole && !(extent == 1 && isConstant(at))) return false;
            places *= extent;
        }
        const bool mean = std::abs(product->factor * double(places) - 1) < 1e-12;
        if (!mean && product->factor != 1) return false;
        const Chain& chain = m_d.last();
        if (chain.combinesFilters() || chain.reads(Operand::Kind::element)) return false;
        if (!(m_level.at(d.reads[0].source) ==
              (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
            return false;
        m_d.space = mean ? Space::mean : Space::sum;
        for (const auto& [left, operand] : m_level)
            m_left.emplace(left, operand);
        m_level = {{id, {}}};
        m_extents.resize(2 + n);
        for (std::size_t i = 0; i < n; ++i)
            m_extents[2 + i] = 1;
        return true;
    }

    /// A formula at each place; with `combine`, over the filters.
    void pointwise(TensorId id, const Definition& d) {
        const Tensor& t = m_graph.at(id);
        const Axes axes = axesOf(t);
        const bool combines = d.combine != Combine::none;
        if (combines && (axes.perFilter || d.reduction != algebra::Extents{m_extents[1]} ||
                         (d.combine != Combine::sum && d.combine != Combine::maximum && d.combine != Combine::minimum)))
            throw Refusal{t.name};
        Chain& chain = m_d.space != Space::kept ? m_d.summary : m_d.pool == Pool::none ? m_d.before : m_d.after;
        Step step{t.name, d.body, {}, d.combine, axes.perFilter};
        const int filterAxis = combines ? int(t.extents.size()) : axes.perFilter ? 1 : -1;
        for (const Read& r : d.reads)
            step.operands.push_back(operandOf(r, t, axes, filterAxis));
        chain.steps.push_back(std::move(step));
        m_level[id] = {Operand::Kind::step, chain.steps.size() - 1};
    }

    Operand operandOf(const Read& r, const Tensor& reader, const Axes& axes, int filterAxis) {
        if (!r.constraints.empty()) throw Refusal{fmt::format("{}, which reads in part", reader.name)};
        const auto isAxisNumber = [](const Index& i, int axis) { return i.isAxis() && i.terms[0].axis == axis; };
        if (const auto it = m_level.find(r.source); it != m_level.end()) {
            if (it->second.kind == Operand::Kind::mean || it->second.kind == Operand::Kind::scale) {
                if (!readsNorm(r, filterAxis)) throw Refusal{fmt::format("{}, which reads a norm by place", reader.name)};
                return it->second;
            }
            const Tensor& source = m_graph.at(r.source);
            const Axes of = axesOf(source);
            bool same = isAxisNumber(r.map[0], 0);
            if (of.hasFilters)
                same = same &&
                       (of.perFilter ? filterAxis >= 0 && isAxisNumber(r.map[1], filterAxis) : isConstant(r.map[1]));
            for (std::size_t i = 0; m_d.space == Space::kept && i < m_d.axes.size(); ++i)
                same = same && (isAxisNumber(r.map[of.places + i], int(axes.places + i)) ||
                                (m_extents[2 + i] == 1 && isConstant(r.map[of.places + i])));
            if (!same) throw Refusal{fmt::format("{}, which reads other places", reader.name)};
            return it->second;
        }
        const Tensor& source = m_graph.at(r.source);
        if (!source.input() || source.dtype != tensor::DType::Float32)
            throw Refusal{fmt::format("{}, which reads {}", reader.name, source.name)};
        Operand o{Operand::Kind::scalar, parameter(source.name)};
        if (m_d.space == Space::kept && filterAxis == 1 && isIdentity(r.map, m_extents.size()) &&
            source.extents == m_extents) {
            o.kind = Operand::Kind::element;
            return o;
        }
        bool byFilter = false;
        for (const Index& i : r.map) {
            if (isConstant(i)) continue;
            if (filterAxis < 0 || !isAxisNumber(i, filterAxis) || byFilter)
                throw Refusal{fmt::format("{}, which reads {} by place", reader.name, source.name)};
            byFilter = true;
        }
        if (algebra::pointCount(source.extents) != (byFilter ? m_d.filters : 1))
            throw Refusal{fmt::format("{}, which reads {} in part", reader.name, source.name)};
        if (byFilter) o.kind = Operand::Kind::channel;
        return o;
    }

    std::size_t parameter(const std::string& name) {
        const auto it = std::ranges::find(m_d.parameters, name);
        if (it != m_d.parameters.end()) return std::size_t(it - m_d.parameters.begin());
        m_d.parameters.push_back(name);
        return m_d.parameters.size() - 1;
    }

    /// A window for each output, side by side.
    void pool(TensorId id, const Definition& d) {
        const Tensor& t = m_graph.at(id);
        const std::size_t n = m_d.axes.size();
        const auto product = algebra::asProduct(d.body);
        const bool maximum = d.combine == Combine::maximum && d.body.isRead();
        if (t.extents.size() != n + 2 || d.reduction.size() != n || d.reads.size() != 1 || !product ||
            product->operands.size() != 1 || !(maximum || d.combine == Combine::sum) || t.extents[1] != m_extents[1])
            throw Refusal{t.name};
        std::int64_t elements = 1;
        std::vector<std::int64_t> windows;
        for (std::size_t i = 0; i < n; ++i) {
            const Index& at = d.reads[0].map[i + 2];
            const std::int64_t size = d.reduction[i];
            if (at.divisor != 1 || at.offset != 0 || factorOf(at, int(i) + 2) != size ||
                (size > 1 && factorOf(at, int(n + 2 + i)) != 1) || t.extents[i + 2] != m_extents[i + 2] / size)
                throw Refusal{fmt::format("{}, whose windows overlap, are padded or are the whole", t.name)};
            windows.push_back(size);
            elements *= size;
        }
        const Pool kind = maximum ? Pool::maximum : Pool::mean;
        if (!maximum && std::abs(product->factor * double(elements) - 1) > 1e-12) throw Refusal{t.name};
        const auto level = m_level.find(d.reads[0].source);
        const Chain& chain = m_d.last();
        if (chain.combinesFilters()) throw Refusal{fmt::format("{}, a pool of what combines filters", t.name)};
        if (chain.reads(Operand::Kind::element))
            throw Refusal{fmt::format("{}, a pool of what reads a whole tensor", t.name)};
        if (!(level->second ==
              (chain.steps.empty() ? Operand{} : Operand{Operand::Kind::step, chain.steps.size() - 1})))
            throw Refusal{t.name};
        if (m_windows.empty()) m_windows.assign(n, 1);
        if (m_d.pool != Pool::none) {
            const bool passes = kind == Pool::mean ? isAffine(m_d.after) : isRising(m_d.after);
            if (kind != m_d.pool || !passes) throw Refusal{fmt::format("{}, another pool after a pool", t.name)};
            m_after = joined(std::move(m_after), m_d.after);
            m_d.after = {};
            m_d.rewrites.push_back("two pools are one");
        }
        for (std::size_t i = 0; i < n; ++i)
            m_windows[i] *= windows[i];
        m_d.pool = kind;
        m_extents = t.extents;
        for (const auto& [left, operand] : m_level)
            m_left.emplace(left, operand);
        m_level = {{id, {}}};
    }

    /// Moves what may be behind the pool there.
    void move() {
        m_d.after = joined(std::move(m_after), m_d.after);
        if (m_d.pool == Pool::mean && isAffine(m_d.before)) {
            m_d.combined = true;
            m_d.rewrites.push_back("the mean of a cell is one convolution with sums of the taps");
        } else if (!(m_d.pool == Pool::maximum && isRising(m_d.before))) {
            return;
        }
        if (!m_d.before.steps.empty())
            m_d.rewrites.push_back(m_d.combined ? "affine maps moved past the mean"
                                                : "rising maps moved past the maximum");
        m_d.after = joined(std::move(m_d.before), m_d.after);
        m_d.before = {};
    }

    void divide() {
        for (std::size_t i = 0; i < m_d.axes.size(); ++i)
            if (Axis& a = m_d.axes[i]; !a.divide(m_d.pool == Pool::none ? a.divisor : m_windows[i]))
                throw Refusal{"windows that the stride does not divide"};
        if (!m_d.combined && m_d.cellOutputs() > mostOutputsOfCell)
            throw Refusal{fmt::format("a cell of {} outputs", m_d.cellOutputs())};
    }

    const Graph& m_graph;
    Description m_d;
    algebra::Extents m_extents;          ///< of the level that the chain is at
    std::map<TensorId, Operand> m_level; ///< tensors of this level
    std::map<TensorId, Operand> m_left;  ///< of levels before a pool
    std::vector<std::int64_t> m_windows;
    std::optional<TensorId> m_mean, m_squares; ///< of the norm
    std::int64_t m_perNorm = 1;                ///< elements that share a mean
    Chain m_after; ///< what stood between pools
};

} // namespace

Result<Description> describe(const Graph& graph) {
    try {
        return Matcher(graph).run();
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("There is no convolution kernel for {}.", r.what)};
    }
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
        Result<Description> d = describe(*graph);
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
