// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/KernelClient.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace kernelarium::cli {

/// Where kernels run: here, or on another machine.
struct RunPlace {
    std::string target;                ///< "ssh:user@host:port"; empty: this machine
    std::string bundle;                ///< an archive of packaging/bundle to copy there
    int gpu = 0;                       ///< which of the machine's GPUs
    std::uint64_t memoryMegabytes = 0; ///< that the child may take; 0: its own default
};

/// --target, --bundle, --gpu and --memory.
void addPlaceOptions(CLI::App& command, RunPlace& place);

/// Clients of this very program's `worker compile` and `worker run`; the latter also on another machine. The place must
/// have passed the options' checks.
[[nodiscard]] protocol::KernelClient makeCompiler();
[[nodiscard]] protocol::KernelClient makeRunner(const RunPlace& place = {});

/// A call that prints each stage on standard error where a person sits there.
[[nodiscard]] protocol::CallOptions shown();

} // namespace kernelarium::cli
