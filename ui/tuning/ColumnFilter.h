// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// What a reader types to narrow a column. Alternatives are parted by commas; each is
///
///     16          the number, or in a text: these letters, wherever they stand
///     <2  >=0.5   a bound
///     16..64      from and to, both included
///     !wrong      anything but
///     =verified   the whole text: not "not verified"; the sign that a verdict begins with does not count
///
/// An empty filter takes everything. A number with a decimal point is met to the digits that were typed.
class ColumnFilter {
public:
    ColumnFilter() = default;
    explicit ColumnFilter(const QString& typed);

    [[nodiscard]] bool isEmpty() const { return m_terms.empty(); }
    [[nodiscard]] bool takes(const QString& text, std::optional<double> number) const;

private:
    struct Term {
        enum class Kind { words, whole, equal, below, atMost, above, atLeast, between };
        Kind kind = Kind::words;
        bool inverted = false;
        QString words;
        double from = 0, to = 0;
    };
    static std::optional<Term> termOf(QString typed);
    static bool takes(const Term& term, const QString& text, std::optional<double> number);

    std::vector<Term> m_terms;
};

} // namespace kernelarium::ui
