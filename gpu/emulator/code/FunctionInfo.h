// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::emulator {

struct ParameterInfo {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

struct FunctionInfo {
    std::string name; ///< mangled, as in the PTX
    bool isKernel = false;
    std::vector<ParameterInfo> parameters;
    std::uint32_t parameterBytes = 0;
    std::uint32_t returnBytes = 0;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t localBytes = 0; ///< stack frame per thread
};

struct SymbolInfo {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool isConstant = false;
};

} // namespace kernelarium::emulator
