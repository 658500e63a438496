// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/DocumentEdit.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

bool isContinuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

} // namespace

QByteArray documentBytes(const QsciScintilla& editor) {
    const auto* bytes = static_cast<const char*>(editor.SendScintillaPtrResult(S::SCI_GETCHARACTERPOINTER));
    return QByteArray::fromRawData(bytes, editor.length());
}

long positionAt(const QsciScintilla& editor, int line, int column) {
    const long index = std::clamp(line - 1, 0, editor.lines() - 1);
    const long start = editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(index));
    const long end = editor.SendScintilla(S::SCI_GETLINEENDPOSITION, static_cast<unsigned long>(index));
    long position = std::clamp(start + std::max(0, column - 1), start, end);
    while (position > start &&
           isContinuation(char(editor.SendScintilla(S::SCI_GETCHARAT, static_cast<unsigned long>(position)))))
        --position;
    return position;
}

void replaceDocument(QsciScintilla& editor, const QString& text) {
    const QByteArray now = documentBytes(editor);
    const QByteArray next = text.toUtf8();
    const qsizetype shorter = std::min(now.size(), next.size());
    qsizetype head = std::mismatch(now.begin(), now.begin() + shorter, next.begin()).first - now.begin();
    while (head > 0 &&
           ((head < now.size() && isContinuation(now[head])) || (head < next.size() && isContinuation(next[head]))))
        --head;
    qsizetype tail = 0;
    while (tail < shorter - head && now[now.size() - 1 - tail] == next[next.size() - 1 - tail])
        ++tail;
    while (tail > 0 && isContinuation(now[now.size() - tail]))
        --tail;
    if (head == now.size() && head == next.size()) return;

    int line = 0, column = 0;
    const long position = editor.SendScintilla(S::SCI_GETCURRENTPOS);
    line = int(editor.SendScintilla(S::SCI_LINEFROMPOSITION, position));
    column = int(position - editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line)));
    const bool inside = position > head && position < now.size() - tail;

    const qsizetype until = now.size() - tail;
    editor.beginUndoAction();
    editor.SendScintilla(S::SCI_SETTARGETRANGE, static_cast<unsigned long>(head), long(until));
    editor.SendScintilla(S::SCI_REPLACETARGET, static_cast<unsigned long>(next.size() - head - tail),
                         next.constData() + head);
    editor.endUndoAction();
    if (inside)
        editor.SendScintilla(S::SCI_GOTOPOS, static_cast<unsigned long>(positionAt(editor, line + 1, column + 1)));
}

void applyEdits(QsciScintilla& editor, const std::vector<TextEdit>& edits) {
    editor.beginUndoAction();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
        editor.SendScintilla(S::SCI_SETTARGETRANGE, static_cast<unsigned long>(edit->begin), edit->end);
        editor.SendScintilla(S::SCI_REPLACETARGET, static_cast<unsigned long>(edit->text.size()),
                             edit->text.constData());
    }
    editor.endUndoAction();
}

long movedBy(const std::vector<TextEdit>& edits, long position, bool behind) {
    long moved = 0;
    for (const TextEdit& edit : edits) {
        const long length = long(edit.text.size());
        if (position < edit.begin || (position == edit.begin && edit.begin == edit.end && !behind)) break;
        if (position >= edit.end) {
            moved += length - (edit.end - edit.begin);
            continue;
        }
        return edit.begin + moved + std::min(position - edit.begin, length); // inside
    }
    return position + moved;
}

void showLineStarts(QsciScintilla& editor) {
    const long scrolled = editor.SendScintilla(S::SCI_GETXOFFSET);
    if (scrolled <= 0) return;
    const int room = editor.viewport()->width() - editor.fontMetrics().averageCharWidth();
    const long caret = editor.SendScintilla(S::SCI_GETCURRENTPOS), anchor = editor.SendScintilla(S::SCI_GETANCHOR);
    for (const long position : {caret, anchor})
        if (editor.SendScintilla(S::SCI_POINTXFROMPOSITION, 0UL, position) + scrolled > room &&
            (position == caret || editor.SendScintilla(S::SCI_LINEFROMPOSITION, position) ==
                                      editor.SendScintilla(S::SCI_LINEFROMPOSITION, caret)))
            return;
    editor.SendScintilla(S::SCI_SETXOFFSET, 0UL);
    editor.SendScintilla(S::SCI_SETSCROLLWIDTH, 1UL); // grows again to what is shown
}

} // namespace kernelarium::ui
