// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Cost.h"
#include "ui/desks/Kernel.h"
#include "ui/theme/Palette.h"
#include "ui/workspace/Standing.h"

#include <QString>

namespace kernelarium::ui {

/// What is known of the text's verdict; empty: nothing.
struct VerdictFact {
    QString kind; ///< verify::name(VerdictKind), for shape and colour
    QString text;
};

/// The facts of the kernel on the bench as rich text. `narrow`: where a number comes from stands below it.
[[nodiscard]] QString factsHtml(const Kernel& kernel, bool edited, const VerdictFact& verdict,
                                const std::optional<Standing::Now>& standing, const Palette& palette,
                                bool narrow = false);

/// The task's sentence, call and costs as rich text.
[[nodiscard]] QString taskHtml(const task::Card& card, const QString& size, const task::Cost* cost,
                               const Palette& palette);

} // namespace kernelarium::ui
