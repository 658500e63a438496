// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

#include <vector>

namespace kernelarium::ui {

/// Replaces the whole text in one undo step, touching only what lies between the common beginning and end, so that
/// marks and the cursor outside stay where they are. The cursor keeps its line (and byte column where it exists) even
/// when that line was replaced.
void replaceDocument(QsciScintilla& editor, const QString& text);

/// Position of a 1-based line and a 1-based byte column, clamped to the document and to whole characters.
[[nodiscard]] long positionAt(const QsciScintilla& editor, int line, int column);

/// Bytes [begin, end) and what stands there afterwards.
struct TextEdit {
    long begin = 0;
    long end = 0;
    QByteArray text;
};
/// One undo step. In order and disjoint; marks outside of what is replaced stay.
void applyEdits(QsciScintilla& editor, const std::vector<TextEdit>& edits);
/// Where a position is after applyEdits(). `behind`: at the place of an insertion it is behind what was inserted.
[[nodiscard]] long movedBy(const std::vector<TextEdit>& edits, long position, bool behind);

/// Scrolls back to where lines begin, if the selection can be seen from there. For jumps: a search, a replacement or an
/// undo that went far to the right leaves a text whose lines begin in their middle.
void showLineStarts(QsciScintilla& editor);

/// The document's bytes without copying; valid until the next change.
[[nodiscard]] QByteArray documentBytes(const QsciScintilla& editor);

} // namespace kernelarium::ui
