// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/NumberChecks.h"
#include "gpu/protocol/kept/KeptUnits.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

using namespace kernelarium;

namespace {

constexpr const char* description =
    "Kernelarium: verify and study CUDA kernels of the AI CUDA Engineer archive, with or without a GPU.\n"
    "Every command takes --json. Exit codes: 0 success, 1 what was checked is false, 2 bad usage or input,\n"
    "3 a component is missing, 130 interrupted.";

/// Whoever closed one of the three would have what is printed written into the next file that is opened.
void openStandardStreams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDWR) != stream) ::_exit(2);
}

/// Also where the command line is wrong before its options are read.
bool asksForJson(int argc, char** argv) {
    char** const end = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
    return std::any_of(argv, end, [](const char* word) { return std::string_view(word) == "--json"; });
}

/// Nobody is told by a reader that went away; of anything else one should hear.
int outputFailed(int code) {
    if (code != EPIPE)
        std::fprintf(stderr, "kernelarium-cli: The output cannot be written: %s.\n", std::strerror(code));
    return cli::exitBadInput;
}

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
    cli::addCacheCommands(app, context);
    cli::addRooflineCommand(app, context);
    cli::addAuditCommand(app, context);
    cli::addTuneCommands(app, context);
    cli::addLessonCommands(app, context);
    cli::addSuperoptCommands(app, context);
    cli::addScheduleCommands(app, context);
    cli::addClusterCommands(app, context);
    cli::addWorkerCommands(app, context);
    cli::addManualCommand(app, context);
    cli::checkNumbers(app);
    protocol::KeptUnits::setOfProcess(std::make_shared<protocol::KeptUnits>(protocol::KeptUnits::standardFolder()));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" of code 0 in CLI11; everything else is bad usage.
        const bool isAnswer = error.get_exit_code() == int(CLI::ExitCodes::Success);
        context.json |= asksForJson(argc, argv);
        if (!isAnswer && context.json) return cli::report(context, {"bad_usage", error.what(), "See --help."});
        app.exit(error);
        return isAnswer ? cli::exitSuccess : cli::exitBadInput;
    }
    return context.exitCode;
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that goes away is an error of write, not our end
    openStandardStreams();
    try {
        const int code = run(argc, argv);
        errno = 0;
        if (std::fflush(stdout) != 0) return outputFailed(errno);
        return code;
    } catch (const std::system_error& failure) {
        if (std::ferror(stdout) != 0) return outputFailed(failure.code().value());
        std::fprintf(stderr, "kernelarium-cli: internal error: %s\n", failure.what());
        return cli::exitBadInput;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "kernelarium-cli: internal error: %s\n", failure.what());
        return cli::exitBadInput;
    }
}
