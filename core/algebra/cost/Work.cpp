// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cost/Work.h"

#include "core/algebra/cost/Points.h"

#include <algorithm>

namespace kernelarium::algebra {

namespace {

/// The axis that a factor [axis == whole number] of a sum picks one value of, or -1.
int pickedAxis(const Definition& d) {
    if (d.combine != Combine::sum || !d.body.is(Function::mul)) return -1;
    for (const Expression& f : d.body.arguments)
        if (f.is(Function::equal) && f.arguments[0].kind == Expression::Kind::axis && f.arguments[1].isRead())
            return f.arguments[0].axis;
    return -1;
}

/// Elements of an input that are read: boxes of its extents, each axis from low to high by steps.
struct Box {
    std::vector<Range> ranges;
    std::vector<std::int64_t> counts;
    [[nodiscard]] double count() const {
        double n = 1;
        for (std::int64_t c : counts)
            n *= double(c);
        return n;
    }
};

/// The values that each axis of a space takes at all, by constraints that name no other axis.
std::vector<Range> axisRanges(const Extents& space, const Read& r, const Definition& d) {
    std::vector<Range> ranges;
    for (std::int64_t e : space)
        ranges.push_back({0, e - 1});
    for (const auto* list : {&d.domain, &r.constraints})
        for (const Constraint& c : *list) {
            if (c.divisor != 1 || c.terms.size() != 1 || !c.terms[0].isPlain()) continue;
            const std::int64_t f = c.terms[0].factor;
            Range& range = ranges[std::size_t(c.terms[0].axis)];
            if (f > 0)
                range.low = std::max(range.low, c.offset >= 0 ? 0 : (-c.offset + f - 1) / f);
            else
                range.high = std::min(range.high, c.offset < 0 ? -1 : c.offset / -f);
        }
    return ranges;
}

/// How many values an affine index takes at least within the extent; all of them where its factors leave no gap.
Box boxOf(const Read& r, const Extents& source, const Extents& space, const Definition& definition) {
    const std::vector<Range> axes = axisRanges(space, r, definition);
    Box box;
    for (std::size_t a = 0; a < source.size(); ++a) {
        Range range{r.map[a].offset, r.map[a].offset};
        for (const Term& t : r.map[a].terms) {
            const Range& axis = axes[std::size_t(t.axis)];
            const bool whole = !t.isPlain(); // a rest may take any value
            const std::int64_t most = (space[std::size_t(t.axis)] - 1) / t.divisor;
            const std::int64_t low = t.factor * (whole ? 0 : axis.low);
            const std::int64_t high =
                t.factor * (whole ? (t.modulus > 0 ? std::min(most, t.modulus - 1) : most) : axis.high);
            range.low += std::min(low, high), range.high += std::max(low, high);
        }
        const std::int64_t d = r.map[a].divisor;
        range.low = std::max<std::int64_t>((range.low + (range.low > 0 ? d - 1 : 0)) / d, 0);
        range.high = std::min(range.high < 0 ? -1 : range.high / d, source[a] - 1);
        std::int64_t count = std::max<std::int64_t>(range.high - range.low + 1, 0);
        // Terms by factor: each must reach over the gap that the ones above it leave.
        std::vector<std::pair<std::int64_t, std::int64_t>> steps; // factor, number of values
        for (const Term& t : r.map[a].terms) {
            std::int64_t values = (space[std::size_t(t.axis)] - 1) / t.divisor + 1;
            if (t.modulus > 0) values = std::min(values, t.modulus);
            steps.emplace_back(std::abs(t.factor), values);
        }
        std::sort(steps.begin(), steps.end());
        std::int64_t reach = 1, most = 1; // consecutive values so far
        bool gapless = true;
        for (const auto& [factor, values] : steps) {
            gapless = gapless && factor <= reach;
            reach += factor * (values - 1);
            most = std::max(most, values);
        }
        if (!gapless && d == 1) count = std::min(count, most);
        box.ranges.push_back(range);
        box.counts.push_back(count);
    }
    return box;
}

bool overlap(const Box& a, const Box& b) {
    for (std::size_t i = 0; i < a.ranges.size(); ++i)
        if (a.ranges[i].high < b.ranges[i].low || b.ranges[i].high < a.ranges[i].low) return false;
    return true;
}

/// Elements that boxes hold together, at least: the largest, and those that are apart from what is counted already.
double heldBy(std::vector<Box> boxes, const Extents& extents) {
    std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.count() > b.count(); });
    std::vector<Box> counted;
    double n = 0;
    for (const Box& b : boxes) {
        if (n >= double(pointCount(extents))) break;
        if (std::any_of(counted.begin(), counted.end(), [&](const Box& c) { return overlap(b, c); })) continue;
        n += b.count();
        counted.push_back(b);
        if (counted.size() > 64) break;
    }
    return std::min(n, double(pointCount(extents)));
}

