// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

namespace kernelarium::ui {

/// Replaces the whole text in one undo step, touching only what lies between the common beginning and end, so that
/// marks and the cursor outside stay where they are. The cursor keeps its line (and byte column where it exists) even
/// when that line was replaced.
void replaceDocument(QsciScintilla& editor, const QString& text);

/// Position of a 1-based line and a 1-based byte column, clamped to the document and to whole characters.
[[nodiscard]] long positionAt(const QsciScintilla& editor, int line, int column);

/// The document's bytes without copying; valid until the next change.
[[nodiscard]] QByteArray documentBytes(const QsciScintilla& editor);

} // namespace kernelarium::ui
