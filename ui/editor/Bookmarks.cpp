// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/Bookmarks.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr unsigned long bookmarkBit = 1UL << unsigned(bookmarkMarker);

long cursorLineOf(const QsciScintilla& editor) {
    return editor.SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION,
                                static_cast<unsigned long>(editor.SendScintilla(QsciScintilla::SCI_GETCURRENTPOS)));
}

} // namespace

void defineBookmarks(QsciScintilla& editor, const QColor& colour) {
    editor.markerDefine(QsciScintilla::Bookmark, bookmarkMarker);
    editor.setMarkerForegroundColor(colour, bookmarkMarker);
    editor.setMarkerBackgroundColor(colour, bookmarkMarker);
}

void toggleBookmark(QsciScintilla& editor) {
    const int line = int(cursorLineOf(editor));
    if ((editor.markersAtLine(line) & bookmarkBit) != 0)
        editor.markerDelete(line, bookmarkMarker);
    else
        editor.markerAdd(line, bookmarkMarker);
}

bool goToBookmark(QsciScintilla& editor, bool next) {
    const auto message = next ? QsciScintilla::SCI_MARKERNEXT : QsciScintilla::SCI_MARKERPREVIOUS;
    const long here = cursorLineOf(editor);
    const auto find = [&](long from) {
        return from < 0 ? -1 : editor.SendScintilla(message, static_cast<unsigned long>(from), long(bookmarkBit));
    };
    long line = find(next ? here + 1 : here - 1);
    if (line < 0) line = find(next ? 0 : editor.lines() - 1L);
    if (line < 0) return false;
    editor.ensureLineVisible(int(line));
    editor.SendScintilla(QsciScintilla::SCI_GOTOLINE, static_cast<unsigned long>(line));
    return true;
}

std::vector<int> bookmarks(const QsciScintilla& editor) {
    std::vector<int> lines;
    for (long line = editor.SendScintilla(QsciScintilla::SCI_MARKERNEXT, 0UL, long(bookmarkBit)); line >= 0;
         line = editor.SendScintilla(QsciScintilla::SCI_MARKERNEXT, static_cast<unsigned long>(line + 1),
                                     long(bookmarkBit)))
        lines.push_back(int(line) + 1);
    return lines;
}

} // namespace kernelarium::ui
