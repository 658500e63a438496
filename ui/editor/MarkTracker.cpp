// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/MarkTracker.h"

#include "ui/editor/DocumentEdit.h"
#include "ui/theme/Theme.h"

#include <algorithm>
#include <set>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

bool isMarkedWordByte(char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr int severities = 5;

} // namespace

QString wordOf(EditorMark::Severity severity) {
    switch (severity) {
    case EditorMark::Severity::error: return QObject::tr("Error");
    case EditorMark::Severity::warning: return QObject::tr("Warning");
    case EditorMark::Severity::note: return QObject::tr("Note");
    case EditorMark::Severity::fault: return QObject::tr("Fault");
    case EditorMark::Severity::advice: break;
    }
    return QObject::tr("Advice");
}

MarkTracker::MarkTracker(QsciScintilla& editor, int firstIndicator, int firstMarker)
    : QObject(&editor)
    , m_editor(editor)
    , m_firstIndicator(firstIndicator)
    , m_firstMarker(firstMarker) {
    constexpr S::IndicatorStyle shapes[] = {S::SquigglePixmapIndicator, S::SquiggleLowIndicator, S::DotsIndicator,
                                            S::ThickCompositionIndicator, S::DotsIndicator};
    for (int i = 0; i < severities; ++i) {
        m_editor.indicatorDefine(shapes[i], m_firstIndicator + i);
        m_editor.setIndicatorDrawUnder(false, m_firstIndicator + i);
    }
    connect(&editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char*, int length, int, int, int, int, int, int) {
                if ((type & S::SC_MOD_INSERTTEXT) != 0) follow(position, length, true);
                if ((type & S::SC_MOD_DELETETEXT) != 0) follow(position, length, false);
            });
}

void MarkTracker::set(const std::vector<EditorMark>& marks) {
    m_tracked.clear();
    m_tracked.reserve(marks.size());
    for (const EditorMark& mark : marks) {
        if (mark.line < 1) continue; // it has no place here
        Tracked tracked{mark, 0, 0};
        span(tracked);
        m_tracked.push_back(std::move(tracked));
    }
    std::stable_sort(m_tracked.begin(), m_tracked.end(),
                     [](const Tracked& a, const Tracked& b) { return a.start < b.start; });
    draw();
}

void MarkTracker::span(Tracked& tracked) const {
    tracked.start = positionAt(m_editor, tracked.mark.line, tracked.mark.column);
    if (tracked.mark.column > 0) {
        tracked.end = tokenEnd(tracked.start);
        return;
    }
    const auto line = static_cast<unsigned long>(m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, tracked.start));
    tracked.start = m_editor.SendScintilla(S::SCI_GETLINEINDENTPOSITION, line);
    tracked.end = m_editor.SendScintilla(S::SCI_GETLINEENDPOSITION, line);
}

long MarkTracker::tokenEnd(long start) const {
    const QByteArray bytes = documentBytes(m_editor);
    const auto line = static_cast<unsigned long>(m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, start));
    const long last = m_editor.SendScintilla(S::SCI_GETLINEENDPOSITION, line);
    if (start >= last) return last;
    long end = start + 1;
    if (isMarkedWordByte(bytes[start])) {
        while (end < last && isMarkedWordByte(bytes[end]))
            ++end;
    } else if (bytes[start] == '"') {
        while (end < last && bytes[end] != '"')
            end += bytes[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, last);
    }
    return end;
}

void MarkTracker::draw() {
    const auto length = static_cast<long>(m_editor.length());
    std::set<std::pair<int, int>> placed;
    for (int i = 0; i < severities; ++i) {
        m_editor.markerDeleteAll(m_firstMarker + i);
        m_editor.SendScintilla(S::SCI_SETINDICATORCURRENT, m_firstIndicator + i);
        m_editor.SendScintilla(S::SCI_INDICATORCLEARRANGE, 0UL, length);
    }
    for (const Tracked& tracked : m_tracked) {
        const int kind = int(tracked.mark.severity);
        m_editor.SendScintilla(S::SCI_SETINDICATORCURRENT, m_firstIndicator + kind);
        m_editor.SendScintilla(S::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(tracked.start),
                               tracked.end - tracked.start);
        const int line = lineOf(tracked);
        if (placed.emplace(line, kind).second) m_editor.markerAdd(line, m_firstMarker + kind);
    }
}

void MarkTracker::follow(long position, long length, bool inserted) {
    const auto moved = [&](long at, bool isEnd) {
        if (inserted) return at > position || (at == position && !isEnd) ? at + length : at;
        return at <= position ? at : std::max(position, at - length);
    };
    for (Tracked& tracked : m_tracked) {
        tracked.start = moved(tracked.start, false);
        tracked.end = std::max(tracked.start, moved(tracked.end, true));
    }
}

int MarkTracker::lineOf(const Tracked& tracked) const {
    return int(m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, tracked.start));
}

std::vector<EditorMark> MarkTracker::marks() const {
    std::vector<EditorMark> result;
    result.reserve(m_tracked.size());
    for (const Tracked& tracked : m_tracked) {
        EditorMark mark = tracked.mark;
        mark.line = lineOf(tracked) + 1;
        if (mark.column > 0)
            mark.column = int(tracked.start - m_editor.SendScintilla(S::SCI_POSITIONFROMLINE,
                                                                     static_cast<unsigned long>(mark.line - 1))) +
                          1;
        result.push_back(std::move(mark));
    }
    return result;
}

QString MarkTracker::described(const std::vector<const Tracked*>& found) const {
    QStringList lines;
    for (const Tracked* tracked : found) {
        const QString line = wordOf(tracked->mark.severity) + QStringLiteral(": ") + tracked->mark.text;
        if (!lines.contains(line)) lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

QString MarkTracker::textAt(long position) const {
    std::vector<const Tracked*> found;
    for (const Tracked& tracked : m_tracked)
        if (tracked.start <= position && position < std::max(tracked.end, tracked.start + 1)) found.push_back(&tracked);
    return described(found);
}

QString MarkTracker::textOfLine(int line) const {
    std::vector<const Tracked*> found;
    for (const Tracked& tracked : m_tracked)
        if (lineOf(tracked) == line) found.push_back(&tracked);
    return described(found);
}

long MarkTracker::next(long position) const {
    long first = -1;
    for (const Tracked& tracked : m_tracked) {
        if (tracked.mark.severity == EditorMark::Severity::advice) continue;
        if (tracked.start > position) return tracked.start;
        if (first < 0) first = tracked.start;
    }
    return first;
}

long MarkTracker::previous(long position) const {
    long last = -1;
    for (auto tracked = m_tracked.rbegin(); tracked != m_tracked.rend(); ++tracked) {
        if (tracked->mark.severity == EditorMark::Severity::advice) continue;
        if (tracked->start < position) return tracked->start;
        if (last < 0) last = tracked->start;
    }
    return last;
}

void MarkTracker::applyTheme(const Theme& theme) {
    const Palette& p = theme.colours();
    const QColor colours[] = {p.wrong, p.warning, p.accent, p.suspicious, p.muted};
    // QScintilla 2.13 draws marker images pixel by logical pixel, whatever scale it is told.
    constexpr double scale = 1;
    const int size = std::max(10, m_editor.textHeight(0) - 4);
    for (int i = 0; i < severities; ++i) {
        m_editor.setIndicatorForegroundColor(colours[i], m_firstIndicator + i);
        m_editor.markerDefine(markImage(EditorMark::Severity(i), theme, size, scale), m_firstMarker + i);
    }
}

} // namespace kernelarium::ui
