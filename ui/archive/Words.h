// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "ui/theme/Palette.h"

#include <QString>

namespace kernelarium::ui {

// How numbers and verdicts are written, everywhere in the window the same.

[[nodiscard]] QString speedupText(double ratio); ///< "2.41×", "0.0042×"; empty for NaN; "–" for the 0 of a wrong kernel
[[nodiscard]] QString millisecondsText(double milliseconds); ///< three or more significant digits, without unit
[[nodiscard]] QString secondsText(double seconds);           ///< "340 ms", "1.2 s"
[[nodiscard]] QString timeLeftText(double seconds);          ///< "1:05": minutes and seconds
[[nodiscard]] QString bytesText(double bytes);               ///< "1.5 MB", powers of ten
[[nodiscard]] QString countText(double count);               ///< "12.3 M"
[[nodiscard]] QString errorText(double error);               ///< "1.2e-07"

[[nodiscard]] QString claimText(archive::KernelTable::Correct correct, archive::ErrorKind kind);
/// "matmul with diagonal matrices" for "12_Matmul_with_diagonal_matrices_".
[[nodiscard]] QString operatorText(const QString& opName);

/// A shape and a word for a verdict's machine name: "✓ verified", "✗ wrong". Empty for an empty name.
[[nodiscard]] QString verdictWord(const QString& name, bool stale = false);
/// What it means that a verdict is stale, a sentence.
[[nodiscard]] QString staleExplanation();
/// The icon of resources/icons for it.
[[nodiscard]] QString verdictIcon(const QString& name);
[[nodiscard]] QColor verdictColour(const Palette& palette, const QString& name);
/// What the verdict means, a sentence.
[[nodiscard]] QString verdictExplanation(const QString& name);

} // namespace kernelarium::ui
