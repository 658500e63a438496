// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/manual/CommandTree.h"
#include "app/manual/Surroundings.h"
#include "app/manual/Texts.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {

namespace {

manual::Program programOf(const CLI::App& app) {
    manual::Program program;
    program.root = commandTree(app);
    program.summary = "verify, tune and study CUDA kernels, with or without a GPU";
    program.version = KERNELARIUM_VERSION;
    program.sections = {
        manual::environmentSection({{"KERNELARIUM_DB", "The archive that commands take without --db."}}),
        manual::filesSection()};
    program.related = {"kernelarium(1)", "kernelarium-guide(7)"};
    return program;
}

} // namespace

void addManualCommand(CLI::App& app, Context& context) {
    auto kind = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "manual", "Print this program's manual page, or its completion for a shell. In bash: `source "
                  "<(kernelarium-cli manual bash)`. A package installs all of them");
    command->add_option("KIND", *kind, "What to print")->required()->check(CLI::IsMember(manual::textKinds()));
    command->callback([kind, &app, &context] {
        const manual::Program program = programOf(app);
        fmt::print("{}", manual::textOf(*kind, program).value_or(""));
        context.exitCode = exitSuccess;
    });
}

} // namespace kernelarium::cli
