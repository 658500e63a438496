// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

using Elements = std::vector<double>;
struct Cancelled {};

/// An index along the innermost axis: its numerator, and by how much it grows from point to point, if it is plain
/// there. What is not plain is computed anew at every point.
struct Walk {
    const Index* index;
    std::int64_t numerator = 0, step = 0;
    bool plain = true;

    Walk(const Index& i, int inner)
        : index(&i) {
        for (const Term& t : i.terms)
            if (t.axis == inner) {
                plain = plain && t.isPlain();
                step += t.factor;
            }
    }
    void start(std::span<const std::int64_t> point) {
        numerator = index->offset;
        for (const Term& t : index->terms) {
            std::int64_t v = point[std::size_t(t.axis)] / t.divisor;
            if (t.modulus > 0) v %= t.modulus;
            numerator += t.factor * v;
        }
    }
    void next(std::span<const std::int64_t> point) {
        if (plain)
            numerator += step;
        else
            start(point);
    }
    [[nodiscard]] bool divides() const { return index->divisor == 1 || numerator % index->divisor == 0; }
    [[nodiscard]] std::int64_t value() const { return index->divisor == 1 ? numerator : numerator / index->divisor; }
};

/// A read along the innermost axis.
struct Reader {
    const Elements* elements;
    std::vector<Walk> at;
    std::vector<std::int64_t> extents, strides;
    std::vector<Walk> constraints;
    double outside;
    bool straight = false; ///< for this row: no limit can be met, so offset + i * stride is the element
    std::int64_t offset = 0, stride = 0;

    Reader(const Read& r, const Tensor& source, const Elements& data, int inner)
        : elements(&data)
        , extents(source.extents)
        , outside(r.outside) {
        for (const Index& i : r.map)
            at.emplace_back(i, inner);
        for (const Constraint& c : r.constraints)
            constraints.emplace_back(c, inner);
        strides.assign(extents.size(), 1);
        for (std::size_t a = extents.size(); a-- > 1;)
            strides[a - 1] = strides[a] * extents[a];
    }
    void start(std::span<const std::int64_t> point, std::int64_t length) {
        straight = constraints.empty();
        offset = stride = 0;
        for (std::size_t a = 0; a < at.size(); ++a) {
            Walk& w = at[a];
            w.start(point);
            const std::int64_t last = w.numerator + w.step * (length - 1);
            straight = straight && w.plain && w.index->divisor == 1 && std::min(w.numerator, last) >= 0 &&
                       std::max(w.numerator, last) < extents[a];
            offset += w.numerator * strides[a];
            stride += w.step * strides[a];
        }
        for (Walk& w : constraints)
            w.start(point);
    }
    [[nodiscard]] double value() const {
        for (const Walk& w : constraints)
            if (!w.divides() || w.value() < 0) return outside;
        std::int64_t place = 0;
        for (std::size_t a = 0; a < at.size(); ++a) {
            if (!at[a].divides()) return outside;
            const std::int64_t i = at[a].value();
            if (i < 0 || i >= extents[a]) return outside;
            place += i * strides[a];
        }
        return (*elements)[std::size_t(place)];
    }
    void next(std::span<const std::int64_t> point) {
        for (Walk& w : at)
            w.next(point);
        for (Walk& w : constraints)
            w.next(point);
    }
};

class DefinitionRun {
public:
    DefinitionRun(const Graph& graph, const std::vector<Elements>& data, const Tensor& tensor, std::stop_token stop)
        : m_tensor(tensor)
        , m_definition(*tensor.definition())
        , m_space(spaceOf(tensor))
        , m_stop(std::move(stop)) {
        if (m_space.empty()) m_space.push_back(1); // a scalar: a row of one point
        m_scan = scanAxis(tensor);
        // A running combination visits (o without its axis, r) once: r stands for the axis.
        m_rows = m_space;
        if (m_scan >= 0) m_rows[std::size_t(m_scan)] = 1;
        const int inner = int(m_rows.size()) - 1;
        for (const Read& r : m_definition.reads)
            m_readers.emplace_back(r, graph.at(r.source), data[r.source], inner);
        if (m_scan < 0)
            for (const Constraint& c : m_definition.domain)
                m_domain.emplace_back(c, inner);
        m_product = asProduct(m_definition.body);
        m_values.resize(m_readers.size());
    }

