// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Call.h"

#include "core/tensor/Limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::task::operators {

void badArgument(std::string message) {
    throw Failure{{"bad_argument", std::move(message)}};
}
void unsupported(std::string message) {
    throw Failure{{"unsupported", std::move(message)}};
}

namespace {
[[noreturn]] void wrongKind(const Call& call, std::string_view key, std::string_view wanted) {
    badArgument(fmt::format("{}: argument '{}' has to be {}.", call.name(), key, wanted));
}
[[noreturn]] void tooLarge(const Call& call, std::string_view key, std::int64_t value) {
    badArgument(
        fmt::format("{}: argument '{}' is {}; {} is the most.", call.name(), key, value, tensor::largestDimension));
}
std::optional<double> asNumber(const Value& value) {
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* i = value.as<std::int64_t>()) return double(*i);
    if (const auto* b = value.as<bool>()) return *b ? 1.0 : 0.0;
    if (const auto* t = value.as<Tensor>(); t && t->defined() && t->count() == 1) return t->at(0);
    return std::nullopt;
}
std::optional<std::int64_t> asInteger(const Value& value) {
    if (const auto* i = value.as<std::int64_t>()) return *i;
    if (const auto* b = value.as<bool>()) return *b ? 1 : 0;
    if (const auto* t = value.as<Tensor>(); t && t->defined() && t->count() == 1 && t->dtype() == DType::Int64)
        return *t->data<std::int64_t>();
    return std::nullopt;
}
} // namespace

const Value* Call::find(std::size_t index, std::string_view key) const {
    if (index < m_arguments.size()) return m_arguments[index].isNone() ? nullptr : &m_arguments[index];
    for (const auto& [name, value] : m_keywords)
        if (name == key) return value.isNone() ? nullptr : &value;
    return nullptr;
}

std::optional<Tensor> Call::optionalTensor(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    if (!value) return std::nullopt;
    const Tensor* t = value->as<Tensor>();
    if (!t) wrongKind(*this, key, "a tensor");
    if (!t->defined() && !t->isShapeOnly()) return std::nullopt;
    if (!t->defined() && !shapesOnly()) wrongKind(*this, key, "a tensor with elements");
    return *t;
}

Tensor Call::tensor(std::size_t index, std::string_view key) const {
    std::optional<Tensor> t = optionalTensor(index, key);
    if (!t) wrongKind(*this, key, "a tensor, not None");
    return *std::move(t);
}

Tensor Call::tensorOrScalar(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    if (!value) wrongKind(*this, key, "a tensor or a number");
    if (value->as<Tensor>()) return tensor(index, key);
    if (const auto* d = value->as<double>()) {
        Tensor t(DType::Float64, {});
        *t.data<double>() = *d;
        return t;
    }
    const auto* b = value->as<bool>();
    const auto i = asInteger(*value);
    if (!i) wrongKind(*this, key, "a tensor or a number");
    Tensor t(b ? DType::Bool : DType::Int64, {});
    if (b)
        *t.data<std::uint8_t>() = *b;
    else
        *t.data<std::int64_t>() = *i;
    return t;
}

std::vector<Tensor> Call::tensors(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    const tensor::List* list = value ? value->as<tensor::List>() : nullptr;
    if (!list) wrongKind(*this, key, "a list of tensors");
    std::vector<Tensor> out;
    for (const Value& v : *list) {
        const Tensor* t = v.as<Tensor>();
        if (!t || (!t->defined() && !shapesOnly())) wrongKind(*this, key, "a list of tensors");
        out.push_back(*t);
    }
    return out;
}

std::int64_t Call::position(std::size_t index, std::string_view key, std::int64_t missing) const {
    const Value* value = find(index, key);
    const auto i = value ? asInteger(*value) : std::optional(missing);
    if (!i) wrongKind(*this, key, "an integer");
    return *i;
}
std::int64_t Call::integer(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    const auto i = value ? asInteger(*value) : std::nullopt;
    if (!i) wrongKind(*this, key, "an integer");
    if (*i > tensor::largestDimension || *i < -tensor::largestDimension) tooLarge(*this, key, *i);
    return *i;
}
std::int64_t Call::integer(std::size_t index, std::string_view key, std::int64_t missing) const {
    return find(index, key) ? integer(index, key) : missing;
}
double Call::number(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    const auto d = value ? asNumber(*value) : std::nullopt;
    if (!d) wrongKind(*this, key, "a number");
    return *d;
}
double Call::number(std::size_t index, std::string_view key, double missing) const {
    return find(index, key) ? number(index, key) : missing;
}
std::optional<double> Call::optionalNumber(std::size_t index, std::string_view key) const {
    return find(index, key) ? std::optional(number(index, key)) : std::nullopt;
}
bool Call::flag(std::size_t index, std::string_view key, bool missing) const {
    return find(index, key) ? number(index, key) != 0.0 : missing;
}
std::string Call::text(std::size_t index, std::string_view key, std::string missing) const {
    const Value* value = find(index, key);
    if (!value) return missing;
    const auto* s = value->as<std::string>();
    if (!s) wrongKind(*this, key, "a string");
    return *s;
}

