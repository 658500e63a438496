// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::tools {

/// Every file of that name that may be executed, first in `folders`, then on PATH; each once.
[[nodiscard]] std::vector<std::string> programsNamed(const std::string& name,
                                                     const std::vector<std::string>& folders = {});
/// The first of them; empty without one.
[[nodiscard]] std::string programNamed(const std::string& name, const std::vector<std::string>& folders = {});

} // namespace kernelarium::tools