    Elements run() {
        const std::size_t count = std::size_t(pointCount(m_tensor.extents));
        m_out.assign(count,
                     m_definition.combine == Combine::none ? m_definition.outside : neutral(m_definition.combine));
        m_best.assign(isPlace() ? count : 0, 0.0);
        m_seen.assign(m_definition.combine == Combine::none ? 0 : count, 0);
        std::vector<std::int64_t> point(m_rows.size(), 0);
        if (pointCount(m_rows) > 0) walk(point, 0);
        for (std::size_t i = 0; i < m_seen.size(); ++i)
            if (!m_seen[i]) m_out[i] = m_definition.outside;
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool isPlace() const {
        return m_definition.combine == Combine::argMax || m_definition.combine == Combine::argMin;
    }

    void walk(std::vector<std::int64_t>& point, std::size_t axis) {
        if (axis + 1 == m_rows.size()) {
            row(point);
            return;
        }
        for (point[axis] = 0; point[axis] < m_rows[axis]; ++point[axis])
            walk(point, axis + 1);
        point[axis] = 0;
    }

    /// All points of the innermost axis.
    void row(std::vector<std::int64_t>& point) {
        if ((++m_count & 4095) == 0 && m_stop.stop_requested()) throw Cancelled{};
        const std::int64_t length = m_rows.back();
        bool straight = m_domain.empty();
        for (Reader& r : m_readers) {
            r.start(point, length);
            straight = straight && r.straight;
        }
        for (Walk& w : m_domain)
            w.start(point);
        std::int64_t element = 0, step = 0;
        for (std::size_t a = 0; a < m_tensor.extents.size(); ++a)
            element = element * m_tensor.extents[a] + point[a];
        const bool innerIsOut = m_tensor.extents.size() == m_rows.size();
        if (innerIsOut) step = 1;
        if (m_scan >= 0) {
            step = 1;
            for (std::size_t a = std::size_t(m_scan) + 1; a < m_tensor.extents.size(); ++a)
                step *= m_tensor.extents[a];
        }
        if (straight && m_product && m_definition.combine == Combine::sum && m_scan < 0 && !innerIsOut) {
            m_out[std::size_t(element)] += sumOfProducts(length);
            m_seen[std::size_t(element)] = 1;
            return;
        }
        double running = neutral(m_definition.combine);
        for (std::int64_t i = 0; i < length; ++i, element += step) {
            point.back() = i;
            bool inside = true;
            for (Walk& w : m_domain) {
                if (i > 0) w.next(point);
                inside = inside && w.divides() && w.value() >= 0;
            }
            for (std::size_t k = 0; k < m_readers.size(); ++k) {
                Reader& r = m_readers[k];
                if (r.straight) {
                    m_values[k] = (*r.elements)[std::size_t(r.offset + i * r.stride)];
                    continue;
                }
                if (i > 0) r.next(point);
                m_values[k] = inside ? r.value() : 0;
            }
            if (!inside) continue;
            const double value = evaluate(m_definition.body, m_values, point);
            if (m_scan >= 0) {
                running = combined(running, value);
                m_out[std::size_t(element)] = running;
                m_seen[std::size_t(element)] = 1;
            } else
                take(std::size_t(element), value, point);
        }
        point.back() = 0;
    }

    double sumOfProducts(std::int64_t length) {
        double sum = 0;
        const std::vector<std::size_t>& f = m_product->operands;
        if (f.size() == 2) {
            const Reader &x = m_readers[f[0]], &y = m_readers[f[1]];
            const double *p = x.elements->data() + x.offset, *q = y.elements->data() + y.offset;
            for (std::int64_t i = 0; i < length; ++i)
                sum += p[i * x.stride] * q[i * y.stride];
        } else {
            for (std::int64_t i = 0; i < length; ++i) {
                double v = 1;
                for (std::size_t k : f)
                    v *= (*m_readers[k].elements)[std::size_t(m_readers[k].offset + i * m_readers[k].stride)];
                sum += v;
            }
        }
        return sum * m_product->factor;
    }

    [[nodiscard]] double combined(double a, double b) const {
        switch (m_definition.combine) {
        case Combine::sum: return a + b;
        case Combine::product: return a * b;
        case Combine::maximum: return b > a || b != b ? b : a;
        case Combine::minimum: return b < a || b != b ? b : a;
        default: return b;
        }
    }

    void take(std::size_t element, double value, std::span<const std::int64_t> point) {
        if (m_definition.combine == Combine::none) {
            m_out[element] = value;
            return;
        }
        const bool first = !m_seen[element];
        m_seen[element] = 1;
        if (!isPlace()) {
            m_out[element] = first ? combined(neutral(m_definition.combine), value) : combined(m_out[element], value);
            return;
        }
        const bool better = m_definition.combine == Combine::argMax ? value > m_best[element] : value < m_best[element];
        if (!first && !better) return;
        m_best[element] = value;
        std::int64_t place = 0;
        for (std::size_t a = m_tensor.extents.size(); a < m_space.size(); ++a)
            place = place * m_space[a] + point[a];
        m_out[element] = double(place);
    }

    const Tensor& m_tensor;
    const Definition& m_definition;
    Extents m_space, m_rows;
    std::stop_token m_stop;
    std::vector<Reader> m_readers;
    std::vector<Walk> m_domain;
    std::optional<Product> m_product;
    Elements m_out, m_best, m_values;
    std::vector<char> m_seen;
    int m_scan = -1;
    std::uint64_t m_count = 0;
};

Result<std::vector<Elements>> evaluateAll(const Graph& graph, const std::vector<Elements>& inputs,
                                          const std::stop_token& stop);

Result<Elements> runRecurrence(const Tensor& tensor, const std::vector<Elements>& data, const std::stop_token& stop) {
    const Recurrence& r = *tensor.recurrence();
    const std::size_t states = r.initial.size();
    const std::size_t size =
        std::size_t(pointCount(tensor.extents)) / (states * std::size_t(std::max<std::int64_t>(r.steps, 1)));
    std::vector<Elements> current;
    for (TensorId id : r.initial)
        current.push_back(data[id]);
    Elements out(std::size_t(pointCount(tensor.extents)));
    std::vector<Elements> inputs(states + r.sequences.size() + r.constants.size());
    for (std::size_t k = 0; k < r.constants.size(); ++k)
        inputs[states + r.sequences.size() + k] = data[r.constants[k]];
    for (std::int64_t step = 0; step < r.steps; ++step) {
        const auto t = std::size_t(r.backwards ? r.steps - 1 - step : step);
        for (std::size_t s = 0; s < states; ++s)
            inputs[s] = current[s];
        for (std::size_t k = 0; k < r.sequences.size(); ++k) {
            const Elements& all = data[r.sequences[k]];
            const std::size_t each = all.size() / std::size_t(r.steps);
            const auto from = all.begin() + std::ptrdiff_t(t * each);
            inputs[states + k].assign(from, from + std::ptrdiff_t(each));
        }
        Result<std::vector<Elements>> next = evaluateAll(*r.body, inputs, stop);
        if (!next) return next.error();
        current = *std::move(next);
        for (std::size_t s = 0; s < states; ++s)
            std::copy(current[s].begin(), current[s].end(),
                      out.begin() + std::ptrdiff_t((s * std::size_t(r.steps) + t) * size));
    }
    return out;
}

Result<std::vector<Elements>> evaluateAll(const Graph& graph, const std::vector<Elements>& inputs,
                                          const std::stop_token& stop) {
    std::vector<TensorId> last(graph.tensors.size(), 0);
    for (TensorId id = 0; id < graph.tensors.size(); ++id)
        for (TensorId s : sourcesOf(graph.tensors[id]))
            last[s] = id;
    for (TensorId o : graph.outputs)
        last[o] = graph.tensors.size();
    std::vector<Elements> data(graph.tensors.size());
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        const Tensor& t = graph.tensors[id];
        if (const Input* in = t.input()) {
            if (last[id] == 0) continue;
            if (in->cardTensor == Input::drawn)
                return Error{"unsupported",
                             fmt::format("The tensor {} is drawn by an operator: the result is not fixed.", t.name)};
            if (in->cardTensor >= inputs.size() || std::int64_t(inputs[in->cardTensor].size()) != pointCount(t.extents))
                return Error{"bad_argument",
                             fmt::format("The tensor {} is missing, or has another number of elements.", t.name)};
            data[id] = inputs[in->cardTensor];
        } else if (t.recurrence()) {
            Result<Elements> r = runRecurrence(t, data, stop);
            if (!r) return r.error();
            data[id] = *std::move(r);
        } else {
            data[id] = DefinitionRun(graph, data, t, stop).run();
        }
        for (TensorId s : sourcesOf(t))
            if (last[s] == id) data[s] = {};
    }
    std::vector<Elements> out;
    for (TensorId o : graph.outputs)
        out.push_back(data[o]);
    return out;
}

} // namespace

Result<std::vector<std::vector<double>>> evaluate(const Graph& graph, const std::vector<std::vector<double>>& inputs,
                                                  std::stop_token stop) {
    try {
        return evaluateAll(graph, inputs, stop);
    } catch (const Cancelled&) {
        return Error{"cancelled", "The evaluation was stopped."};
    }
}

double evaluationWork(const Graph& graph) {
    double work = 0;
    for (const Tensor& t : graph.tensors) {
        if (t.definition()) {
            const double points = double(pointCount(spaceOf(t)));
            work += scanAxis(t) >= 0 ? points / double(t.extents[std::size_t(scanAxis(t))]) : points;
        }
        if (const Recurrence* r = t.recurrence()) work += double(r->steps) * evaluationWork(*r->body);
    }
    return work;
}

} // namespace kernelarium::algebra
