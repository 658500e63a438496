// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Raised.h"
#include "gpu/host/python/PyCalls.h"

#include <algorithm>

namespace kernelarium::host {

namespace {

const PyValue* entry(const DictRef& dict, const PyValue& key) {
    for (const auto& [k, v] : *dict.entries)
        if (equal(k, key)) return &v;
    return nullptr;
}

} // namespace

PyValue pyGetItem(const PyValue& owner, const PyValue& key) {
    if (const auto* dict = owner.as<DictRef>()) {
        if (const PyValue* value = entry(*dict, key)) return *value;
        throw Raised{"KeyError", repr(key)};
    }
    const auto* index = key.as<std::int64_t>();
    if (const auto* list = owner.as<ListRef>()) {
        if (!index) raiseTypeError(typeName(owner) + " indices must be integers or slices, not " + typeName(key));
        const auto size = std::int64_t(list->items->size());
        if (*index < -size || *index >= size) raiseIndexError(typeName(owner) + " index out of range");
        return (*list->items)[std::size_t(*index < 0 ? *index + size : *index)];
    }
    if (const auto* text = owner.as<std::string>(); text && index) {
        const auto size = std::int64_t(text->size());
        if (*index < -size || *index >= size) raiseIndexError("string index out of range");
        return std::string(1, (*text)[std::size_t(*index < 0 ? *index + size : *index)]);
    }
    raiseTypeError("'" + typeName(owner) + "' object is not subscriptable");
}

bool pyContains(const PyValue& owner, const PyValue& item) {
    if (const auto* dict = owner.as<DictRef>()) return entry(*dict, item) != nullptr;
    if (const auto* list = owner.as<ListRef>())
        return std::any_of(list->items->begin(), list->items->end(), [&](const PyValue& v) { return equal(v, item); });
    if (const auto* text = owner.as<std::string>())
        if (const auto* part = item.as<std::string>()) return text->find(*part) != std::string::npos;
    raiseTypeError("argument of type '" + typeName(owner) + "' is not iterable");
}

std::int64_t pyLength(const PyValue& value) {
    if (const auto* dict = value.as<DictRef>()) return std::int64_t(dict->entries->size());
    if (const auto* list = value.as<ListRef>()) return std::int64_t(list->items->size());
    if (const auto* text = value.as<std::string>()) return std::int64_t(text->size());
    raiseTypeError("object of type '" + typeName(value) + "' has no len()");
}

bool pyIsInstance(const PyValue& value, const std::string& type) {
    const std::string own = typeName(value);
    if (type == own || type == "object") return true;
    if (type == "none" || type == "None") return value.isNone();
    if (type == "int" || type == "int_") return own == "int" || own == "bool"; // bool is a subclass of int
    if (type == "float_") return own == "float";
    if (type == "bool_") return own == "bool";
    if (type == "sequence") return own == "list" || own == "tuple" || own == "str";
    if (type == "iterable") return own == "list" || own == "tuple" || own == "str" || own == "dict";
    if (type == "torch.Tensor" || type == "tensor") return own == "Tensor";
    return false;
}

} // namespace kernelarium::host
