// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

/// Everything that an archive holds of its kernels, one JSON line each, in the order of their keys; without
/// the numbers of rows and the names of the files that they came from. Empty when it cannot be read.
std::string contentOf(const std::filesystem::path& archive);
