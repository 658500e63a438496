// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/TextSearch.h"

#include <QRegularExpression>

namespace kernelarium::ui {

namespace {

/// Bytes that UTF-16 units become in UTF-8. Asked in ascending order, so that the text is walked once.
class ByteOffsets {
public:
    explicit ByteOffsets(const QString& text)
        : m_text(text) {}

    long at(qsizetype unit) {
        for (; m_unit < unit; ++m_unit) {
            const ushort c = m_text[m_unit].unicode();
            if (c < 0x80)
                m_bytes += 1;
            else if (c < 0x800 || QChar::isSurrogate(c))
                m_bytes += 2; // a pair of surrogates makes four
            else
                m_bytes += 3;
        }
        return m_bytes;
    }

private:
    const QString& m_text;
    qsizetype m_unit = 0;
    long m_bytes = 0;
};

QString expanded(const QString& replacement, const QRegularExpressionMatch& match) {
    QString out;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        if (replacement[i] != QLatin1Char('\\') || i + 1 == replacement.size()) {
            out += replacement[i];
            continue;
        }
        const QChar next = replacement[++i];
        if (next.isDigit())
            out += match.captured(next.digitValue());
        else if (next == QLatin1Char('n'))
            out += QLatin1Char('\n');
        else if (next == QLatin1Char('t'))
            out += QLatin1Char('\t');
        else if (next == QLatin1Char('\\'))
            out += next;
        else
            out += QLatin1Char('\\'), out += next;
    }
    return out;
}

QRegularExpression compiled(const SearchQuery& query) {
    QString pattern = query.regularExpression ? query.pattern : QRegularExpression::escape(query.pattern);
    if (query.wholeWord) pattern = QStringLiteral("(?<!\\w)(?:") + pattern + QStringLiteral(")(?!\\w)");
    QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption;
    options |= QRegularExpression::UseUnicodePropertiesOption;
    if (!query.caseSensitive) options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(pattern, options);
}

} // namespace

SearchResult searchText(const QByteArray& utf8, const SearchQuery& query, const QString& replacement,
                        const std::stop_token& stop) {
    SearchResult result;
    if (query.pattern.isEmpty()) return result;
    const QRegularExpression expression = compiled(query);
    if (!expression.isValid()) {
        result.error = expression.errorString();
        return result;
    }
    const QString text = QString::fromUtf8(utf8);
    ByteOffsets offsets(text);
    const QByteArray fixed = replacement.toUtf8();
    for (QRegularExpressionMatchIterator found = expression.globalMatch(text); found.hasNext();) {
        if (stop.stop_requested()) break;
        const QRegularExpressionMatch match = found.next();
        if (match.capturedLength() == 0) continue;
        const long start = offsets.at(match.capturedStart());
        const long end = offsets.at(match.capturedEnd());
        result.matches.push_back({start, end, query.regularExpression ? expanded(replacement, match).toUtf8() : fixed});
        if (result.matches.size() >= mostMatches) {
            result.tooMany = true;
            break;
        }
    }
    return result;
}

} // namespace kernelarium::ui
