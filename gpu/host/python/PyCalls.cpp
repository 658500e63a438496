// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/PyCalls.h"

#include "gpu/host/backend/Raised.h"
#include "gpu/host/python/CallArguments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace kernelarium::host {

namespace {

constexpr std::array dictMethods{"get", "keys", "values", "items", "__getitem__", "__contains__", "__len__", "copy"};
constexpr std::array listMethods{"append", "__getitem__", "__contains__", "__len__", "index", "count", "copy"};
constexpr std::array textMethods{"lower", "upper", "startswith", "endswith", "__len__"};

template <class Names> bool among(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool hasMethod(const PyValue& owner, const std::string& name) {
    if (owner.as<DictRef>()) return among(dictMethods, name);
    if (const auto* list = owner.as<ListRef>()) return among(listMethods, name) && !(list->isTuple && name == "append");
    return owner.as<std::string>() && among(textMethods, name);
}

const PyValue& argument(const PyItems& arguments, std::size_t i, const std::string& of) {
    if (i >= arguments.size())
        raiseTypeError(fmt::format("{}() expected at least {} argument, got {}", of, i + 1, arguments.size()));
    return arguments[i];
}

std::string textArgument(const PyItems& arguments, std::size_t i, const std::string& of) {
    const PyValue& value = argument(arguments, i, of);
    const auto* text = value.as<std::string>();
    if (!text) raiseTypeError(of + "() argument must be str, not " + typeName(value));
    return *text;
}

PyItems listed(const PyValue& value) {
    if (const auto* list = value.as<ListRef>()) return *list->items;
    PyItems out;
    if (const auto* dict = value.as<DictRef>()) {
        for (const auto& [key, item] : *dict->entries)
            out.push_back(key);
    } else if (const auto* text = value.as<std::string>()) {
        for (char c : *text)
            out.emplace_back(std::string(1, c));
    } else {
        raiseTypeError("'" + typeName(value) + "' object is not iterable");
    }
    return out;
}

PyValue dictView(const DictRef& dict, const std::string& which) {
    PyItems out;
    for (const auto& [key, item] : *dict.entries) {
        if (which == "keys")
            out.push_back(key);
        else if (which == "values")
            out.push_back(item);
        else
            out.push_back(PyValue::tuple({key, item}));
    }
    return PyValue::list(std::move(out));
}

std::int64_t toInt(const PyValue& value) {
    if (const auto* i = value.as<std::int64_t>()) return *i;
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* d = value.as<double>()) {
        if (!std::isfinite(*d))
            throw Raised{std::isnan(*d) ? "ValueError" : "OverflowError",
                         fmt::format("cannot convert float {} to integer", std::isnan(*d) ? "NaN" : "infinity")};
        return std::int64_t(*d);
    }
    if (const auto* s = value.as<std::string>()) {
        char* end = nullptr;
        const long long parsed = std::strtoll(s->c_str(), &end, 10);
        if (s->empty() || *end) throw Raised{"ValueError", "invalid literal for int() with base 10: " + repr(value)};
        return parsed;
    }
    raiseTypeError("int() argument must be a string, a bytes-like object or a real number, not '" + typeName(value) +
                   "'");
}

double toFloat(const PyValue& value) {
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* s = value.as<std::string>()) {
        char* end = nullptr;
        const double parsed = std::strtod(s->c_str(), &end);
        if (s->empty() || *end) throw Raised{"ValueError", "could not convert string to float: " + repr(value)};
        return parsed;
    }
    return double(toInt(value));
}

void setItem(const PyValue& owner, const PyValue& key, const PyValue& value) {
    if (const auto* dict = owner.as<DictRef>()) {
        for (auto& [k, v] : *dict->entries) {
            if (!equal(k, key)) continue;
            v = value;
            return;
        }
        dict->entries->emplace_back(key, value);
        return;
    }
    const auto* list = owner.as<ListRef>();
    const auto* index = key.as<std::int64_t>();
    if (!list || list->isTuple || !index)
        raiseTypeError("'" + typeName(owner) + "' object does not support item assignment");
    const auto size = std::int64_t(list->items->size());
    if (*index < -size || *index >= size) raiseIndexError("list assignment index out of range");
    (*list->items)[std::size_t(*index < 0 ? *index + size : *index)] = value;
}

