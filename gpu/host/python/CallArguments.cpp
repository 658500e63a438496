// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/CallArguments.h"

#include "gpu/host/backend/Raised.h"

#include <fmt/format.h>

namespace kernelarium::host {

CallArguments::CallArguments(std::string name, PyItems items, TensorTable& table)
    : m_name(std::move(name))
    , m_items(std::move(items))
    , m_table(table) {
    const std::size_t first = m_name.find('.');
    const std::size_t second = first == std::string::npos ? first : m_name.find('.', first + 1);
    m_base = first == std::string::npos ? m_name : m_name.substr(first + 1, second - first - 1);
    m_overload = second == std::string::npos ? "default" : m_name.substr(second + 1);
}

const PyValue& CallArguments::at(std::size_t i) const {
    static const PyValue none;
    return i < m_items.size() ? m_items[i] : none;
}

void CallArguments::reject(std::size_t i, std::string_view wanted) const {
    raiseTypeError(
        fmt::format("{}(): argument (position {}) must be {}, not {}", m_base, i + 1, wanted, typeName(at(i))));
}

std::int64_t CallArguments::handle(std::size_t i) const {
    const auto* ref = at(i).as<TensorRef>();
    if (!ref) reject(i, "Tensor");
    return ref->handle;
}

const TensorView& CallArguments::tensor(std::size_t i) const {
    return m_table.at(handle(i));
}

std::int64_t CallArguments::integer(std::size_t i) const {
    const PyValue& value = at(i);
    if (const auto* v = value.as<std::int64_t>()) return *v;
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* t = value.as<DType>()) return std::int64_t(*t);
    if (value.as<TensorRef>()) {
        const PyValue item = itemOf(m_table, tensor(i), m_name);
        if (const auto* v = item.as<std::int64_t>()) return *v;
    }
    reject(i, "int");
}

std::int64_t CallArguments::integer(std::size_t i, std::int64_t otherwise) const {
    return has(i) ? integer(i) : otherwise;
}

std::optional<std::int64_t> CallArguments::optionalInteger(std::size_t i) const {
    return has(i) ? std::optional(integer(i)) : std::nullopt;
}

double CallArguments::number(std::size_t i) const {
    const PyValue value = at(i).as<TensorRef>() ? itemOf(m_table, tensor(i), m_name) : at(i);
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* v = value.as<std::int64_t>()) return double(*v);
    if (const auto* b = value.as<bool>()) return *b;
    reject(i, "Number");
}

bool CallArguments::boolean(std::size_t i, bool otherwise) const {
    if (!has(i)) return otherwise;
    if (const auto* b = at(i).as<bool>()) return *b;
    if (const auto* v = at(i).as<std::int64_t>()) return *v != 0;
    reject(i, "bool");
}

Shape CallArguments::integers(std::size_t i) const {
    const auto* list = at(i).as<ListRef>();
    if (!list) return {integer(i)};
    Shape out;
    for (const PyValue& item : *list->items) {
        const auto* v = item.as<std::int64_t>();
        if (!v) reject(i, "tuple of ints");
        out.push_back(*v);
    }
    return out;
}

PlacementOptions CallArguments::options(std::size_t from) const {
    PlacementOptions out;
    for (std::size_t i = from; i < m_items.size(); ++i) {
        if (const auto* t = m_items[i].as<DType>(); t && !out.dtype) out.dtype = *t;
        if (const auto* d = m_items[i].as<DeviceRef>(); d && !out.device) out.device = *d;
    }
    return out;
}

MemoryFormat CallArguments::format(std::size_t i, MemoryFormat otherwise) const {
    const std::int64_t number = integer(i, std::int64_t(otherwise));
    if (number < 0 || number > 3) reject(i, "a memory format");
    return MemoryFormat(number);
}

PyValue itemOf(const TensorTable& table, const TensorView& view, const std::string& reader) {
    if (view.count() != 1) raise(fmt::format("a Tensor with {} elements cannot be converted to Scalar", view.count()));
    const tensor::Tensor value = table.gather(view, reader);
    if (view.dtype == DType::Bool) return value.at(0) != 0;
    if (tensor::isFloating(view.dtype)) return value.at(0);
    if (view.dtype == DType::Int64) return *value.data<std::int64_t>();
    return std::int64_t(value.at(0));
}

} // namespace kernelarium::host
