// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace kernelarium::cli {

struct Context;

/// `superopt found`: what a search for graphs has found, and their kernel files verified.
void addFoundCommand(CLI::App& group, Context& context);

} // namespace kernelarium::cli
