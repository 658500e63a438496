// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/WordDiff.h"

namespace kernelarium::ui {

namespace {

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

std::vector<diff::Change> wordDiff(const QString& a, const QString& b) {
    const QStringList wordsA = words(a), wordsB = words(b);
    const std::vector<int> startsA = starts(wordsA), startsB = starts(wordsB);
    std::vector<diff::Change> changes = diff::listDiff(wordsA, wordsB);
    for (diff::Change& change : changes) {
        const auto place = [](const std::vector<int>& all, int& first, int& count) {
            const int end = all[std::size_t(first + count)];
            first = all[std::size_t(first)];
            count = end - first;
        };
        place(startsA, change.oldFirst, change.oldCount);
        place(startsB, change.newFirst, change.newCount);
    }
    return changes;
}

} // namespace kernelarium::ui
