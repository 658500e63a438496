// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::task {

/// A card file, embedded.
struct BuiltInCard {
    int level;
    int task;
    std::string_view json;
};
/// The files of archive_data/tasks as they were at build time. Defined in a source that the build generates.
std::span<const BuiltInCard> builtInCardTable();

} // namespace kernelarium::task
