// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/PyValue.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kernelarium::host {

namespace {

struct TypeNamer {
    std::string operator()(std::monostate) const { return "NoneType"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(std::int64_t) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const std::string&) const { return "str"; }
    std::string operator()(tensor::DType) const { return "dtype"; }
    std::string operator()(TensorRef) const { return "Tensor"; }
    std::string operator()(DeviceRef) const { return "device"; }
    std::string operator()(PointerRef) const { return "PyCapsule"; }
    std::string operator()(const ListRef& l) const { return l.isTuple ? "tuple" : "list"; }
    std::string operator()(const DictRef&) const { return "dict"; }
    std::string operator()(const BoundMethod&) const { return "builtin_function_or_method"; }
};

std::string floatText(double v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", v);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string listText(const ListRef& list) {
    std::string text = list.isTuple ? "(" : "[";
    for (std::size_t i = 0; i < list.items->size(); ++i)
        text += (i ? ", " : "") + repr((*list.items)[i]);
    if (list.isTuple && list.items->size() == 1) text += ",";
    return text + (list.isTuple ? ")" : "]");
}

std::string dictText(const DictRef& dict) {
    std::string text = "{";
    for (const auto& [key, value] : *dict.entries) {
        if (text.size() > 1) text += ", ";
        text += repr(key) + ": " + repr(value);
    }
    return text + "}";
}

std::optional<double> number(const PyValue& value) {
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* i = value.as<std::int64_t>()) return double(*i);
    if (const auto* d = value.as<double>()) return *d;
    return {};
}

bool equalItems(const PyItems& a, const PyItems& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!equal(a[i], b[i])) return false;
    return true;
}

} // namespace

std::string typeName(const PyValue& value) {
    return std::visit(TypeNamer{}, value.kind);
}

std::string str(const PyValue& value) {
    if (const auto* s = value.as<std::string>()) return *s;
    return repr(value);
}

std::string repr(const PyValue& value) {
    if (value.isNone()) return "None";
    if (const auto* b = value.as<bool>()) return *b ? "True" : "False";
    if (const auto* i = value.as<std::int64_t>()) return std::to_string(*i);
    if (const auto* d = value.as<double>()) return floatText(*d);
    if (const auto* s = value.as<std::string>()) return fmt::format("'{}'", *s);
    if (const auto* t = value.as<tensor::DType>()) return "torch." + std::string(tensor::name(*t));
    if (const auto* d = value.as<DeviceRef>())
        return d->index < 0 ? "device(type='cpu')" : fmt::format("device(type='cuda', index={})", d->index);
    if (const auto* l = value.as<ListRef>()) return listText(*l);
    if (const auto* d = value.as<DictRef>()) return dictText(*d);
    if (const auto* m = value.as<BoundMethod>()) return fmt::format("<method {}>", m->name);
    return fmt::format("<{}>", typeName(value));
}

bool truth(const PyValue& value) {
    if (value.isNone()) return false;
    if (const auto n = number(value)) return *n != 0;
    if (const auto* s = value.as<std::string>()) return !s->empty();
    if (const auto* l = value.as<ListRef>()) return !l->items->empty();
    if (const auto* d = value.as<DictRef>()) return !d->entries->empty();
    return true;
}

bool equal(const PyValue& a, const PyValue& b) {
    const auto x = number(a), y = number(b);
    if (x && y) return *x == *y;
    if (a.kind.index() != b.kind.index()) return false;
    if (a.isNone()) return true;
    if (const auto* s = a.as<std::string>()) return *s == *b.as<std::string>();
    if (const auto* t = a.as<tensor::DType>()) return *t == *b.as<tensor::DType>();
    if (const auto* t = a.as<TensorRef>()) return t->handle == b.as<TensorRef>()->handle;
    if (const auto* d = a.as<DeviceRef>()) return d->index == b.as<DeviceRef>()->index;
    if (const auto* p = a.as<PointerRef>()) return p->address == b.as<PointerRef>()->address;
    if (const auto* l = a.as<ListRef>()) {
        const auto* m = b.as<ListRef>();
        return l->isTuple == m->isTuple && equalItems(*l->items, *m->items);
    }
    if (const auto* d = a.as<DictRef>()) return d->entries == b.as<DictRef>()->entries;
    return false;
}

} // namespace kernelarium::host
