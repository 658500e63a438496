// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::resources {

/// A header of the PyTorch shim: the name that files include it by, and its text.
struct ShimHeader {
    const char* name;
    const char* text;
};

/// Every header of resources/shim, embedded at build time.
std::span<const ShimHeader> shimHeaders();

} // namespace kernelarium::resources
