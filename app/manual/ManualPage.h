// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/Manual.h"

namespace kernelarium::manual {

/// The program's manual page for section 1, in the man macros of roff, UTF-8: every command with every option. It says
/// nothing of the day or machine on which it was made.
[[nodiscard]] std::string manualPage(const Program& program);

} // namespace kernelarium::manual
