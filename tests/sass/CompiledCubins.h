// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/sass/cubin/Cubin.h"

#include <string>
#include <vector>

namespace kernelarium::test {

/// A kernel file of the repository ("archive_data/kernels/level_1/001/...") as a cubin, through the project's own
/// compiler. Errors: "missing_component" without a toolkit; else what the compiler says.
[[nodiscard]] Result<sass::Cubin> compiledCubin(const std::string& file, const std::string& arch);
[[nodiscard]] Result<sass::Cubin> compiledText(const std::string& source, const std::string& arch);

/// The kernel files of the starter archive.
[[nodiscard]] std::vector<std::string> starterFiles();

/// A cubin as it lies in a file. Error "bad_input".
[[nodiscard]] Result<sass::Cubin> cubinOf(const std::string& path);

} // namespace kernelarium::test
