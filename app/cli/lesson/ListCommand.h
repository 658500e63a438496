// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `lesson list` and `lesson check`: which lessons there are, and what is wrong with those of a folder.
void addListCommand(CLI::App& group, Context& context);
void addCheckCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
