// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::perf {

/// The files of resources/devices as they were at build time. Defined in a source that the build generates.
std::span<const std::string_view> builtInDevices();

} // namespace kernelarium::perf
