// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

#include <QColor>
#include <vector>

namespace kernelarium::ui {

// Lines that the reader marked to come back to. They move with their text, and stay with its page.

inline constexpr int bookmarkMarker = 22; ///< of Scintilla's; for the mask of the margin that shows it

void defineBookmarks(QsciScintilla& editor, const QColor& colour);
void toggleBookmark(QsciScintilla& editor); ///< at the cursor's line
/// To the next bookmarked line, or the one before, around the end; false: there is none.
bool goToBookmark(QsciScintilla& editor, bool next);
[[nodiscard]] std::vector<int> bookmarks(const QsciScintilla& editor); ///< lines, from 1

} // namespace kernelarium::ui
