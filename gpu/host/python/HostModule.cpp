// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/HostModule.h"

#include "gpu/host/backend/Raised.h"
#include "gpu/host/python/CallArguments.h"
#include "gpu/host/python/ShimAbi.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

std::vector<const Definition*> HostModule::entry(const std::string& function) const {
    std::vector<const Definition*> found;
    for (const Definition& d : m_definitions)
        if (d.name == (function.empty() ? "forward" : function)) found.push_back(&d);
    if (!found.empty() || !function.empty()) return found;
    for (const Definition& d : m_definitions) {
        if (d.name != m_definitions.front().name) return {};
        found.push_back(&d);
    }
    return found;
}

namespace {

/// "forward(A, B)"; positions where the names are not known.
std::string signature(const Definition& d) {
    std::string text = d.name + "(";
    for (int i = 0; i < d.arity; ++i) {
        const auto n = std::size_t(i);
        if (i > 0) text += ", ";
        text +=
            fmt::format("{}", n < d.argumentNames.size() && !d.argumentNames[n].empty() ? d.argumentNames[n]
                                                                                        : "arg" + std::to_string(i));
        if (n < d.defaults.size() && d.defaults[n]) text += fmt::format("={}", repr(*d.defaults[n]));
    }
    return text + ")";
}

struct Wanted {
    const char* name;
    int kind;
};

constexpr Wanted kindNames[] = {
    {"None", KL_NONE},
    {"bool", KL_BOOL},
    {"int", KL_INT},
    {"float", KL_DOUBLE},
    {"torch.Tensor", KL_TENSOR},
    {"str", KL_STRING},
    {"torch.dtype", KL_DTYPE},
    {"List[int]", KL_INT_LIST},
    {"List[float]", KL_DOUBLE_LIST},
    {"List[torch.Tensor]", KL_TENSOR_LIST},
    {"list", KL_LIST},
    {"torch.device", KL_DEVICE},
    {"List[bool]", KL_BOOL_LIST},
    {"object", KL_OBJECT},
    {"capsule", KL_POINTER},
};

const char* kindName(int kind) {
    const auto* at =
        std::find_if(std::begin(kindNames), std::end(kindNames), [&](const Wanted& w) { return w.kind == kind; });
    return at == std::end(kindNames) ? "value" : at->name;
}

/// The number in a tensor without dimensions, where a caster would ask it for one.
std::optional<PyValue> numberIn(const PyValue& value, const TensorTable& table, const std::string& reader) {
    const auto* ref = value.as<TensorRef>();
    if (!ref || ref->handle == 0 || table.at(ref->handle).count() != 1) return {};
    return itemOf(table, table.at(ref->handle), reader);
}

std::optional<PyValue> asInteger(const PyValue& value) {
    if (value.as<std::int64_t>()) return value;
    if (const auto* b = value.as<bool>()) return PyValue(std::int64_t(*b));
    return {};
}

std::optional<PyValue> asDouble(const PyValue& value) {
    if (value.as<double>()) return value;
    const auto integer = asInteger(value);
    return integer ? std::optional(PyValue(double(*integer->as<std::int64_t>()))) : std::nullopt;
}

std::optional<PyValue> asBool(const PyValue& value) {
    if (value.as<bool>()) return value;
    if (value.isNone()) return PyValue(false);
    const bool number = value.as<std::int64_t>() || value.as<double>();
    return number ? std::optional(PyValue(truth(value))) : std::nullopt;
}

std::optional<PyValue> convert(const PyValue& value, int kind, const TensorTable& table, const std::string& reader);

std::optional<PyValue> convertList(const PyValue& value, int elementKind, const TensorTable& table,
                                   const std::string& reader) {
    const auto* list = value.as<ListRef>();
    if (!list) return {};
    PyItems items;
    for (const PyValue& item : *list->items) {
        auto converted = convert(item, elementKind, table, reader);
        if (!converted) return {};
        items.push_back(std::move(*converted));
    }
    return PyValue::list(std::move(items));
}

std::optional<PyValue> convert(const PyValue& value, int kind, const TensorTable& table, const std::string& reader) {
    const auto when = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
    switch (kind) {
    case KL_NONE: return when(value.isNone());
    case KL_BOOL: return asBool(value);
    case KL_INT: {
        const auto number = numberIn(value, table, reader);
        return asInteger(number ? *number : value);
    }
    case KL_DOUBLE: {
        const auto number = numberIn(value, table, reader);
        return asDouble(number ? *number : value);
    }
    case KL_TENSOR: return when(value.as<TensorRef>() != nullptr);
    case KL_STRING: return when(value.as<std::string>() != nullptr);
    case KL_DTYPE: return when(value.as<DType>() != nullptr);
    case KL_DEVICE: return when(value.as<DeviceRef>() != nullptr);
    case KL_POINTER: return when(value.as<PointerRef>() != nullptr);
    case KL_INT_LIST: return convertList(value, KL_INT, table, reader);
    case KL_DOUBLE_LIST: return convertList(value, KL_DOUBLE, table, reader);
    case KL_TENSOR_LIST: return convertList(value, KL_TENSOR, table, reader);
    case KL_BOOL_LIST: return convertList(value, KL_BOOL, table, reader);
    case KL_LIST: return when(value.as<ListRef>() != nullptr);
    default: return value;
    }
}

} // namespace

