// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/Proof.h"

#include <QString>

namespace kernelarium::ui {

/// A proof rung by rung: what was drawn, what it covers and leaves out, and where the two differ.
[[nodiscard]] QString proofText(const proof::Proof& proof);

} // namespace kernelarium::ui
