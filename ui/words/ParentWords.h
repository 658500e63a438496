// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <QString>

namespace kernelarium::ui {

// Where an attempt comes from, everywhere in the window the same.

/// "naive"; with a change of another kernel in it, "naive + fast".
[[nodiscard]] QString kernelWithParents(const session::AttemptSummary& attempt);
/// "Edited from naive (attempt 3); changes taken from fast."; of a kernel that was generated, from what. Empty where
/// neither says more than the kernel's key.
[[nodiscard]] QString parentsSentence(const session::AttemptSummary& attempt);

} // namespace kernelarium::ui
