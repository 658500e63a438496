// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/FileSpace.h"
#include "core/tuning/space/TunableText.h"

#include <string>

namespace kernelarium::tuning {

/// Puts a file's space on a text. A parameter sets the literal of the one constant of its name (TextConstants.h), or,
/// where the text has none, is passed as -DNAME=VALUE: the text uses the name and does not define it, or asks #ifndef.
/// `registers` and `fast_math` are the compile settings. Marks in the text do not count. The start is the file's word,
/// or else the text's own value where the list has it, or else the list's first; where restrictions forbid it, a remark
/// says so.
///
/// Error "bad_input": the text has no such name, several or one that is no literal; values that cannot stand in the
/// literal's place; a restriction that is none; 2^64 points or more.
Result<TunableText> spaceOnText(std::string text, const FileSpace& file);

} // namespace kernelarium::tuning
