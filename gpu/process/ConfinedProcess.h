// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/ScratchFolder.h"
#include "gpu/process/Confinement.h"
#include "gpu/process/ToolRun.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::process {

/// A program to be run confined.
struct ConfinedCommand {
    std::vector<std::string> words;       ///< program (found on PATH) and arguments
    std::vector<std::string> environment; ///< "NAME=value": all of it
    std::string input;                    ///< for its standard input
    std::size_t longestOutput = 0;        ///< bytes of standard output; more is an error
    std::chrono::milliseconds timeLimit{0};
    ConfinementLimits limits;
    /// Files and folders that it may read besides the system's (ReadableFiles.h), links followed; nothing: all that the
    /// user can. Those that do not exist are passed over.
    std::optional<std::vector<std::string>> readable = {};
    /// A tool that needs devices, sockets or processes of its own and reads nothing that nobody read: nothing is taken
    /// away from it, and only the limits of time and output hold.
    bool trusted = false;
};

/// Runs a program to its end in `scratch`, confined, its standard error thrown away. It has a session of its own and no
/// terminal, and is killed when the time is over, when it says or writes too much, when stopped and when our process
/// dies. Errors: those of runTool(); "too_large" also where it writes more than its limits say.
Result<ToolEnd> runConfined(const ConfinedCommand& command, const files::ScratchFolder& scratch,
                            const std::stop_token& stop);

} // namespace kernelarium::process
