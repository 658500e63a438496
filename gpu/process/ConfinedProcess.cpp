// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ConfinedProcess.h"

#include <algorithm>
#include <optional>

namespace kernelarium::process {

Result<ToolEnd> runConfined(const ConfinedCommand& command, const files::ScratchFolder& scratch,
                            const std::stop_token& stop) {
    std::optional<Result<Confinement>> confinement;
    if (!command.trusted) confinement.emplace(Confinement::prepare(scratch.path().string(), command.limits));
    if (confinement && !*confinement) return confinement->error();
    return runTool({.start = {.words = command.words,
                              .environment = command.environment,
                              .folder = scratch.path().string(),
                              .confinement = confinement ? &**confinement : nullptr,
                              .apart = true},
                    .input = command.input,
                    .longestOutput = command.longestOutput,
                    .timeLimit = std::max(command.timeLimit, std::chrono::milliseconds(1))},
                   stop);
}

} // namespace kernelarium::process
