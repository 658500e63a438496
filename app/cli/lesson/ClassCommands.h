// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `lesson export`: a student's own file for the teacher. `lesson merge`: those of a class in one table.
void addExportCommand(CLI::App& group, Context& context);
void addMergeCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
