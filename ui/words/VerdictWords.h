// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "ui/theme/Palette.h"

#include <QString>

namespace kernelarium::ui {

// What verdicts and the archive's claims are called, everywhere in the window the same.

[[nodiscard]] QString claimText(archive::KernelTable::Correct correct, archive::ErrorKind kind);
/// "matmul with diagonal matrices" for "12_Matmul_with_diagonal_matrices_".
[[nodiscard]] QString operatorText(const QString& opName);

/// A shape and a word for a verdict's machine name: "✓ verified", "✗ wrong". Empty for an empty name.
[[nodiscard]] QString verdictWord(const QString& name, bool stale = false, bool smallOnly = false);
/// What it means that a verdict is stale, a sentence.
[[nodiscard]] QString staleExplanation();
/// The icon of resources/icons for it.
[[nodiscard]] QString verdictIcon(const QString& name);
[[nodiscard]] QColor verdictColour(const Palette& palette, const QString& name);
/// What the verdict means, a sentence.
[[nodiscard]] QString verdictExplanation(const QString& name);

} // namespace kernelarium::ui