/// dict(value): of a dict, or of a list of pairs.
PyValue toDict(const PyValue& value) {
    PyEntries entries;
    std::size_t n = 0;
    for (const PyValue& item : listed(value)) {
        const auto* pair = item.as<ListRef>();
        if (!pair)
            raiseTypeError(fmt::format("cannot convert dictionary update sequence element #{} to a sequence", n));
        if (pair->items->size() != 2)
            throw Raised{"ValueError",
                         fmt::format("dictionary update sequence element #{} has length {}; 2 is required", n,
                                     pair->items->size())};
        const PyValue made = PyValue::dict(entries);
        setItem(made, (*pair->items)[0], (*pair->items)[1]);
        entries = *made.as<DictRef>()->entries;
        ++n;
    }
    return PyValue::dict(std::move(entries));
}

/// What pybind11's py::list(value) and its kin do: a value of the kind stays itself, others are passed to the type.
PyValue converted(const PyValue& value, const std::string& kind) {
    const bool container = kind == "list" || kind == "tuple" || kind == "dict" || kind == "str";
    if (!container || typeName(value) == kind) return value;
    if (kind == "str") return PyValue(str(value));
    if (kind == "dict") return toDict(value);
    return kind == "list" ? PyValue::list(listed(value)) : PyValue::tuple(listed(value));
}

using Operation = std::function<PyValue(const PyItems&)>;

const std::map<std::string, Operation>& operations() {
    static const std::map<std::string, Operation> table{
        {"py.getitem",
         [](const PyItems& a) { return pyGetItem(argument(a, 0, "getitem"), argument(a, 1, "getitem")); }},
        {"py.setitem",
         [](const PyItems& a) {
             setItem(argument(a, 0, "setitem"), argument(a, 1, "setitem"), argument(a, 2, "setitem"));
             return PyValue();
         }},
        {"py.append",
         [](const PyItems& a) {
             const auto* list = argument(a, 0, "append").as<ListRef>();
             if (!list || list->isTuple) raiseTypeError("append() needs a list, not " + typeName(a[0]));
             list->items->push_back(argument(a, 1, "append"));
             return PyValue();
         }},
        {"py.contains",
         [](const PyItems& a) { return PyValue(pyContains(argument(a, 0, "contains"), argument(a, 1, "contains"))); }},
        {"py.len", [](const PyItems& a) { return PyValue(pyLength(argument(a, 0, "len"))); }},
        {"py.isinstance",
         [](const PyItems& a) {
             return PyValue(pyIsInstance(argument(a, 0, "isinstance"), textArgument(a, 1, "isinstance")));
         }},
        {"py.keys", [](const PyItems& a) { return PyValue::list(listed(argument(a, 0, "keys"))); }},
        {"py.list", [](const PyItems& a) { return PyValue::list(a.empty() ? PyItems{} : listed(a[0])); }},
        {"py.tuple", [](const PyItems& a) { return PyValue::tuple(a.empty() ? PyItems{} : listed(a[0])); }},
        {"py.make_tuple", [](const PyItems& a) { return PyValue::tuple(a); }},
        {"py.dict", [](const PyItems&) { return PyValue::dict({}); }},
        {"py.str", [](const PyItems& a) { return PyValue(str(argument(a, 0, "str"))); }},
        {"py.repr", [](const PyItems& a) { return PyValue(repr(argument(a, 0, "repr"))); }},
        {"py.type", [](const PyItems& a) { return PyValue(typeName(argument(a, 0, "type"))); }},
        {"py.eq", [](const PyItems& a) { return PyValue(equal(argument(a, 0, "eq"), argument(a, 1, "eq"))); }},
        {"py.bool", [](const PyItems& a) { return PyValue(truth(argument(a, 0, "bool"))); }},
    };
    return table;
}

} // namespace

