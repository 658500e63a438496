// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

using namespace kernelarium;

namespace {

constexpr const char* description =
    "Kernelarium: verify and study CUDA kernels of the AI CUDA Engineer archive, with or without a GPU.\n"
    "Every command takes --json. Exit codes: 0 success, 1 what was checked is false, 2 bad usage or input,\n"
    "3 a component is missing, 130 interrupted.";

int run(int argc, char** argv) {
    CLI::App app(description, "kernelarium-cli");
    cli::Context context;
    app.add_flag("--json", context.json, "Print one JSON document on standard output");
    app.set_version_flag("--version", std::string("kernelarium-cli ") + KERNELARIUM_VERSION);
    app.require_subcommand(1);
    app.fallthrough(); // --json may stand after the command, too
    cli::addArchiveCommands(app, context);
    cli::addTaskCommands(app, context);
    cli::addHgemmCommands(app, context);
    cli::addCompileCommand(app, context);
    cli::addRunCommands(app, context);
    cli::addDeviceCommands(app, context);
    cli::addToolkitCommands(app, context);
    cli::addRooflineCommand(app, context);
    cli::addAuditCommand(app, context);
    cli::addTuneCommands(app, context);
    cli::addClusterCommands(app, context);
    cli::addWorkerCommands(app, context);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" of code 0 in CLI11; everything else is bad usage.
        const bool isAnswer = error.get_exit_code() == int(CLI::ExitCodes::Success);
        if (!isAnswer && context.json) return cli::report(context, {"bad_usage", error.what(), "See --help."});
        app.exit(error);
        return isAnswer ? cli::exitSuccess : cli::exitBadInput;
    }
    return context.exitCode;
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that goes away is an error of write, not our end
    try {
        return run(argc, argv);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "kernelarium-cli: internal error: %s\n", failure.what());
        return cli::exitBadInput;
    }
}
