// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::toolkit {

/// The public index of Python packages, where NVIDIA publishes its redistributable wheels; the only place that says so.
inline constexpr std::string_view defaultIndex = "https://pypi.org/simple/";

/// Under which terms the wheels are given. The text itself comes with each of them.
inline constexpr std::string_view licenceName = "NVIDIA CUDA Toolkit End User License Agreement";
inline constexpr std::string_view licenceAddress = "https://docs.nvidia.com/cuda/eula/";

/// One of the wheels that together are what compiling needs, at the version that was tried with the others'.
struct PinnedWheel {
    std::string project; ///< its normalized name
    std::string version;
    std::string file;    ///< as published
    std::string sha256;  ///< of the published file
    std::string purpose; ///< what is in it, for a reader
    /// What is taken out of it, below the toolkit's folder: files, and folders that end in '/'.
    std::vector<std::string> keeps;
    /// Files that it has to have, or it is another wheel than it says.
    std::vector<std::string> needs;
    std::uint64_t keptBytes = 0; ///< of what is taken out, about
};

/// The release of the CUDA toolkit whose parts the wheels are.
[[nodiscard]] const std::string& pinnedVersion();

/// Those of CUDA 13.0.2 for x86-64 Linux. Neither nvcc nor cicc is needed, so wheels that only they need are left out;
/// no wheel has nvdisasm.
[[nodiscard]] const std::vector<PinnedWheel>& pinnedWheels();

/// The bytes that they take once they are unpacked, about.
[[nodiscard]] std::uint64_t pinnedBytes();

/// Names of projects are equal when these are (PEP 503).
[[nodiscard]] std::string normalizedName(std::string_view name);

/// Whether a file of this name is this version of the wheel, for x86-64 Linux (PEP 427).
[[nodiscard]] bool isFileOf(const PinnedWheel& wheel, std::string_view file);

} // namespace kernelarium::toolkit