/// Elements of a triangle's kind that a formula's domain keeps it from reading are not counted out: bytes come in
/// sectors, and a bound from below may only count what is surely read. So a read under a domain counts half of what
/// its box holds where a constraint ties two of its axes.
double shareOf(const Read& r, const Definition& d) {
    int tied = 0;
    for (const auto* list : {&d.domain, &r.constraints})
        for (const Constraint& c : *list) {
            int axes = 0;
            for (const Index& i : r.map)
                axes += std::any_of(c.terms.begin(), c.terms.end(), [&](const Term& t) { return i.uses(t.axis); });
            tied += axes > 1;
        }
    return tied > 1 ? 0.0 : tied == 1 ? 0.5 : 1.0;
}

std::size_t hashOf(const Tensor& tensor) {
    const Definition& d = *tensor.definition();
    std::size_t hash = d.reads.size();
    const auto add = [&](std::size_t more) { hash = hash * 0x9E3779B97F4A7C15 + more; };
    for (const auto* extents : {&tensor.extents, &d.reduction})
        for (std::int64_t e : *extents)
            add(std::size_t(e));
    for (const Read& r : d.reads)
        for (const Index& i : r.map)
            add(i.terms.size() * 1000 + std::size_t(i.offset));
    add(std::size_t(d.body.function) * 100 + d.body.arguments.size());
    return hash;
}

} // namespace

double flopsOf(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    if (const Recurrence* r = t.recurrence()) {
        double step = 0;
        for (TensorId i = 0; i < r->body->tensors.size(); ++i)
            step += flopsOf(*r->body, i);
        return step * double(r->steps);
    }
    const Definition* d = t.definition();
    if (!d) return 0;
    const std::optional<Product> product = asProduct(d->body);
    double each = d->combine == Combine::none ? 0 : 1;
    if (product && d->combine == Combine::sum)
        each += double(std::max<std::size_t>(product->operands.size(), 1) - 1);
    else
        each += flopsOf(d->body);
    if (each == 0) return 0;
    const Extents space = spaceOf(t);
    if (const int scan = scanAxis(t); scan >= 0)
        return each * double(pointCount(space)) / double(space[std::size_t(scan)]);
    const std::optional<double> points = countPoints(space, conditionsOf(graph, t));
    if (!points) return 0;
    if (const int picked = pickedAxis(*d); picked >= 0) return *points / double(space[std::size_t(picked)]);
    return *points * each;
}

bool WorkCounter::Known::isOf(const Graph& graph, const Tensor& tensor) const {
    const Definition& d = *tensor.definition();
    if (extents != tensor.extents || formula.reduction != d.reduction || formula.combine != d.combine ||
        formula.outside != d.outside || formula.reads.size() != d.reads.size() || formula.domain != d.domain ||
        formula.body != d.body)
        return false;
    for (std::size_t i = 0; i < d.reads.size(); ++i) {
        const Read &a = formula.reads[i], &b = d.reads[i];
        if (a.map != b.map || a.constraints != b.constraints || a.outside != b.outside ||
            sources[i] != graph.at(b.source).extents)
            return false;
    }
    return true;
}