PyValue PyCalls::getAttribute(const PyValue& owner, const std::string& name) const {
    if (hasMethod(owner, name)) return BoundMethod{std::make_shared<PyValue>(owner), name};
    if (const auto* dict = owner.as<DictRef>())
        for (const auto& [key, value] : *dict->entries)
            if (equal(key, PyValue(name))) return value;
    if (const auto* tensor = owner.as<TensorRef>()) return pyTensorAttribute(m_table, *tensor, name);
    throw Raised{"AttributeError", "'" + typeName(owner) + "' object has no attribute '" + name + "'"};
}

PyValue PyCalls::callMethod(const BoundMethod& method, const PyItems& a) const {
    const PyValue& owner = *method.owner;
    const std::string& name = method.name;
    if (const auto* tensor = owner.as<TensorRef>()) return pyTensorMethod(m_table, *tensor, name, a);
    if (name == "__getitem__") return pyGetItem(owner, argument(a, 0, name));
    if (name == "__contains__") return pyContains(owner, argument(a, 0, name));
    if (name == "__len__") return pyLength(owner);
    if (const auto* dict = owner.as<DictRef>()) {
        if (name == "get") {
            if (pyContains(owner, argument(a, 0, name))) return pyGetItem(owner, a[0]);
            return a.size() > 1 ? a[1] : PyValue();
        }
        if (name == "copy") return PyValue::dict(*dict->entries);
        return dictView(*dict, name);
    }
    if (const auto* list = owner.as<ListRef>()) {
        if (name == "append") list->items->push_back(argument(a, 0, name));
        if (name == "append") return {};
        if (name == "copy") return PyValue::list(*list->items);
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < list->items->size(); ++i) {
            if (!equal((*list->items)[i], argument(a, 0, name))) continue;
            if (name == "index") return std::int64_t(i);
            ++hits;
        }
        if (name == "count") return hits;
        throw Raised{"ValueError", repr(a[0]) + " is not in list"};
    }
    std::string text = *owner.as<std::string>();
    if (name == "startswith") return text.starts_with(textArgument(a, 0, name));
    if (name == "endswith") return text.ends_with(textArgument(a, 0, name));
    for (char& c : text)
        c = char(name == "lower" ? std::tolower(c) : std::toupper(c));
    return text;
}

PyValue PyCalls::call(const std::string& operation, const PyItems& a) {
    if (const auto found = operations().find(operation); found != operations().end()) return found->second(a);
    if (operation == "py.getattr") {
        const std::string name = textArgument(a, 1, "getattr");
        if (a.size() < 3) return getAttribute(a[0], name);
        try {
            return getAttribute(a[0], name);
        } catch (const Raised& raised) {
            if (raised.type != "AttributeError") throw;
            return a[2];
        }
    }
    if (operation == "py.hasattr") {
        try {
            getAttribute(argument(a, 0, "hasattr"), textArgument(a, 1, "hasattr"));
            return true;
        } catch (const Raised& raised) {
            if (raised.type != "AttributeError") throw;
            return false;
        }
    }
    if (operation == "py.call") {
        const PyValue& callee = argument(a, 0, "call");
        if (const auto* method = callee.as<BoundMethod>()) return callMethod(*method, PyItems(a.begin() + 1, a.end()));
        raiseTypeError(fmt::format("'{}' object is not callable", typeName(callee)));
    }
    if (operation == "py.convert" && a.size() == 2 && a[1].as<std::string>()) {
        const std::string& kind = *a[1].as<std::string>();
        if (kind == "int" || kind == "float") return typeName(a[0]) == kind ? a[0] : call("py." + kind, {a[0]});
        if (kind == "bool") return call("py.bool", {a[0]});
        return converted(a[0], kind);
    }
    if (operation == "py.int" || operation == "py.float") {
        PyValue value = argument(a, 0, operation);
        if (const auto* tensor = value.as<TensorRef>()) value = itemOf(m_table, m_table.at(tensor->handle), operation);
        return operation == "py.int" ? PyValue(toInt(value)) : PyValue(toFloat(value));
    }
    if (operation == "py.import") refuse("Python module " + textArgument(a, 0, operation) + " from host code");
    refuse(operation);
}

} // namespace kernelarium::host
