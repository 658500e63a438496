// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `superopt show`.
void addShowCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
