// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/backend/Raised.h"

#include <fmt/format.h>
#include <map>

namespace kernelarium::host {

namespace {

/// What a factory makes: sizes, type and place.
struct Plan {
    Shape sizes;
    DType dtype = DType::Float32;
    bool onHost = true;
};

/// PyTorch's defaults (float32 on the CPU) unless the options say otherwise.
Plan plan(const CallArguments& a, Shape sizes, std::size_t optionsFrom, DType otherwise = DType::Float32) {
    const PlacementOptions options = a.options(optionsFrom);
    return {std::move(sizes), options.dtype.value_or(otherwise), !options.device || options.device->index < 0};
}

/// The type and place of argument 0 unless the options say otherwise.
Plan planLike(const CallArguments& a, Shape sizes, std::size_t optionsFrom) {
    const TensorView& self = a.tensor(0);
    const PlacementOptions options = a.options(optionsFrom);
    return {std::move(sizes), options.dtype.value_or(self.dtype),
            options.device ? options.device->index < 0 : self.storage->onHost};
}

TensorView allocate(const CallArguments& a, const Plan& plan) {
    return a.table().allocate(plan.dtype, plan.sizes, plan.onHost, "output of " + a.name());
}

PyItems empty(const CallArguments& a, const Plan& plan) {
    return {TensorRef{a.table().add(allocate(a, plan))}};
}

PyItems filled(const CallArguments& a, const Plan& plan, double value) {
    TensorView made = allocate(a, plan);
    a.table().fill(made, value);
    return {TensorRef{a.table().add(std::move(made))}};
}

/// Type of torch::full where none is asked for: that of the value.
DType typeOf(const PyValue& value) {
    if (value.as<bool>()) return DType::Bool;
    if (value.as<std::int64_t>()) return DType::Int64;
    return DType::Float32;
}

/// Sizes of nested lists, from the first of each.
Shape nestedSizes(const PyValue& value) {
    Shape sizes;
    for (const auto* list = value.as<ListRef>(); list; list = list->items->front().as<ListRef>()) {
        sizes.push_back(std::int64_t(list->items->size()));
        if (list->items->empty()) break;
    }
    return sizes;
}

void flatten(const PyValue& value, std::size_t depth, const Shape& sizes, PyItems& leaves) {
    const auto* list = value.as<ListRef>();
    if (!list) {
        leaves.push_back(value);
        return;
    }
    const auto length = std::int64_t(list->items->size());
    const std::int64_t expected = depth < sizes.size() ? sizes[depth] : 0;
    if (length != expected)
        throw Raised{"ValueError",
                     fmt::format("expected sequence of length {} at dim {} (got {})", expected, depth, length)};
    for (const PyValue& item : *list->items)
        flatten(item, depth + 1, sizes, leaves);
}

/// torch::tensor: nested lists of numbers.
PyItems fromValues(const CallArguments& a) {
    const Shape sizes = nestedSizes(a.at(0));
    PyItems leaves;
    flatten(a.at(0), 0, sizes, leaves);
    if (std::int64_t(leaves.size()) != tensor::elementCount(sizes)) a.reject(0, "nested lists of one length each");
    DType natural = leaves.empty() ? DType::Float32 : typeOf(leaves.front());
    for (const PyValue& leaf : leaves)
        if (leaf.as<double>()) natural = DType::Float32;
    const Plan made = plan(a, sizes, 1, natural);
    tensor::Tensor values(made.dtype, made.sizes);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const PyValue& leaf = leaves[i];
        if (const auto* d = leaf.as<double>())
            values.set(std::int64_t(i), *d);
        else if (const auto* n = leaf.as<std::int64_t>(); n && made.dtype == DType::Int64)
            values.data<std::int64_t>()[i] = *n;
        else if (n)
            values.set(std::int64_t(i), double(*n));
        else if (const auto* b = leaf.as<bool>())
            values.set(std::int64_t(i), *b);
        else
            a.reject(0, "a number or a list of numbers");
    }
    TensorView view = allocate(a, made);
    a.table().scatter(view, values);
    return {TensorRef{a.table().add(std::move(view))}};
}

/// torch::from_blob(pointer, sizes[, strides], options): the bytes stay where they are.
PyItems fromBlob(const CallArguments& a) {
    const auto* pointer = a.at(0).as<PointerRef>();
    if (!pointer) a.reject(0, "a pointer");
    const Plan made = plan(a, a.integers(1), 2);
    const Shape strides = a.at(2).as<ListRef>() ? a.integers(2) : Shape{};
    return {TensorRef{a.table().add(a.table().adopt(pointer->address, made.dtype, made.sizes, strides, made.onHost))}};
}

/// arange(end) | arange(start, end) | arange(start, end, step), told apart by the overload.
PyItems arange(const CallArguments& a) {
    const bool hasStart = a.overload() != "default";
    const bool hasStep = a.overload() == "start_step";
    const std::size_t last = hasStep ? 2 : hasStart ? 1 : 0;
    DType natural = DType::Int64;
    for (std::size_t i = 0; i <= last; ++i)
        if (a.at(i).as<double>()) natural = DType::Float32;
    const double start = hasStart ? a.number(0) : 0, end = a.number(hasStart ? 1 : 0), step = hasStep ? a.number(2) : 1;
    if (step == 0) raise("step must be nonzero");
    if ((end - start) / step < 0) raise("upper bound and lower bound inconsistent with step sign");
    auto count = std::int64_t((end - start) / step);
    if (double(count) * step != end - start) ++count;
    const Plan made = plan(a, {count}, last + 1, natural);
    tensor::Tensor values(made.dtype, made.sizes);
    for (std::int64_t i = 0; i < count; ++i)
        values.set(i, start + double(i) * step);
    TensorView view = allocate(a, made);
    a.table().scatter(view, values);
    return {TensorRef{a.table().add(std::move(view))}};
}

/// empty_like and its kin keep the strides of a dense tensor (memory format "preserve").
PyItems emptyLike(const CallArguments& a) {
    const TensorView self = a.tensor(0);
    TensorView made = allocate(a, planLike(a, self.shape, 1));
    const MemoryFormat format = a.base() == "full_like" ? MemoryFormat::preserve : a.format(5, MemoryFormat::preserve);
    if (format != MemoryFormat::preserve)
        made.strides = formatStrides(self.shape, format);
    else if (self.isPacked())
        made.strides = self.strides;
    return {TensorRef{a.table().add(std::move(made))}};
}

PyItems fullLike(const CallArguments& a, double value, std::size_t optionsFrom) {
    PyItems made = emptyLike(a);
    TensorView& view = a.table().at(made[0].as<TensorRef>()->handle);
    const PlacementOptions options = a.options(optionsFrom);
    if (options.dtype && *options.dtype != view.dtype) view = allocate(a, planLike(a, view.shape, optionsFrom));
    a.table().fill(view, value);
    return made;
}

using Factory = PyItems (*)(const CallArguments&);

const std::map<std::string_view, Factory>& factories() {
    static const std::map<std::string_view, Factory> table{
        {"empty",
         [](const CallArguments& a) {
             PyItems made = empty(a, plan(a, a.integers(0), 1));
             TensorView& view = a.table().at(made[0].as<TensorRef>()->handle);
             if (a.overload() == "memory_format") view.strides = formatStrides(view.shape, a.format(5));
             return made;
         }},
        {"empty_like", emptyLike},
        {"empty_strided",
         [](const CallArguments& a) {
             tensor::Layout wanted(a.integers(0), a.integers(1));
             if (wanted.shape.size() != wanted.strides.size())
                 raise(fmt::format("dimensionality of sizes ({}) must match dimensionality of strides ({})",
                                   wanted.shape.size(), wanted.strides.size()));
             TensorView made = allocate(a, plan(a, {wanted.count() == 0 ? 0 : wanted.reach().second}, 2));
             static_cast<tensor::Layout&>(made) = std::move(wanted);
             return PyItems{TensorRef{a.table().add(std::move(made))}};
         }},
        {"new_empty", [](const CallArguments& a) { return empty(a, planLike(a, a.integers(1), 2)); }},
        {"zeros", [](const CallArguments& a) { return filled(a, plan(a, a.integers(0), 1), 0); }},
        {"ones", [](const CallArguments& a) { return filled(a, plan(a, a.integers(0), 1), 1); }},
        {"full",
         [](const CallArguments& a) { return filled(a, plan(a, a.integers(0), 2, typeOf(a.at(1))), a.number(1)); }},
        {"scalar_tensor", [](const CallArguments& a) { return filled(a, plan(a, {}, 1), a.number(0)); }},
        {"zeros_like", [](const CallArguments& a) { return fullLike(a, 0, 1); }},
        {"ones_like", [](const CallArguments& a) { return fullLike(a, 1, 1); }},
        {"full_like", [](const CallArguments& a) { return fullLike(a, a.number(1), 2); }},
        {"new_zeros", [](const CallArguments& a) { return filled(a, planLike(a, a.integers(1), 2), 0); }},
        {"new_ones", [](const CallArguments& a) { return filled(a, planLike(a, a.integers(1), 2), 1); }},
        {"new_full", [](const CallArguments& a) { return filled(a, planLike(a, a.integers(1), 3), a.number(2)); }},
        {"tensor", fromValues},
        {"from_blob", fromBlob},
        {"arange", arange},
    };
    return table;
}

} // namespace

bool callFactory(const CallArguments& arguments, PyItems& results) {
    const auto found = factories().find(arguments.base());
    if (found == factories().end()) return false;
    results = found->second(arguments);
    return true;
}

} // namespace kernelarium::host
