// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/text/CompilerSettings.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// -I, -D, -U and --max-registers, for every command that compiles a kernel: gathered in their order.
void addCompilerOptions(CLI::App& command, std::vector<std::string>& words);

/// What was gathered, its folders as absolute paths. Error "bad_input".
Result<text::CompilerSettings> compilerSettings(const std::vector<std::string>& words);

} // namespace kernelarium::cli
