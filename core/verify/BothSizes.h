// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Verdict.h"

#include <span>
#include <string_view>

namespace kernelarium::verify {

// The published size is a task's contract; the small one is what an emulator can run whole. A kernel may be right at
// one of them only.

/// Whether the published size may show that this verdict of the small one is due to the size alone: wrong values,
/// unwritten elements, accesses past an allocation, a refused launch, an exception or exit of host code (which may look
/// at sizes). Other verdicts stand, whatever the published size gives.
[[nodiscard]] bool mayDependOnSize(const Verdict& small);

/// The verdict on both.
///   - The small size failed and mayDependOnSize(): right at the published size is right, with the remark
///     `published_size_only`. Where the small size also showed a race, an uninitialised read or another fault that no
///     size excuses, the published one has to have run whole, with the emulator's checks.
///   - The small size was right: what fails at the published size fails. Where that gives no answer (an Error, no
///     support, no time, no reference) the small size's verdict stays, of size "small", with the remark
///     `published_size_untried`.
///   - Right at both: a verdict of size "both", with the remarks of both and the larger errors.
/// A check `published_size` says what was found there.
[[nodiscard]] Verdict ofBothSizes(Verdict small, const Result<Verdict>& published);

/// The check of that name: what it is for, and what it may note.
inline constexpr std::string_view publishedSizeCheck = "published_size";
[[nodiscard]] std::string_view publishedSizeExplanation();
[[nodiscard]] std::span<const Reason> sizeReasons();

/// Right at the small size, and nobody has tried the published one.
[[nodiscard]] bool smallSizeOnly(const Verdict& verdict);

} // namespace kernelarium::verify
