// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/explain/Explanation.h"

#include <string>

namespace kernelarium::cli {

// What algebra says of a task, in words and as a JSON document, each ending with a newline.
[[nodiscard]] std::string explanationText(const algebra::Explanation& explanation);
[[nodiscard]] std::string explanationJson(const algebra::Explanation& explanation);

} // namespace kernelarium::cli
