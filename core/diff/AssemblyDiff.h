// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/SequenceDiff.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::diff {

/// A line of PTX or SASS as it is compared: without indentation, comments, offsets and scheduling, and without the
/// numbers of registers, predicates and labels, which another allocation gives at will: "add.s32 %r, %r, 1;",
/// "@!P IMAD R, R, R, RZ ;". Empty for a line that has nothing else.
[[nodiscard]] std::string comparableAssembly(std::string_view line);

/// The changes between two listings, line by line, of what comparableAssembly() leaves. Lines that it leaves nothing
/// of are never part of a change by themselves.
[[nodiscard]] std::vector<Change> assemblyDiff(std::span<const std::string> a, std::span<const std::string> b,
                                               const std::stop_token& stop = {});

} // namespace kernelarium::diff
