// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ColumnFilter.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

/// Of "✓ verified · best" both parts count as whole.
bool isWhole(const QString& text, const QString& words) {
    if (text.compare(words, Qt::CaseInsensitive) == 0) return true;
    for (const QString& part : text.split(QChar(0x00b7))) {
        qsizetype begin = 0;
        while (begin < part.size() && !part[begin].isLetterOrNumber())
            ++begin;
        if (part.mid(begin).trimmed().compare(words, Qt::CaseInsensitive) == 0) return true;
    }
    return false;
}

} // namespace

ColumnFilter::ColumnFilter(const QString& typed) {
    for (const QString& part : typed.split(QLatin1Char(',')))
        if (auto term = termOf(part.trimmed())) m_terms.push_back(std::move(*term));
}

std::optional<ColumnFilter::Term> ColumnFilter::termOf(QString typed) {
    Term term;
    if (typed.startsWith(QLatin1Char('!'))) {
        term.inverted = true;
        typed = typed.mid(1).trimmed();
    }
    if (typed.isEmpty()) return std::nullopt;
    const std::pair<const char*, Term::Kind> bounds[] = {{"<=", Term::Kind::atMost},
                                                         {">=", Term::Kind::atLeast},
                                                         {"<", Term::Kind::below},
                                                         {">", Term::Kind::above},
                                                         {"=", Term::Kind::equal}};
    bool isNumber = false;
    for (const auto& [sign, kind] : bounds) {
        if (!typed.startsWith(QLatin1String(sign))) continue;
        const QString rest = typed.mid(qsizetype(qstrlen(sign))).trimmed();
        if (rest.isEmpty()) return std::nullopt; // more is to come
        term.from = rest.toDouble(&isNumber);
        const bool isWhole = kind == Term::Kind::equal && !isNumber;
        term.kind = isNumber ? kind : isWhole ? Term::Kind::whole : Term::Kind::words;
        term.words = rest;
        return term;
    }
    if (const qsizetype dots = typed.indexOf(QLatin1String("..")); dots > 0) {
        bool isToo = false;
        term.from = typed.left(dots).toDouble(&isNumber);
        term.to = typed.mid(dots + 2).toDouble(&isToo);
        if (isNumber && typed.mid(dots + 2).trimmed().isEmpty()) return std::nullopt;
        if (isNumber && isToo) {
            term.kind = Term::Kind::between;
            return term;
        }
    }
    term.words = typed;
    term.from = typed.toDouble(&isNumber);
    if (isNumber && !typed.contains(QLatin1Char('.'))) term.kind = Term::Kind::equal;
    return term;
}

bool ColumnFilter::takes(const Term& term, const QString& text, std::optional<double> number) {
    using Kind = Term::Kind;
    if (term.kind == Kind::words) return text.contains(term.words, Qt::CaseInsensitive);
    if (term.kind == Kind::whole) return isWhole(text, term.words);
    if (!number) return term.kind == Kind::equal && text.contains(term.words, Qt::CaseInsensitive);
    switch (term.kind) {
    case Kind::equal: return *number == term.from;
    case Kind::below: return *number < term.from;
    case Kind::atMost: return *number <= term.from;
    case Kind::above: return *number > term.from;
    case Kind::atLeast: return *number >= term.from;
    case Kind::between: return *number >= term.from && *number <= term.to;
    case Kind::words:
    case Kind::whole: break;
    }
    return false;
}

/// Positive alternatives are joined by "or"; what is excluded is excluded from all.
bool ColumnFilter::takes(const QString& text, std::optional<double> number) const {
    bool asked = false, met = false;
    for (const Term& term : m_terms) {
        const bool fits = takes(term, text, number);
        if (term.inverted && fits) return false;
        if (term.inverted) continue;
        asked = true;
        met = met || fits;
    }
    return met || !asked;
}

} // namespace kernelarium::ui
