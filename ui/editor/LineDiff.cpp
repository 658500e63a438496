// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/LineDiff.h"

#include <QHash>
#include <algorithm>

namespace kernelarium::ui {

namespace {

/// Equal texts get equal numbers.
template <class Texts> std::vector<int> numbered(const Texts& texts, QHash<QString, int>& numbers) {
    std::vector<int> result;
    result.reserve(std::size_t(texts.size()));
    for (const QString& text : texts) {
        const auto found = numbers.constFind(text);
        result.push_back(found != numbers.constEnd() ? *found : *numbers.insert(text, int(numbers.size())));
    }
    return result;
}

bool isWordCharacter(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_') || c.isSurrogate();
}

QStringList words(const QString& line) {
    QStringList result;
    for (qsizetype i = 0; i < line.size();) {
        const qsizetype start = i;
        if (isWordCharacter(line[i])) {
            while (i < line.size() && isWordCharacter(line[i]))
                ++i;
        } else if (line[i].isSpace()) {
            while (i < line.size() && line[i].isSpace())
                ++i;
        } else {
            ++i;
        }
        result.append(line.mid(start, i - start));
    }
    return result;
}

/// Where each word begins, and where the last ends.
std::vector<int> starts(const QStringList& words) {
    std::vector<int> result{0};
    for (const QString& word : words)
        result.push_back(result.back() + int(word.size()));
    return result;
}

void appendLine(QString& out, QChar sign, const QString& line) {
    out += sign;
    out += line;
    if (!line.endsWith(QLatin1Char('\n'))) out += QStringLiteral("\n\\ No newline at end of file\n");
}

/// "first,count" as diff writes it: the line before when nothing is there, the count left out when it is one.
QString range(int first, int count) {
    const int begin = count == 0 ? first : first + 1;
    return count == 1 ? QString::number(begin) : QStringLiteral("%1,%2").arg(begin).arg(count);
}

} // namespace

QStringList splitLines(const QString& text) {
    QStringList lines;
    for (qsizetype start = 0; start < text.size();) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), start);
        const qsizetype next = end < 0 ? text.size() : end + 1;
        lines.append(text.mid(start, next - start));
        start = next;
    }
    return lines;
}

std::vector<DiffChunk> lineDiff(const QStringList& a, const QStringList& b, const std::stop_token& stop) {
    QHash<QString, int> numbers;
    const std::vector<int> first = numbered(a, numbers);
    return sequenceDiff(first, numbered(b, numbers), stop);
}

std::vector<DiffChunk> wordDiff(const QString& a, const QString& b) {
    const QStringList wordsA = words(a), wordsB = words(b);
    const std::vector<int> startsA = starts(wordsA), startsB = starts(wordsB);
    std::vector<DiffChunk> chunks = lineDiff(wordsA, wordsB);
    for (DiffChunk& chunk : chunks) {
        const auto place = [](const std::vector<int>& all, int& first, int& count) {
            const int end = all[std::size_t(first + count)];
            first = all[std::size_t(first)];
            count = end - first;
        };
        place(startsA, chunk.oldFirst, chunk.oldCount);
        place(startsB, chunk.newFirst, chunk.newCount);
    }
    return chunks;
}

QString unifiedDiff(const QString& a, const QString& b, const QString& nameA, const QString& nameB, int context) {
    const QStringList linesA = splitLines(a), linesB = splitLines(b);
    const std::vector<DiffChunk> chunks = lineDiff(linesA, linesB);
    if (chunks.empty()) return {};
    QString out = QStringLiteral("--- ") + nameA + QStringLiteral("\n+++ ") + nameB + QLatin1Char('\n');
    for (std::size_t i = 0; i < chunks.size();) {
        std::size_t last = i;
        while (last + 1 < chunks.size() &&
               chunks[last + 1].oldFirst - (chunks[last].oldFirst + chunks[last].oldCount) <= 2 * context)
            ++last;
        const int before = std::min({context, chunks[i].oldFirst, chunks[i].newFirst});
        const int firstA = chunks[i].oldFirst - before, firstB = chunks[i].newFirst - before;
        const int endOld = chunks[last].oldFirst + chunks[last].oldCount;
        const int endNew = chunks[last].newFirst + chunks[last].newCount;
        const int after = std::min(context, int(linesA.size()) - endOld);
        out += QStringLiteral("@@ -%1 +%2 @@\n")
                   .arg(range(firstA, endOld + after - firstA), range(firstB, endNew + after - firstB));
        int at = firstA;
        for (; i <= last; ++i) {
            for (; at < chunks[i].oldFirst; ++at)
                appendLine(out, QLatin1Char(' '), linesA[at]);
            for (int n = 0; n < chunks[i].oldCount; ++n)
                appendLine(out, QLatin1Char('-'), linesA[at++]);
            for (int n = 0; n < chunks[i].newCount; ++n)
                appendLine(out, QLatin1Char('+'), linesB[chunks[i].newFirst + n]);
        }
        for (; at < endOld + after; ++at)
            appendLine(out, QLatin1Char(' '), linesA[at]);
    }
    return out;
}

} // namespace kernelarium::ui