namespace {

/// What py::args and py::kwargs take, in their places.
PyItems spread(const Definition& d, const PyItems& given) {
    const auto& names = d.argumentNames;
    if (std::none_of(names.begin(), names.end(), [](const std::string& n) { return n.starts_with('*'); })) return given;
    PyItems out;
    std::size_t taken = 0;
    for (const std::string& name : names) {
        if (name == "*") {
            out.push_back(PyValue::tuple(PyItems(given.begin() + std::ptrdiff_t(taken), given.end())));
            taken = given.size();
        } else if (name == "**") {
            out.push_back(PyValue::dict({}));
        } else if (taken < given.size()) {
            out.push_back(given[taken++]);
        } else {
            break;
        }
    }
    // Those that are too many: the caller says so.
    out.insert(out.end(), given.begin() + std::ptrdiff_t(taken), given.end());
    return out;
}

} // namespace

bool takes(const Definition& d, std::size_t count) {
    const auto arity = std::size_t(std::max(d.arity, 0));
    for (std::size_t i = count; i < arity; ++i)
        if (i >= d.defaults.size() || !d.defaults[i]) return false;
    return count <= arity;
}

PyItems bindArguments(const Definition& d, const PyItems& given) {
    const auto arity = std::size_t(std::max(d.arity, 0));
    const PyItems positional = spread(d, given);
    if (positional.size() > arity)
        raiseTypeError(fmt::format("{}(): incompatible function arguments: {} takes {} arguments but {} were given",
                                   d.name, signature(d), arity, positional.size()));
    PyItems bound = positional;
    for (std::size_t i = bound.size(); i < arity; ++i) {
        if (i >= d.defaults.size() || !d.defaults[i])
            raiseTypeError(fmt::format("{}(): incompatible function arguments: {} takes {} arguments but {} were given",
                                       d.name, signature(d), arity, positional.size()));
        bound.push_back(*d.defaults[i]);
    }
    return bound;
}

PyValue convertArgument(const PyValue& value, int kind, const Definition& d, std::size_t index,
                        const TensorTable& table) {
    auto converted = convert(value, kind, table, d.name);
    if (converted) return std::move(*converted);
    const std::string name = index < d.argumentNames.size() && !d.argumentNames[index].empty()
                                 ? d.argumentNames[index]
                                 : fmt::format("arg{}", index);
    raiseTypeError(fmt::format("{}(): incompatible function arguments: argument {} ({}) of {} must be {}, not {}",
                               d.name, index + 1, name, signature(d), kindName(kind), typeName(value)));
}

} // namespace kernelarium::host
