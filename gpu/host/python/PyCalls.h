// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/tensors/PyValue.h"
#include "gpu/host/tensors/TensorTable.h"

#include <string>

namespace kernelarium::host {

/// What pybind11 lets C++ do with Python objects: "py.getattr", "py.call", "py.getitem", "py.contains",
/// "py.len", "py.isinstance", conversions, ... on the values that a `forward` is called with. A dict also
/// answers as PyTorch's ParameterDict does: its keys are attributes. Raises AttributeError, KeyError,
/// IndexError and TypeError in Python's words; stops the run as unsupported on an operation by name that is
/// not here.
class PyCalls {
public:
    explicit PyCalls(TensorTable& table)
        : m_table(table) {}

    PyValue call(const std::string& operation, const PyItems& arguments);

private:
    PyValue getAttribute(const PyValue& owner, const std::string& name) const;
    PyValue callMethod(const BoundMethod& method, const PyItems& arguments) const;

    TensorTable& m_table;
};

[[nodiscard]] PyValue pyGetItem(const PyValue& owner, const PyValue& key);
[[nodiscard]] bool pyContains(const PyValue& owner, const PyValue& item);
[[nodiscard]] std::int64_t pyLength(const PyValue& value);
[[nodiscard]] bool pyIsInstance(const PyValue& value, const std::string& type);
/// Attributes of a tensor, and its methods that answer with a number or a shape (as bound methods); any other name
/// stops the run as unsupported.
[[nodiscard]] PyValue pyTensorAttribute(const TensorTable& table, const TensorRef& tensor, const std::string& name);
[[nodiscard]] PyValue pyTensorMethod(const TensorTable& table, const TensorRef& tensor, const std::string& name,
                                     const PyItems& arguments);

} // namespace kernelarium::host
