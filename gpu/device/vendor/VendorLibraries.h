// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::device {

/// Files that may be one of NVIDIA's libraries, best first: in the CUDA toolkit's folders, in the packages of the
/// user's Pythons (PyTorch brings them along, below site-packages/nvidia), and last the bare names for the loader to
/// look for. `names` in order of preference ("libcublas.so.13", "libcublas.so.12").
[[nodiscard]] std::vector<std::string> vendorLibraries(const std::vector<std::string>& names);

/// The same among these folders alone, for tests: `site` are site-packages folders.
[[nodiscard]] std::vector<std::string> vendorLibrariesIn(const std::vector<std::string>& folders,
                                                         const std::vector<std::string>& site,
                                                         const std::vector<std::string>& names);

} // namespace kernelarium::device
