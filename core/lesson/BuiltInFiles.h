// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace kernelarium::lesson {

/// A file of a built-in lesson.
struct BuiltInFile {
    std::string_view lesson; ///< folder name
    std::string_view name;
    std::string_view text;
};

/// Generated at build time from resources/lessons.
[[nodiscard]] std::span<const BuiltInFile> builtInFiles();

} // namespace kernelarium::lesson
