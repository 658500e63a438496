// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <stop_token>
#include <vector>

namespace kernelarium::ui {

/// A change: `oldCount` things from `oldFirst` on became `newCount` things from `newFirst` on (0-based).
struct DiffChunk {
    int oldFirst = 0;
    int oldCount = 0;
    int newFirst = 0;
    int newCount = 0;

    friend bool operator==(const DiffChunk&, const DiffChunk&) = default;
};

/// The changes that make `b` of `a`, in order, never touching each other. Shortest edit script in linear space (Myers,
/// "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986) while it needs fewer than some 1000
/// edits in a row; beyond, a correct script that may be longer, so that time stays near linear. A stop gives one
/// chunk of everything left.
[[nodiscard]] std::vector<DiffChunk> sequenceDiff(const std::vector<int>& a, const std::vector<int>& b,
                                                  const std::stop_token& stop = {});

/// Lines with their terminators, so that a missing one at the end, or CRLF, counts as a change.
[[nodiscard]] QStringList splitLines(const QString& text);
[[nodiscard]] std::vector<DiffChunk> lineDiff(const QStringList& a, const QStringList& b,
                                              const std::stop_token& stop = {});
/// Words, runs of blanks and single signs of two lines; chunks in UTF-16 units.
[[nodiscard]] std::vector<DiffChunk> wordDiff(const QString& a, const QString& b);

/// What `diff -u` prints, with `context` lines round every change; empty when both are equal.
[[nodiscard]] QString unifiedDiff(const QString& a, const QString& b, const QString& nameA = QStringLiteral("original"),
                                  const QString& nameB = QStringLiteral("edited"), int context = 3);

} // namespace kernelarium::ui
