// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::resources {

/// A CUDA source of the kernels that find a device's ceilings, embedded at build time: its file name, and its text.
struct CeilingSource {
    std::string_view name;
    std::string_view text;
};

/// Every file of resources/ceilings.
std::span<const CeilingSource> ceilingSources();

} // namespace kernelarium::resources
