// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ConfinedProcess.h"

#include "gpu/process/WriteWatch.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace kernelarium::process {

Result<ToolEnd> runConfined(const ConfinedCommand& command, const files::ScratchFolder& scratch,
                            const std::stop_token& stop) {
    std::optional<Result<Confinement>> confinement;
    if (!command.trusted)
        confinement.emplace(Confinement::prepare(scratch.path().string(), command.limits, command.readable));
    if (confinement && !*confinement) return confinement->error();
    std::function<Result<void>(pid_t)> watch;
    if (confinement && command.limits.written != 0)
        watch = [writes = WriteWatch(scratch.path(), command.limits.written)](pid_t process) {
            return writes.look(process);
        };
    return runTool({.start = {.words = command.words,
                              .environment = command.environment,
                              .folder = scratch.path().string(),
                              .confinement = confinement ? &**confinement : nullptr,
                              .apart = true},
                    .input = command.input,
                    .longestOutput = command.longestOutput,
                    .timeLimit = std::max(command.timeLimit, std::chrono::milliseconds(1)),
                    .watch = std::move(watch)},
                   stop);
}

} // namespace kernelarium::process
