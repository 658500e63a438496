// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Subject.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// One place of the kernel's code that differs.
struct Patch {
    std::int64_t place = 0;     ///< bytes from the kernel's begin
    std::size_t fileOffset = 0; ///< bytes from the file's begin
    sass::Word before, after;
    int cameFrom = -1; ///< the instruction that stands there now stood here: place / 16 in the original
};

[[nodiscard]] std::vector<Patch> patchesOf(const Subject& subject, const std::vector<sass::Word>& words);
[[nodiscard]] nlohmann::json toJson(const std::vector<Patch>& patches);
/// A line each: place, offset in the file, old and new 16 bytes as hexadecimal in the order of the file, texts of both.
[[nodiscard]] std::string patchText(const Subject& subject, const std::vector<Patch>& patches);

/// Where each place's instruction stood in the original: the links between both sides of a comparison.
[[nodiscard]] std::vector<int> permutationOf(const Subject& subject, const std::vector<sass::Word>& words);

} // namespace kernelarium::schedule
