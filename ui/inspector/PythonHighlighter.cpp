// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/PythonHighlighter.h"

#include <QSet>

namespace kernelarium::ui {

namespace {

const QSet<QString>& pythonKeywords() {
    static const QSet<QString> words{"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                     "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                     "else",   "except", "finally", "for",      "from",     "global", "if",
                                     "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                     "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};
    return words;
}

/// What PyTorch code is about, and what names its types.
const QSet<QString>& torchNames() {
    static const QSet<QString> words{"torch", "nn", "F", "Tensor", "Module", "super", "self", "functional"};
    return words;
}

bool beginsWord(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}

bool isInWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

} // namespace

PythonHighlighter::PythonHighlighter(QTextDocument& document, const Theme& theme)
    : QSyntaxHighlighter(&document)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
}

/// Colours from `begin` to the end of the text whose content begins at `from`; gives the place behind it. One in three
/// quotation marks may go on in the next line.
int PythonHighlighter::takeString(const QString& line, int from, int begin, QChar quote, bool isTriple) {
    int end = from;
    bool closed = false;
    const QString closing(isTriple ? 3 : 1, quote);
    while (end < line.size() && !closed) {
        if (line[end] == QLatin1Char('\\'))
            end += 2;
        else if (QStringView(line).mid(end).startsWith(closing)) {
            end += int(closing.size());
            closed = true;
        } else {
            ++end;
        }
    }
    end = std::min(end, int(line.size()));
    setFormat(begin, end - begin, m_theme.colours().string);
    if (isTriple && !closed) setCurrentBlockState(quote == QLatin1Char('"') ? inDoubleQuotes : inSingleQuotes);
    return end;
}

void PythonHighlighter::highlightBlock(const QString& line) {
    const Palette& p = m_theme.colours();
    setCurrentBlockState(code);
    int at = 0;
    if (previousBlockState() == inDoubleQuotes || previousBlockState() == inSingleQuotes)
        at = takeString(line, 0, 0, QLatin1Char(previousBlockState() == inDoubleQuotes ? '"' : '\''), true);
    QString before; // the word before
    while (at < line.size()) {
        const QChar c = line[at];
        if (c == QLatin1Char('#')) {
            setFormat(at, int(line.size()) - at, p.comment);
            return;
        }
        if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            const bool isTriple = QStringView(line).mid(at).startsWith(QString(3, c));
            at = takeString(line, at + (isTriple ? 3 : 1), at, c, isTriple);
        } else if (c.isDigit()) {
            const int begin = at;
            while (at < line.size() && (isInWord(line[at]) || line[at] == QLatin1Char('.')))
                ++at;
            setFormat(begin, at - begin, p.number);
        } else if (beginsWord(c) || c == QLatin1Char('@')) {
            const int begin = at++;
            while (at < line.size() && isInWord(line[at]))
                ++at;
            const QString word = line.mid(begin, at - begin);
            const bool isNamed = before == QLatin1String("def") || before == QLatin1String("class");
            if (pythonKeywords().contains(word))
                setFormat(begin, at - begin, p.keyword);
            else if (isNamed || c == QLatin1Char('@'))
                setFormat(begin, at - begin, p.type);
            else if (torchNames().contains(word))
                setFormat(begin, at - begin, p.builtin);
            before = word;
        } else {
            ++at;
        }
    }
}

} // namespace kernelarium::ui
