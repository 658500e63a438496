// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/FileSpace.h"
#include "core/tuning/space/TunableText.h"

#include <string>

namespace kernelarium::tuning {

/// Puts a file's space on a text. A parameter sets what a mark of the text gives that name (the mark's list and the
/// marks' restrictions do not count: the space is the file's); otherwise the literal of the one constant of its name
/// (TextConstants.h); otherwise it is passed as -DNAME=VALUE, where the text uses the name and does not declare it, or
/// asks whether it is defined. `registers` and `fast_math` are the compile settings. The start is the file's word, or
/// else the text's own value where the list has it, or else the list's first; where restrictions forbid it, a remark
/// says so.
///
/// Error "bad_input": the text has no such name, several, or one that is no literal or no constant; values that cannot
/// stand in the literal's place; a restriction that is none; 2^64 points or more.
Result<TunableText> spaceOnText(std::string text, const FileSpace& file);

} // namespace kernelarium::tuning
