// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"
#include "ui/theme/Palette.h"

namespace kernelarium::ui {

class Theme;

/// What every text widget of the window shares: colours of caret, selection, margins, folding, braces and call tips.
void applyTheme(QsciScintilla& editor, const Theme& theme);
/// UTF-8, four spaces, no frame, zoom by Ctrl+wheel, no horizontal jump; keys that the window uses are given up.
void applyHabits(QsciScintilla& editor);
/// Takes the accelerators of Scintilla's own commands that would swallow the window's (Ctrl+D, Ctrl+L, ...).
void releaseKeys(QsciScintilla& editor);
/// Styles what is not yet styled up to a position, so that styles can be asked for before the next paint. At most
/// 128 KB: farther away nothing happens.
void ensureStyled(const QsciScintilla& editor, long position);
/// A share of `b` over `a`.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

/// Lines of the source and what was compiled of them have one of these colours behind them, neighbours another: by
/// line % bandCount.
inline constexpr int bandCount = 4;
[[nodiscard]] QColor bandColour(const Palette& palette, int sourceLine);

} // namespace kernelarium::ui
