// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

#include <QKeySequence>
#include <QString>
#include <utility>
#include <vector>

namespace kernelarium::ui {

// What an editor of code does with whole lines and several cursors. Each acts on every selection, is one undo step, and
// leaves the selections on the same text. A text that cannot be changed stays as it is.

/// `//` before the selected lines that hold anything, in one column; away from them where all begin with it.
void toggleComment(QsciScintilla& editor);
/// Past the line above or below; selected lines move together.
void moveLines(QsciScintilla& editor, bool down);
/// The selected text behind itself; a line without a selection below itself. The copy is selected then.
void duplicate(QsciScintilla& editor);
void deleteLines(QsciScintilla& editor);
/// Return at several cursors: each new line is indented as its own, and deeper behind a {.
void breakLines(QsciScintilla& editor);

/// Selects the word at the cursor; then, each time, the next place of what is selected as well, with the same case, and
/// only whole words where the selection is one. Begins again at the top.
void selectNextOccurrence(QsciScintilla& editor);
void selectAllOccurrences(QsciScintilla& editor);
/// One more cursor in the same column of the line above the first, or below the last.
void addCursor(QsciScintilla& editor, bool below);
/// Alt+click: one more cursor there, or, where there is one, without it. `before`: what was selected before the click.
struct CursorSet {
    std::vector<std::pair<long, long>> ranges; ///< anchor and caret
    long main = 0;
};
[[nodiscard]] CursorSet cursorsOf(const QsciScintilla& editor);
void toggleCursor(QsciScintilla& editor, CursorSet before, long position);
/// Only the main one stays; false: there are no others.
bool dropOtherCursors(QsciScintilla& editor);

/// One of them as menus and keys know it.
struct LineCommand {
    const char* name; ///< "edit.comment"
    QString text;
    QString tip;
    QKeySequence key; ///< where the editor has the focus
    void (*run)(QsciScintilla& editor);
};
[[nodiscard]] std::vector<LineCommand> lineCommands();

} // namespace kernelarium::ui
