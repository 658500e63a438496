// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/Channel.h"
#include "gpu/process/Child.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace kernelarium::process {

/// A program that is run to its end.
struct ToolRun {
    Start start = {};                                  ///< its standard streams are set by runTool()
    std::string input = {};                            ///< all of its standard input
    std::size_t longestOutput = std::size_t(64) << 20; ///< bytes of standard output; more is an error
    std::chrono::milliseconds timeLimit{0};            ///< 0: none
    bool keepsErrors = false;                          ///< standard error; it is thrown away otherwise
    /// Asked about twenty times a second while the program runs: an error ends it and is what comes back.
    std::function<Result<void>(pid_t)> watch = {};
};

/// How a program ended, and what it said.
struct ToolEnd : End {
    std::string output;
    std::string errors; ///< where it is kept: the last `longestOutput` bytes
};

/// Runs a program, no shell in between, until it has closed its output. It is killed when the time is over, when it
/// says too much, when stopped and when our process dies.
/// Errors: "missing_component" (it cannot be started or confined), "timeout", "too_large", "cancelled", the watch's.
Result<ToolEnd> runTool(const ToolRun& run, const std::stop_token& stop = {});

/// The two halves of runTool(), for a program that is started before there is something for it to do.
Result<Channel> startTool(const ToolRun& run);
Result<ToolEnd> endTool(Channel& channel, const ToolRun& run, const std::stop_token& stop);

} // namespace kernelarium::process
