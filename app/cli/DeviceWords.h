// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kernelarium::cli {

/// The devices that the program knows, "a100|h100|...": what stands for --device in the help, and is completed.
[[nodiscard]] std::string deviceWords();

} // namespace kernelarium::cli
