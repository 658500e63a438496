// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <stop_token>
#include <vector>

namespace kernelarium::ui {

struct SearchQuery {
    QString pattern;
    bool caseSensitive = false;
    bool wholeWord = false;
    bool regularExpression = false;

    friend bool operator==(const SearchQuery&, const SearchQuery&) = default;
};

/// A match in bytes of UTF-8, and what replaces it.
struct SearchMatch {
    long start = 0;
    long end = 0;
    QByteArray replacement;
};

struct SearchResult {
    std::vector<SearchMatch> matches;
    QString error;        ///< why the pattern is none; empty when it is
    bool tooMany = false; ///< stopped at mostMatches
};

inline constexpr std::size_t mostMatches = 200000;

/// All matches in order, empty ones left out. In regular expressions ^ and $ are a line's ends, and a replacement may
/// hold \0 to \9, \n, \t and \\.
[[nodiscard]] SearchResult searchText(const QByteArray& utf8, const SearchQuery& query, const QString& replacement,
                                      const std::stop_token& stop);

} // namespace kernelarium::ui
