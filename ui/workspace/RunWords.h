// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/RunMessages.h"

#include <QString>

namespace kernelarium::ui {

/// A plain run in one line: how it ended, and its outputs in figures.
[[nodiscard]] QString runSentence(const worker::RunSummary& summary);
/// It is a problem: it did not finish, or an output has no meaning.
[[nodiscard]] bool isProblem(const worker::RunSummary& summary);

} // namespace kernelarium::ui
