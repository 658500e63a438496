// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/CompileMessages.h"
#include "gpu/worker/DeviceMessages.h"
#include "gpu/worker/WorkerClient.h"

#include <CLI/CLI.hpp>
#include <string>

namespace kernelarium::cli {

/// Where kernels run: here, or on another machine.
struct RunPlace {
    std::string target; ///< "ssh:user@host:port"; empty: this machine
    std::string bundle; ///< an archive of packaging/bundle to copy there
    int gpu = 0;        ///< which of the machine's GPUs
};

/// --target, --bundle and --gpu.
void addPlaceOptions(CLI::App& command, RunPlace& place);

/// Clients of this very program's `worker compile` and `worker run`; the latter also on another machine. The place must
/// have passed the options' checks.
[[nodiscard]] worker::WorkerClient makeCompiler();
[[nodiscard]] worker::WorkerClient makeRunner(const RunPlace& place = {});

/// Compiles in a compile child, which a hanging or crashing compiler takes with it and nothing else. Errors: those of
/// the child and of WorkerClient::call; after two minutes "timeout".
Result<compile::CompiledUnit> compileInChild(worker::WorkerClient& compiler,
                                             const worker::CompileParameters& parameters);

/// What the run child can run kernels on, and why there is no GPU where there is none. Errors: those of
/// WorkerClient::call.
Result<worker::DeviceList> devicesOf(worker::WorkerClient& runner);

/// Prints the stage on standard error where a person sits there.
void showStage(const std::string& stage);

} // namespace kernelarium::cli