std::optional<Shape> Call::optionalIntegers(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    if (!value) return std::nullopt;
    if (asInteger(*value)) return Shape{integer(index, key)};
    const tensor::List* list = value->as<tensor::List>();
    if (!list) wrongKind(*this, key, "an integer or a list of integers");
    Shape out;
    for (const Value& v : *list) {
        const auto i = asInteger(v);
        if (!i) wrongKind(*this, key, "a list of integers");
        if (*i > tensor::largestDimension || *i < -tensor::largestDimension) tooLarge(*this, key, *i);
        out.push_back(*i);
    }
    return out;
}
Shape Call::integers(std::size_t index, std::string_view key) const {
    auto list = optionalIntegers(index, key);
    if (!list) wrongKind(*this, key, "a list of integers");
    return *std::move(list);
}
Shape Call::integers(std::size_t index, std::string_view key, std::size_t n, std::int64_t missing) const {
    auto list = optionalIntegers(index, key);
    if (!list || list->empty()) return Shape(n, missing);
    if (list->size() == 1) return Shape(n, list->front());
    if (list->size() != n)
        badArgument(fmt::format("{}: '{}' has {} numbers where {} are expected.", m_name, key, list->size(), n));
    return *std::move(list);
}

std::optional<DType> Call::dtype(std::size_t index, std::string_view key) const {
    const Value* value = find(index, key);
    if (!value) return std::nullopt;
    if (const auto* d = value->as<DType>()) return *d;
    if (const auto* i = value->as<std::int64_t>()) return DType(*i);
    if (const auto* s = value->as<std::string>()) {
        const std::string_view bare = s->starts_with("torch.") ? std::string_view(*s).substr(6) : *s;
        if (auto d = tensor::parseDType(bare)) return d;
        unsupported(fmt::format("{}: element type '{}' is not supported.", m_name, *s));
    }
    wrongKind(*this, key, "an element type");
}

void Call::reserve(std::uint64_t bytes) const {
    m_allocated += bytes;
    if (m_context.memoryLimit && m_allocated > m_context.memoryLimit)
        throw Failure{
            {"out_of_memory",
             fmt::format("{} takes {} bytes of memory; {} are allowed.", m_name, m_allocated, m_context.memoryLimit),
             "Choose a smaller size or raise the limit."}};
}

void Call::reserve(DType dtype, const Shape& shape) const {
    for (std::int64_t s : shape)
        if (s < 0)
            badArgument(
                fmt::format("{}: the result would have the negative size {}.", m_name, tensor::toString(shape)));
    if (!shapesOnly()) reserve(std::uint64_t(tensor::elementCount(shape)) * tensor::byteSize(dtype));
}

Tensor Call::make(DType dtype, Shape shape) const {
    reserve(dtype, shape);
    return shapesOnly() ? Tensor::shapeOnly(dtype, std::move(shape)) : Tensor(dtype, std::move(shape));
}

Tensor Call::makeUnfilled(DType dtype, Shape shape) const {
    reserve(dtype, shape);
    return shapesOnly() ? Tensor::shapeOnly(dtype, std::move(shape)) : Tensor::uninitialised(dtype, std::move(shape));
}

void Call::checkStop() const {
    if (m_context.stop.stop_requested()) throw Failure{{"cancelled", "The evaluation was cancelled."}};
}

Shape wrapDims(const std::optional<Shape>& dims, std::int64_t rank) {
    Shape out;
    if (!dims || dims->empty()) {
        for (std::int64_t i = 0; i < rank; ++i)
            out.push_back(i);
        return out;
    }
    for (std::int64_t d : *dims) {
        const std::int64_t w = wrapDim(d, rank);
        if (std::find(out.begin(), out.end(), w) != out.end())
            badArgument(fmt::format("dim {} appears multiple times in the list of dims.", w));
        out.push_back(w);
    }
    if (rank == 0) return {};
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace kernelarium::task::operators
