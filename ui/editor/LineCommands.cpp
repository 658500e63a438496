// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/LineCommands.h"

#include "ui/editor/Bookmarks.h"
#include "ui/editor/DocumentEdit.h"

#include <QCoreApplication>
#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

unsigned long word(long value) {
    return static_cast<unsigned long>(value);
}

long lineAt(const QsciScintilla& editor, long position) {
    return editor.SendScintilla(S::SCI_LINEFROMPOSITION, word(position));
}
long startOf(const QsciScintilla& editor, long line) {
    return line >= editor.lines() ? editor.length() : editor.SendScintilla(S::SCI_POSITIONFROMLINE, word(line));
}
/// Without its line break.
long endOf(const QsciScintilla& editor, long line) {
    return editor.SendScintilla(S::SCI_GETLINEENDPOSITION, word(line));
}

void setCursors(QsciScintilla& editor, const CursorSet& cursors) {
    bool first = true;
    for (const auto& [anchor, caret] : cursors.ranges)
        editor.SendScintilla(std::exchange(first, false) ? unsigned(S::SCI_SETSELECTION)
                                                         : unsigned(S::SCI_ADDSELECTION),
                             word(caret), anchor);
    editor.SendScintilla(S::SCI_SETMAINSELECTION, word(cursors.main));
    editor.ensureLineVisible(int(lineAt(editor, editor.SendScintilla(S::SCI_GETCURRENTPOS))));
    editor.SendScintilla(S::SCI_SCROLLCARET);
}

/// Lines [first, last].
struct Block {
    long first = 0;
    long last = 0;
};

/// That selections touch, neighbours together. A selection that ends where a line begins does not touch that line.
std::vector<Block> touchedLines(const QsciScintilla& editor, const CursorSet& cursors) {
    std::vector<Block> blocks;
    for (const auto& [anchor, caret] : cursors.ranges) {
        const long begin = std::min(anchor, caret), end = std::max(anchor, caret);
        Block block{lineAt(editor, begin), lineAt(editor, end)};
        if (block.last > block.first && end == startOf(editor, block.last)) --block.last;
        blocks.push_back(block);
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.first < b.first; });
    std::vector<Block> merged;
    for (const Block& block : blocks)
        if (!merged.empty() && block.first <= merged.back().last + 1)
            merged.back().last = std::max(merged.back().last, block.last);
        else
            merged.push_back(block);
    return merged;
}

QByteArray bytesOf(const QsciScintilla& editor, long begin, long end) {
    const QByteArray all = documentBytes(editor);
    return {all.constData() + begin, qsizetype(end - begin)};
}

void applyAndMove(QsciScintilla& editor, const std::vector<TextEdit>& edits, CursorSet cursors, bool behind) {
    if (edits.empty()) return;
    applyEdits(editor, edits);
    for (auto& [anchor, caret] : cursors.ranges) {
        anchor = movedBy(edits, anchor, behind);
        caret = movedBy(edits, caret, behind);
    }
    setCursors(editor, cursors);
}

} // namespace

CursorSet cursorsOf(const QsciScintilla& editor) {
    CursorSet cursors;
    const long count = editor.SendScintilla(S::SCI_GETSELECTIONS);
    for (long i = 0; i < count; ++i)
        cursors.ranges.emplace_back(editor.SendScintilla(S::SCI_GETSELECTIONNANCHOR, word(i)),
                                    editor.SendScintilla(S::SCI_GETSELECTIONNCARET, word(i)));
    cursors.main = editor.SendScintilla(S::SCI_GETMAINSELECTION);
    return cursors;
}

void toggleComment(QsciScintilla& editor) {
    if (editor.isReadOnly()) return;
    const CursorSet cursors = cursorsOf(editor);
    struct Line {
        long code; ///< where anything stands first
        bool commented;
        bool blankBehind;
    };
    std::vector<Line> lines;
    long column = -1;
    bool all = true;
    const QByteArray bytes = documentBytes(editor);
    for (const Block& block : touchedLines(editor, cursors))
        for (long line = block.first; line <= block.last; ++line) {
            const long start = startOf(editor, line), end = endOf(editor, line);
            const long code = editor.SendScintilla(S::SCI_GETLINEINDENTPOSITION, word(line));
            if (code >= end) continue;
            const QByteArray first = bytes.mid(code, std::min(3L, end - code));
            lines.push_back({code, first.startsWith("//"), first.size() > 2 && first[2] == ' '});
            all = all && lines.back().commented;
            column = column < 0 ? code - start : std::min(column, code - start);
        }
    std::vector<TextEdit> edits;
    for (const Line& line : lines)
        if (all)
            edits.push_back({line.code, line.code + (line.blankBehind ? 3 : 2), {}});
        else
            edits.push_back({startOf(editor, lineAt(editor, line.code)) + column,
                             startOf(editor, lineAt(editor, line.code)) + column, "// "});
    applyAndMove(editor, edits, cursors, true);
}

