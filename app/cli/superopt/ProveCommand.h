// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `superopt prove`.
void addProveCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
