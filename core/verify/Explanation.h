// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace kernelarium::verify {

/// What a check of this name (CheckReport::name) is for, in words for a reader who has not met it: how a kernel gets
/// past others, and what is done here. Empty for a name that no check has.
[[nodiscard]] std::string_view explanationOf(std::string_view check);

/// The same for a remark or reason of a verdict (Verdict.h has the list); empty for one that needs no words.
[[nodiscard]] std::string_view meaningOf(std::string_view reasonOrRemark);

} // namespace kernelarium::verify
