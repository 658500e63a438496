// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `lesson times`: for every step with a time, the modelled and the measured times of its starter and its solution.
void addTimesCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
