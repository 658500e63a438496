// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::resources {

/// Names that host code on Linux can use, separated by spaces and line ends: c.txt has those of the C library and POSIX
/// at global scope, std.txt what namespace std has besides, torch.txt what PyTorch's and pybind11's public C++
/// interfaces have besides the operators; members of classes included.
struct KnownNames {
    std::string_view name;
    std::string_view text;
};

/// Every file of resources/names.
std::span<const KnownNames> knownNames();

} // namespace kernelarium::resources
