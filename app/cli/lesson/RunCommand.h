// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `lesson run`: a kernel, or answers, held against a step's conditions.
void addRunCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
