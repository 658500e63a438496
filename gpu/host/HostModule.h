// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/PyValue.h"
#include "gpu/host/TensorTable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::host {

/// A function that the module gives to Python.
struct Definition {
    std::string name;
    std::uint64_t invoke = 0; ///< address of the shim's caller, takes `function`
    std::uint64_t function = 0;
    int arity = 0;
    std::vector<std::string> argumentNames;       ///< from py::arg; may be empty
    std::vector<std::optional<PyValue>> defaults; ///< by position; empty where there is none
};

/// What PYBIND11_MODULE defined, as it is collected while the module's entry function runs.
class HostModule {
public:
    void setName(std::string name) { m_name = std::move(name); }
    void define(Definition definition) { m_definitions.push_back(std::move(definition)); }

    [[nodiscard]] const std::optional<std::string>& name() const { return m_name; }
    [[nodiscard]] const std::vector<Definition>& definitions() const { return m_definitions; }

    /// The overloads to try: those named `forward`, or those of the only name there is. Empty where there is
    /// no single choice.
    [[nodiscard]] std::vector<const Definition*> entry() const;

private:
    std::optional<std::string> m_name;
    std::vector<Definition> m_definitions;
};

/// The arguments of a call by position, defaults filled in; raises TypeError on too many or too few.
[[nodiscard]] PyItems bindArguments(const Definition& definition, const PyItems& positional);

/// A value as pybind11's caster of that kind (a KL_* number, -1 for any) takes it: an int as a double, a bool
/// as an int, a tuple as a list, a tensor with one element as a number. Raises TypeError naming the function,
/// the argument and what was given.
[[nodiscard]] PyValue convertArgument(const PyValue& value, int kind, const Definition& definition,
                                      std::size_t index, const TensorTable& table);

} // namespace kernelarium::host
