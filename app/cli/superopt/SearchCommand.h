// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace kernelarium::cli {

struct Context;

/// `superopt search`, `resume`, `found` and `merge`: graphs enumerated for a task, in a store that outlives its
/// process.
void addSearchCommands(CLI::App& group, Context& context);

} // namespace kernelarium::cli
