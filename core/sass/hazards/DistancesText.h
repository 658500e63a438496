// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace kernelarium::sass {

/// resources/schedule/distances.csv, compiled in.
std::string_view distancesText();

} // namespace kernelarium::sass
