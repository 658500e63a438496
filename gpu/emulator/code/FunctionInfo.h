// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::emulator {

/// Where a parameter lies in its kernel's parameter space.
struct ParameterInfo {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

/// What callers have to know of a function.
struct FunctionInfo {
    std::string name; ///< mangled, as in the PTX
    bool isKernel = false;
    std::vector<ParameterInfo> parameters;
    std::uint32_t parameterBytes = 0;
    std::uint32_t returnBytes = 0;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t localBytes = 0; ///< stack frame per thread
};

/// A variable of the module, and where it was placed.
struct SymbolInfo {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool isConstant = false;
};

} // namespace kernelarium::emulator
