// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Cost.h"
#include "ui/theme/Palette.h"
#include "ui/workspace/Kernel.h"

#include <QString>

namespace kernelarium::ui {

class Workspace;

/// The facts of the kernel on the bench as rich text.
[[nodiscard]] QString factsHtml(const Kernel& kernel, bool edited, const QString& verdict, const Palette& palette);

/// The task's sentence, call and costs as rich text.
[[nodiscard]] QString taskHtml(const task::Card& card, const QString& size, const task::Cost* cost, const Palette& palette);

} // namespace kernelarium::ui
