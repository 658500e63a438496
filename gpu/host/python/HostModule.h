// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/tensors/PyValue.h"
#include "gpu/host/tensors/TensorTable.h"

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
    bool returnsNothing = false;                  ///< a void function
    std::vector<std::size_t> tensors;             ///< parameters that are tensors, among the first 31
    std::vector<std::size_t> tensorReferences;    ///< those of them that are `Tensor&`
};

/// What PYBIND11_MODULE and TORCH_LIBRARY defined, as it is collected while their entry functions run.
class HostModule {
public:
    /// "TORCH_EXTENSION_NAME" and the like from PYBIND11_MODULE; "TORCH_LIBRARY:space:" or
    /// "TORCH_LIBRARY:space:KEY" where what follows goes to torch.ops.space instead.
    void begin(const std::string& name);
    void define(Definition definition);

    [[nodiscard]] const std::optional<std::string>& name() const { return m_name; }
    [[nodiscard]] const std::vector<Definition>& definitions() const { return m_definitions; }
    /// Operators with an implementation for CUDA tensors; names as "space::operator".
    [[nodiscard]] const std::vector<Definition>& operators() const { return m_operators; }

    /// The overloads to try: those of that name; without one those named `forward`, or those of the only name there is.
    /// Empty where there is no such name, or no single choice.
    [[nodiscard]] std::vector<const Definition*> entry(const std::string& function) const;
    /// The same among the operators: the one whose name is that or ends in "::" and it; without one the one that ends
    /// in "::forward", or the only one there is.
    [[nodiscard]] const Definition* operatorEntry(const std::string& function) const;

private:
    void defineOperator(Definition definition);

    std::optional<std::string> m_name;
    std::string m_space; ///< of the TORCH_LIBRARY block that runs; empty in a module
    std::string m_key;   ///< its dispatch key
    std::vector<Definition> m_operators;
    std::vector<Definition> m_definitions;
};

/// Whether a call with so many arguments by position has one for every parameter.
[[nodiscard]] bool takes(const Definition& definition, std::size_t count);

/// The arguments of a call by position, defaults filled in; raises TypeError on too many or too few. A parameter
/// named "*" takes the positional ones that are left, one named "**" the named ones, of which there are none.
[[nodiscard]] PyItems bindArguments(const Definition& definition, const PyItems& positional);

/// A value as pybind11's caster of that kind (a KL_* number, -1 for any) takes it: an int as a double, a bool
/// as an int, a tuple as a list, a tensor with one element as a number. Raises TypeError naming the function,
/// the argument and what was given.
[[nodiscard]] PyValue convertArgument(const PyValue& value, int kind, const Definition& definition, std::size_t index,
                                      const TensorTable& table);

} // namespace kernelarium::host
