// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "app/cli/kernel/EmittedText.h"

#include "gpu/protocol/CompileMessages.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// How a text is compiled a second time, to be shown beside the first; empty: it is not.
struct SecondCompilation {
    std::string arch;    ///< empty: that of the first
    std::string options; ///< a line: "--fast-math --max-registers=32 -DN=2"; replaces the first's. See `given`
    bool given = false;  ///< `options` is there, be it empty
    [[nodiscard]] bool isWanted() const { return !arch.empty() || given; }
};

void addSecondCompilation(CLI::App& command, SecondCompilation& second);

/// The parameters of the second, from those of the first. Error "bad_input".
Result<protocol::CompileParameters> parametersOfSecond(const SecondCompilation& second,
                                                       protocol::CompileParameters first);

/// Prints both: the kernels' resources side by side, and with `emit` ptx or sass the two listings side by side around
/// their differences (diff::assemblyDiff). With --json {"a", "b", "changes"}.
int printPair(Context& context, const compile::CompiledUnit& a, const compile::CompiledUnit& b, Emit emit,
              const compile::Toolkit& toolkit);

} // namespace kernelarium::cli
