// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/DType.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kernelarium::host {

struct PyValue;
using PyItems = std::vector<PyValue>;
using PyEntries = std::vector<std::pair<PyValue, PyValue>>; ///< in insertion order, as Python keeps it

/// A tensor of the run's table.
struct TensorRef {
    std::int64_t handle = 0; ///< into the TensorTable; 0 is the undefined tensor
};
/// A torch.device.
struct DeviceRef {
    int index = 0; ///< -1 is the CPU
};
/// An address, as a value of host code.
struct PointerRef {
    std::uint64_t address = 0;
};
/// Lists and dicts are shared by reference, as in Python.
struct ListRef {
    std::shared_ptr<PyItems> items;
    bool isTuple = false;
};
/// A dict; see ListRef.
struct DictRef {
    std::shared_ptr<PyEntries> entries;
};
/// `owner.name`, waiting to be called.
struct BoundMethod {
    std::shared_ptr<PyValue> owner;
    std::string name;
};

/// A value as Python and ATen's IValue have it, with tensors by handle. std::monostate is None.
struct PyValue {
    using Kind = std::variant<std::monostate, bool, std::int64_t, double, std::string, tensor::DType, TensorRef,
                              DeviceRef, PointerRef, ListRef, DictRef, BoundMethod>;
    Kind kind;

    PyValue() = default;
    PyValue(bool v)
        : kind(v) {}
    PyValue(std::int64_t v)
        : kind(v) {}
    PyValue(int v)
        : kind(std::int64_t(v)) {}
    PyValue(double v)
        : kind(v) {}
    PyValue(std::string v)
        : kind(std::move(v)) {}
    PyValue(const char* v)
        : kind(std::string(v)) {}
    PyValue(tensor::DType v)
        : kind(v) {}
    PyValue(TensorRef v)
        : kind(v) {}
    PyValue(DeviceRef v)
        : kind(v) {}
    PyValue(PointerRef v)
        : kind(v) {}
    PyValue(ListRef v)
        : kind(std::move(v)) {}
    PyValue(DictRef v)
        : kind(std::move(v)) {}
    PyValue(BoundMethod v)
        : kind(std::move(v)) {}

    static PyValue list(PyItems items) { return ListRef{std::make_shared<PyItems>(std::move(items)), false}; }
    static PyValue tuple(PyItems items) { return ListRef{std::make_shared<PyItems>(std::move(items)), true}; }
    static PyValue dict(PyEntries entries) { return DictRef{std::make_shared<PyEntries>(std::move(entries))}; }

    [[nodiscard]] bool isNone() const { return std::holds_alternative<std::monostate>(kind); }
    template <class T> [[nodiscard]] const T* as() const { return std::get_if<T>(&kind); }
};

/// Python's name of the value's class: "int", "float", "Tensor", "NoneType", ...
[[nodiscard]] std::string typeName(const PyValue& value);
/// What Python's str() and repr() give; tensors by a short description.
[[nodiscard]] std::string str(const PyValue& value);
[[nodiscard]] std::string repr(const PyValue& value);
/// Python's truth of a value (a tensor counts as true: its elements are not looked at).
[[nodiscard]] bool truth(const PyValue& value);
/// Python's ==, over numbers, strings, None and containers of them; tensors by identity.
[[nodiscard]] bool equal(const PyValue& a, const PyValue& b);

} // namespace kernelarium::host
