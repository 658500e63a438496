// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::test {

/// One small use of some names: the body of a function of `torch::Tensor x` (1, 2, 3, 4, on the device) and
/// `py::dict d`, and what it must give.
struct Use {
    std::vector<std::string> names;    ///< "torch::relu", ".size" for a method, "<vector>" for a header
    std::vector<std::string> includes; ///< before <torch/extension.h>; a use with any is compiled by itself
    std::string before;                ///< code at namespace scope
    std::string body;
    std::string module;        ///< "@module": stands for the whole PYBIND11_MODULE line, compiled by itself
    std::vector<double> gives; ///< elements of the result, in order
    std::string prints;        ///< what the run's output must hold
    std::string raises;        ///< what the exception that ends the run must say
    std::string refuses;       ///< what the compiler must say, for a name that is not a name
    bool onlyTensor = false;   ///< "@tensors": the call has no `d`
    int line = 0;

    /// Whether it cannot share a unit with others.
    [[nodiscard]] bool alone() const {
        return !includes.empty() || !module.empty() || !raises.empty() || !refuses.empty();
    }
    [[nodiscard]] std::string title() const;
};

/// Reads a .uses file: "@use names", then any of "@include <header>", "@gives numbers", "@prints text",
/// "@raises text",
/// "@refuses text", "@module text", "@tensors", "@before" (code up to "@body"), and lines of the body. '#' at
/// column 0 before the first use of a file begins a comment. Throws std::runtime_error with file and line on
/// anything else.
std::vector<Use> readUses(const std::string& path);

/// The names of a use that its own text does not contain.
std::vector<std::string> namesNotUsed(const Use& use);

} // namespace kernelarium::test