void moveLines(QsciScintilla& editor, bool down) {
    if (editor.isReadOnly()) return;
    const CursorSet cursors = cursorsOf(editor);
    const long lines = editor.lines();
    std::vector<TextEdit> edits;
    for (const Block& block : touchedLines(editor, cursors)) {
        if (down ? block.last + 1 >= lines : block.first == 0) continue;
        const long begin = startOf(editor, block.first), end = startOf(editor, block.last + 1);
        const bool atTheEnd = endOf(editor, down ? block.last + 1 : block.last) == editor.length();
        if (down) {
            const QByteArray next = bytesOf(editor, end, endOf(editor, block.last + 1));
            if (atTheEnd && next.isEmpty()) continue; // the empty line behind the last line break
            edits.push_back({begin, begin, next + '\n'});
            if (atTheEnd)
                edits.push_back({endOf(editor, block.last), editor.length(), {}});
            else
                edits.push_back({end, startOf(editor, block.last + 2), {}});
        } else {
            const long before = startOf(editor, block.first - 1);
            const QByteArray line = bytesOf(editor, before, endOf(editor, block.first - 1));
            edits.push_back({before, begin, {}});
            if (atTheEnd && end == endOf(editor, block.last))
                edits.push_back({editor.length(), editor.length(), '\n' + line});
            else
                edits.push_back({end, end, line + '\n'});
        }
    }
    applyAndMove(editor, edits, cursors, down);
}

void duplicate(QsciScintilla& editor) {
    if (editor.isReadOnly()) return;
    const CursorSet cursors = cursorsOf(editor);
    std::vector<TextEdit> edits;
    std::vector<long> lines; // that have a copy
    for (const auto& [anchor, caret] : cursors.ranges) {
        const long begin = std::min(anchor, caret), end = std::max(anchor, caret);
        if (begin != end) {
            edits.push_back({begin, begin, bytesOf(editor, begin, end)});
            continue;
        }
        const long line = lineAt(editor, caret);
        if (std::find(lines.begin(), lines.end(), line) != lines.end()) continue;
        lines.push_back(line);
        const long start = startOf(editor, line);
        edits.push_back({start, start, bytesOf(editor, start, endOf(editor, line)) + '\n'});
    }
    // What is put before it pushes the selection on: it stands on the second of the two.
    std::sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
    applyAndMove(editor, edits, cursors, true);
}

void deleteLines(QsciScintilla& editor) {
    if (editor.isReadOnly()) return;
    const CursorSet cursors = cursorsOf(editor);
    std::vector<TextEdit> edits;
    CursorSet after;
    for (const Block& block : touchedLines(editor, cursors)) {
        long begin = startOf(editor, block.first);
        const long end = startOf(editor, block.last + 1);
        const bool last = block.last + 1 >= editor.lines();
        if (last && block.first > 0) begin = endOf(editor, block.first - 1); // with the line break before
        if (begin == end) continue;
        edits.push_back({begin, end, {}});
        long column = 0; // of the cursor that was there
        for (const auto& [anchor, caret] : cursors.ranges)
            if (const long line = lineAt(editor, caret); line >= block.first && line <= block.last)
                column = caret - startOf(editor, line);
        // On the line that takes the place, as far to the right as it goes.
        const long next = last ? std::max(0L, block.first - 1) : block.last + 1;
        const long start = startOf(editor, next);
        const long place = last && block.first == 0 ? 0 : std::min(start + column, endOf(editor, next));
        after.ranges.emplace_back(place, place);
    }
    for (auto& [anchor, caret] : after.ranges)
        anchor = caret =
            positionAt(editor, int(lineAt(editor, caret)) + 1, int(caret - startOf(editor, lineAt(editor, caret))) + 1);
    applyAndMove(editor, edits, after, true);
}

void breakLines(QsciScintilla& editor) {
    if (editor.isReadOnly()) return;
    CursorSet cursors = cursorsOf(editor);
    std::vector<TextEdit> edits;
    for (const auto& [anchor, caret] : cursors.ranges) {
        const long begin = std::min(anchor, caret), end = std::max(anchor, caret);
        const long line = lineAt(editor, begin);
        const long code = std::min(begin, editor.SendScintilla(S::SCI_GETLINEINDENTPOSITION, word(line)));
        QByteArray indent = bytesOf(editor, startOf(editor, line), code);
        if (bytesOf(editor, startOf(editor, line), begin).trimmed().endsWith('{'))
            indent += QByteArray(editor.indentationWidth(), ' ');
        edits.push_back({begin, end, '\n' + indent});
    }
    std::sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
    for (auto& [anchor, caret] : cursors.ranges)
        anchor = caret = std::max(anchor, caret);
    applyAndMove(editor, edits, cursors, true);
}