double WorkCounter::counted(const Graph& graph, TensorId id) {
    const Tensor& t = graph.at(id);
    if (!t.definition()) return flopsOf(graph, id);
    const std::size_t hash = hashOf(t);
    for (auto [at, end] = m_known.equal_range(hash); at != end; ++at)
        if (at->second.isOf(graph, t)) return at->second.flops;
    Known known{t.extents, {}, *t.definition(), flopsOf(graph, id)};
    for (Read& r : known.formula.reads) {
        known.sources.push_back(graph.at(r.source).extents);
        r.source = 0;
    }
    return m_known.emplace(hash, std::move(known))->second.flops;
}

Work WorkCounter::of(const Graph& graph) {
    Work work;
    std::map<TensorId, std::vector<Box>> read;
    std::map<TensorId, double> share;
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
        const Tensor& t = graph.tensors[id];
        if (t.input()) continue;
        const double flops = counted(graph, id);
        const tensor::DType type = isFloating(t.dtype) ? t.dtype : tensor::DType::Float32;
        work.flops += flops;
        work.flopsByType[type] += flops;
        if (t.recurrence() || formOf(t) == Form::contraction) {
            work.productFlops += flops;
            work.productFlopsByType[type] += flops;
        }
        const auto whole = [&](TensorId s) {
            Box box;
            for (std::int64_t e : graph.at(s).extents) {
                box.ranges.push_back({0, e - 1});
                box.counts.push_back(e);
            }
            read[s].push_back(std::move(box));
            share[s] = 1;
        };
        if (const Definition* d = t.definition()) {
            for (const Read& r : d->reads) {
                if (!graph.at(r.source).input()) continue;
                read[r.source].push_back(boxOf(r, graph.at(r.source).extents, spaceOf(t), *d));
                share[r.source] = std::max(share[r.source], shareOf(r, *d));
            }
        } else
            for (TensorId s : sourcesOf(t))
                if (graph.at(s).input()) whole(s);
    }
    for (const auto& [id, boxes] : read) {
        const Tensor& t = graph.at(id);
        if (t.input()->cardTensor == Input::drawn) continue;
        work.inputBytes += share[id] * heldBy(boxes, t.extents) * double(byteSize(t.dtype));
    }
    for (TensorId o : graph.outputs)
        work.outputBytes += double(pointCount(graph.at(o).extents)) * double(byteSize(graph.at(o).dtype));
    return work;
}

Work workOf(const Graph& graph) {
    return WorkCounter().of(graph);
}

Bound boundOf(const Work& work, const perf::DeviceSpec& device, Arithmetic arithmetic) {
    using tensor::DType;
    Bound bound;
    bound.memorySeconds = device.memoryBandwidth > 0 ? work.bytes() / device.memoryBandwidth : 0;
    double vector = 0, tensor = 0; // seconds of the units, which work side by side
    for (const auto& [type, flops] : work.flopsByType) {
        const auto found = work.productFlopsByType.find(type);
        const double products = found == work.productFlopsByType.end() ? 0 : found->second;
        double plain = device.fp32, cores = device.fp32;
        if (type == DType::Float64)
            plain = device.fp64, cores = std::max(device.fp64, device.tensor.fp64);
        else if (type == DType::Float16 || type == DType::BFloat16)
            plain = std::max(device.fp16, device.fp32), cores = std::max(device.tensor.fp16, plain);
        else if (arithmetic == Arithmetic::tf32)
            cores = std::max(device.tensor.tf32, device.fp32);
        const bool onTensorCores = cores > plain;
        if (plain > 0) vector += (flops - products) / plain;
        if (cores > 0) (onTensorCores ? tensor : vector) += products / cores;
    }
    bound.arithmeticSeconds = std::max(vector, tensor);
    bound.seconds = std::max(bound.memorySeconds, bound.arithmeticSeconds);
    return bound;
}

} // namespace kernelarium::algebra
