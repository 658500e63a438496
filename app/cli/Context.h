// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// Exit codes of every command.
enum ExitCode : int {
    exitSuccess = 0,
    exitCheckFailed = 1,      ///< what the command checks is false: a kernel is wrong
    exitBadInput = 2,         ///< bad usage or input
    exitMissingComponent = 3, ///< a component is not installed
    exitInterrupted = 130     ///< ended by Ctrl-C or a polite kill; what was done is kept
};

/// What the commands share. One JSON document goes to standard output with --json, text without; progress and
/// messages always go to standard error.
struct Context {
    bool json = false;
    int exitCode = exitSuccess;
};

/// Of --size.
inline constexpr const char* sizesHelp =
    "small: shapes for the emulator; full: the task's published ones; or another size of its card (`task show`)";

/// Prints the error (text on standard error, or {"error": {...}} with --json) and returns the exit code for it.
int report(Context& context, const Error& error);

// Each registers its subcommands on `app`; their callbacks do the work and set context.exitCode.
void addArchiveCommands(CLI::App& app, Context& context);
void addHgemmCommands(CLI::App& app, Context& context);
void addTaskCommands(CLI::App& app, Context& context);
void addCompileCommand(CLI::App& app, Context& context);
void addRunCommands(CLI::App& app, Context& context);     // run, verify, profile, step, tensors, time
void addDeviceCommands(CLI::App& app, Context& context);  // device list
void addToolkitCommands(CLI::App& app, Context& context); // toolkit get, show, remove
void addCacheCommands(CLI::App& app, Context& context);   // cache show, limit, clear
void addRooflineCommand(CLI::App& app, Context& context);
void addAuditCommand(CLI::App& app, Context& context);
void addLessonCommands(CLI::App& app, Context& context);   // lesson list, run, check, export, merge, times
void addSuperoptCommands(CLI::App& app, Context& context); // superopt explain, show, emit, prove, search, ...
void addScheduleCommands(CLI::App& app, Context& context); // schedule explain, show, prove, vary, mine
void addTuneCommands(CLI::App& app, Context& context);     // tune, tune show, resume, merge, compare
void addClusterCommands(CLI::App& app, Context& context);  // cluster status, watch, collect, cancel
void addWorkerCommands(CLI::App& app, Context& context);   // worker compile, worker run
void addManualCommand(CLI::App& app, Context& context);    // manual: of all that is on `app` when it runs

} // namespace kernelarium::cli
