// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/DiffRows.h"

#include "ui/editor/WordDiff.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

/// Longer lines, and more of them, are marked as a whole: their words would take longer than they tell.
constexpr qsizetype longestLine = 2000;
constexpr int mostPairs = 5000;

class Layout {
public:
    Layout(DiffRows& rows, const QStringList& a, const QStringList& b)
        : m_rows(rows)
        , m_a(a)
        , m_b(b) {}

    void same(int count) {
        for (int i = 0; i < count; ++i) {
            put(m_rows.original, m_a, m_atA++, false);
            put(m_rows.edited, m_b, m_atB++, false);
        }
    }

    void change(const diff::Change& change) {
        const int count = std::max(change.oldCount, change.newCount);
        m_rows.firstRow.push_back(int(m_rows.original.numbers.size()));
        m_rows.rowCount.push_back(count);
        for (int i = 0; i < count; ++i) {
            const bool old = i < change.oldCount, fresh = i < change.newCount;
            if (old && fresh) words(m_a[m_atA], m_b[m_atB]);
            put(m_rows.original, m_a, old ? m_atA++ : -1, old);
            put(m_rows.edited, m_b, fresh ? m_atB++ : -1, fresh);
        }
        m_rows.added += change.newCount;
        m_rows.removed += change.oldCount;
    }

private:
    static void put(DiffSide& side, const QStringList& lines, int line, bool changed) {
        side.numbers.push_back(line + 1);
        side.changed.push_back(changed ? 1 : 0);
        if (line >= 0) {
            QString text = lines[line];
            while (text.endsWith(QLatin1Char('\n')) || text.endsWith(QLatin1Char('\r')))
                text.chop(1);
            side.text.append(text.toUtf8());
        }
        side.text.append('\n');
    }

    void words(const QString& a, const QString& b) {
        if (a.size() > longestLine || b.size() > longestLine || ++m_pairs > mostPairs) return;
        for (const diff::Change& change : wordDiff(a, b)) {
            span(m_rows.original, a, change.oldFirst, change.oldCount);
            span(m_rows.edited, b, change.newFirst, change.newCount);
        }
    }

    /// UTF-16 units of the line about to be put to bytes of the side's text.
    static void span(DiffSide& side, const QString& line, int first, int count) {
        if (count == 0) return;
        side.words.push_back({int(side.text.size() + QStringView(line).left(first).toUtf8().size()),
                              int(QStringView(line).mid(first, count).toUtf8().size())});
    }

    DiffRows& m_rows;
    const QStringList& m_a;
    const QStringList& m_b;
    int m_atA = 0;
    int m_atB = 0;
    int m_pairs = 0;
};

} // namespace

DiffRows layOutDiff(const QString& original, const QString& edited, const std::stop_token& stop) {
    DiffRows rows;
    const QStringList a = splitLines(original), b = splitLines(edited);
    rows.changes = diff::listDiff(a, b, stop);
    Layout layout(rows, a, b);
    int at = 0;
    for (const diff::Change& change : rows.changes) {
        layout.same(change.oldFirst - at);
        layout.change(change);
        at = change.oldFirst + change.oldCount;
    }
    layout.same(int(a.size()) - at);
    return rows;
}

QString reverted(const QString& original, const QString& edited, const diff::Change& change) {
    const QStringList a = splitLines(original), b = splitLines(edited);
    QStringList lines = b.mid(0, change.newFirst);
    lines += a.mid(change.oldFirst, change.oldCount);
    lines += b.mid(change.newFirst + change.newCount);
    return lines.join(QString());
}

} // namespace kernelarium::ui