namespace {

void addOccurrences(QsciScintilla& editor, unsigned message) {
    const long begin = editor.SendScintilla(S::SCI_GETSELECTIONSTART),
               end = editor.SendScintilla(S::SCI_GETSELECTIONEND);
    const bool whole = begin == end || editor.SendScintilla(S::SCI_ISRANGEWORD, word(begin), end);
    editor.SendScintilla(S::SCI_SETSEARCHFLAGS, word(S::SCFIND_MATCHCASE | (whole ? long(S::SCFIND_WHOLEWORD) : 0L)));
    editor.SendScintilla(S::SCI_TARGETWHOLEDOCUMENT);
    editor.SendScintilla(message);
    editor.ensureLineVisible(int(lineAt(editor, editor.SendScintilla(S::SCI_GETCURRENTPOS))));
    editor.SendScintilla(S::SCI_SCROLLCARET);
}

} // namespace

void selectNextOccurrence(QsciScintilla& editor) {
    addOccurrences(editor, S::SCI_MULTIPLESELECTADDNEXT);
}

void selectAllOccurrences(QsciScintilla& editor) {
    if (editor.SendScintilla(S::SCI_GETSELECTIONEMPTY)) addOccurrences(editor, S::SCI_MULTIPLESELECTADDNEXT);
    if (!editor.SendScintilla(S::SCI_GETSELECTIONEMPTY)) addOccurrences(editor, S::SCI_MULTIPLESELECTADDEACH);
}

void addCursor(QsciScintilla& editor, bool below) {
    CursorSet cursors = cursorsOf(editor);
    const auto outermost = std::minmax_element(cursors.ranges.begin(), cursors.ranges.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
    const long from = below ? outermost.second->second : outermost.first->second;
    const long line = lineAt(editor, from) + (below ? 1 : -1);
    if (line < 0 || line >= editor.lines()) return;
    // The column of the first of all: short lines in between do not shift the others.
    const long column = editor.SendScintilla(S::SCI_GETCOLUMN, word(cursors.ranges.front().second));
    const long place = editor.SendScintilla(S::SCI_FINDCOLUMN, word(line), column);
    cursors.ranges.emplace_back(place, place);
    cursors.main = long(cursors.ranges.size()) - 1;
    setCursors(editor, cursors);
}

void toggleCursor(QsciScintilla& editor, CursorSet before, long position) {
    const auto there = std::find(before.ranges.begin(), before.ranges.end(), std::pair(position, position));
    if (there == before.ranges.end())
        before.ranges.emplace_back(position, position);
    else if (before.ranges.size() > 1)
        before.ranges.erase(there);
    before.main = long(before.ranges.size()) - 1;
    setCursors(editor, before);
}

bool dropOtherCursors(QsciScintilla& editor) {
    if (editor.SendScintilla(S::SCI_GETSELECTIONS) < 2) return false;
    const CursorSet cursors = cursorsOf(editor);
    setCursors(editor, {{cursors.ranges[std::size_t(cursors.main)]}, 0});
    return true;
}

std::vector<LineCommand> lineCommands() {
    const auto tr = [](const char* text) { return QCoreApplication::translate("LineCommands", text); };
    return {
        {"edit.comment", tr("&Comment out"), tr("Put // before the selected lines, or take it away"),
         QKeySequence(Qt::CTRL | Qt::Key_Slash), toggleComment},
        {"edit.moveUp", tr("Move lines &up"), tr("Move the selected lines up by one"),
         QKeySequence(Qt::ALT | Qt::Key_Up), [](QsciScintilla& e) { moveLines(e, false); }},
        {"edit.moveDown", tr("Move lines &down"), tr("Move the selected lines down by one"),
         QKeySequence(Qt::ALT | Qt::Key_Down), [](QsciScintilla& e) { moveLines(e, true); }},
        {"edit.duplicate", tr("Du&plicate"), tr("Repeat the selected text, or the line"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), duplicate},
        {"edit.deleteLines", tr("De&lete lines"), tr("Remove the selected lines"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K), deleteLines},
        {"edit.nextOccurrence", tr("Select the &next occurrence"),
         tr("Select the word at the cursor, then its next place as well"), QKeySequence(Qt::ALT | Qt::Key_J),
         selectNextOccurrence},
        {"edit.allOccurrences", tr("Select &all occurrences"),
         tr("Select every place of the word or the selected text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
         selectAllOccurrences},
        {"edit.cursorAbove", tr("Cursor a&bove"), tr("Add a cursor in the line above"),
         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up), [](QsciScintilla& e) { addCursor(e, false); }},
        {"edit.cursorBelow", tr("Cursor b&elow"), tr("Add a cursor in the line below"),
         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down), [](QsciScintilla& e) { addCursor(e, true); }},
        {"edit.bookmark", tr("Book&mark"), tr("Mark the line to come back to it, or take the mark away"),
         QKeySequence(Qt::CTRL | Qt::Key_B), toggleBookmark},
        {"edit.nextBookmark", tr("Next boo&kmark"), tr("Go to the next bookmarked line"),
         QKeySequence(Qt::ALT | Qt::Key_PageDown), [](QsciScintilla& e) { goToBookmark(e, true); }},
        {"edit.previousBookmark", tr("P&revious bookmark"), tr("Go to the bookmarked line before"),
         QKeySequence(Qt::ALT | Qt::Key_PageUp), [](QsciScintilla& e) { goToBookmark(e, false); }},
    };
}

} // namespace kernelarium::ui
