// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/Unwinding.h"

#include <map>

namespace kernelarium::host {

std::string pythonClass(const std::string& cppType) {
    // pybind11's documentation, "Built-in C++ to Python exception translation", and torch/csrc's own.
    static const std::map<std::string, std::string> table{
        {"std::bad_alloc", "MemoryError"},
        {"std::domain_error", "ValueError"},
        {"std::invalid_argument", "ValueError"},
        {"std::length_error", "ValueError"},
        {"std::out_of_range", "IndexError"},
        {"std::range_error", "ValueError"},
        {"std::overflow_error", "OverflowError"},
        {"pybind11::stop_iteration", "StopIteration"},
        {"pybind11::index_error", "IndexError"},
        {"pybind11::key_error", "KeyError"},
        {"pybind11::value_error", "ValueError"},
        {"pybind11::type_error", "TypeError"},
        {"pybind11::import_error", "ImportError"},
        {"pybind11::attribute_error", "AttributeError"},
        {"py::index_error", "IndexError"},
        {"py::key_error", "KeyError"},
        {"py::value_error", "ValueError"},
        {"py::type_error", "TypeError"},
        {"c10::IndexError", "IndexError"},
        {"c10::ValueError", "ValueError"},
        {"c10::TypeError", "TypeError"},
        {"c10::NotImplementedError", "NotImplementedError"},
        {"c10::OutOfMemoryError", "torch.OutOfMemoryError"},
    };
    const auto found = table.find(cppType);
    return found == table.end() ? "RuntimeError" : found->second;
}

} // namespace kernelarium::host
