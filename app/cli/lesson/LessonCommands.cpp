// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/lesson/ClassCommands.h"
#include "app/cli/lesson/ListCommand.h"
#include "app/cli/lesson/RunCommand.h"
#include "app/cli/lesson/TimesCommand.h"

#include <CLI/CLI.hpp>

namespace kernelarium::cli {

void addLessonCommands(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand("lesson", "The course's lessons, and those of a teacher");
    group->require_subcommand(1);
    group->fallthrough();
    addListCommand(*group, context);
    addRunCommand(*group, context);
    addCheckCommand(*group, context);
    addExportCommand(*group, context);
    addMergeCommand(*group, context);
    addTimesCommand(*group, context);
}

} // namespace kernelarium::cli
