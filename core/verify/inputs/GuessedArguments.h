// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// Arguments that a kernel file's function could be called with, one text for each parameter as ArgumentText.h reads
/// them, from its declared types: a start for whoever knows the shapes. `function` is the name that the module gives
/// it; empty: "forward". Nothing where the function is not found or a type is none that can be written.
[[nodiscard]] std::vector<std::string> guessedArguments(std::string_view source, std::string_view function = {});

} // namespace kernelarium::verify
