// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::resources {

/// A CUDA source of our own kernels, embedded at build time: its file name without folder, and its text.
struct OperatorSource {
    std::string_view name;
    std::string_view text;
};

/// Every file of resources/operators.
std::span<const OperatorSource> operatorSources();

} // namespace kernelarium::resources
