// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/ScratchFolder.h"
#include "gpu/process/ConfinedProcess.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tools {

/// The user's Python, run on what nobody read.
struct PythonRun {
    std::string program;                ///< a path
    std::vector<std::string> arguments; ///< of Python
    std::chrono::milliseconds timeLimit{0};
    std::uint64_t memory = 0; ///< bytes; 0: half of the machine's, 16 GiB at most
};

/// How it is run confined, with `scratch` as its home:
/// - of our environment it gets nothing but what finds its libraries;
/// - it reads the system's files and its own: those of its installation, of the environment that it belongs to and of
///   its search path, which it is asked for first, without PyTorch and confined as well. The user's home and what is
///   above it are not let, even if the search path names them;
/// - its files hold 64 MiB each, and all that it writes 256 MiB; it starts some more threads than PyTorch needs.
process::ConfinedCommand confinedPython(const PythonRun& run, const files::ScratchFolder& scratch,
                                        const std::stop_token& stop);

} // namespace kernelarium::tools
