// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace kernelarium::host {

/// What ptxas made of a kernel.
struct AssembledKernel {
    std::uint32_t registers = 0;   ///< per thread
    std::uint32_t globalLoads = 0; ///< compile::KernelResources::globalLoads
};

/// A compiled file as a runner needs it; compile::CompiledUnit has all of it.
struct HostProgram {
    std::string ptx;                                ///< of the whole file, host functions included
    std::map<std::string, AssembledKernel> kernels; ///< by mangled name; may be empty
    bool definesModule = true;                      ///< CompiledUnit::usesTensorExtension
    bool isProgram = false;                         ///< CompiledUnit::isProgram: its main is run, not a module
    std::string function; ///< of the module, to be called in forward's stead; empty: `forward`, or the only one
};

/// What Python says of a file that defines no module.
inline constexpr const char* noModuleReason =
    "ImportError: dynamic module does not define module export function (PyInit_TORCH_EXTENSION_NAME): the file has no "
    "PYBIND11_MODULE";

} // namespace kernelarium::host
