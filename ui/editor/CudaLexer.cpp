// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/CudaLexer.h"

#include "ui/names/CudaNames.h"
#include "ui/theme/Theme.h"

#include <string>

namespace kernelarium::ui {

namespace {

/// Scintilla marks code that the preprocessor leaves out by this bit.
constexpr int inactive = 64;

QColor faded(const QColor& colour, const QColor& paper) {
    return QColor((colour.red() + paper.red()) / 2, (colour.green() + paper.green()) / 2,
                  (colour.blue() + paper.blue()) / 2);
}

} // namespace

CudaLexer::CudaLexer(const Theme& theme, QObject* parent)
    : QsciLexerCPP(parent)
    , m_theme(theme) {
    setFoldComments(true);
    setFoldCompact(false);
    setFoldPreprocessor(true);
    setDollarsAllowed(false);
    setHighlightEscapeSequences(false);
    restyle();
}

void CudaLexer::addTorchNames(QsciScintilla& editor) {
    const int first = int(editor.SendScintilla(QsciScintilla::SCI_ALLOCATESUBSTYLES, Identifier, 1));
    Q_ASSERT(first == TorchName);
    editor.SendScintilla(QsciScintilla::SCI_SETIDENTIFIERS, static_cast<unsigned long>(first), CudaNames::torchNames());
}

void CudaLexer::restyle() {
    setDefaultColor(m_theme.colours().text);
    setDefaultPaper(m_theme.colours().field);
    setDefaultFont(m_theme.codeFont());
    for (int style = 0; style <= TorchName + inactive; ++style) {
        if (description(style).isEmpty()) continue;
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
}

bool CudaLexer::isProse(int style) {
    switch (style & ~inactive) {
    case Comment:
    case CommentLine:
    case CommentDoc:
    case CommentLineDoc:
    case CommentDocKeyword:
    case CommentDocKeywordError:
    case PreProcessorComment:
    case PreProcessorCommentLineDoc:
    case DoubleQuotedString:
    case SingleQuotedString:
    case UnclosedString:
    case RawString: return true;
    default: return false;
    }
}

const char* CudaLexer::keywords(int set) const {
    static const std::string cuda = std::string(CudaNames::qualifiers()) + " " + CudaNames::builtins() + " " +
                                    CudaNames::mathematics() + " " + CudaNames::runtime();
    switch (set) {
    case 1: return CudaNames::keywords();
    case 2: return cuda.c_str();
    case 4: return CudaNames::types();
    default: return nullptr;
    }
}

QString CudaLexer::description(int style) const {
    if (style == TorchName || style == TorchName + inactive) return QStringLiteral("torch name");
    return QsciLexerCPP::description(style);
}

QColor CudaLexer::defaultColor(int style) const {
    const Palette& p = m_theme.colours();
    if (style == (TorchName | inactive) || (style < TorchName && (style & inactive) != 0))
        return faded(defaultColor(style & ~inactive), p.field);
    switch (style) {
    case Comment:
    case CommentLine:
    case CommentDoc:
    case CommentLineDoc:
    case CommentDocKeyword:
    case CommentDocKeywordError:
    case PreProcessorComment:
    case PreProcessorCommentLineDoc: return p.comment;
    case Number:
    case UserLiteral: return p.number;
    case Keyword: return p.keyword;
    case KeywordSet2:
    case TorchName: return p.builtin;
    case GlobalClass: return p.type;
    case DoubleQuotedString:
    case SingleQuotedString:
    case UnclosedString:
    case RawString:
    case EscapeSequence: return p.string;
    case PreProcessor: return p.preprocessor;
    default: return p.text;
    }
}

QColor CudaLexer::defaultPaper(int) const {
    return m_theme.colours().field;
}

QFont CudaLexer::defaultFont(int style) const {
    QFont font = m_theme.codeFont();
    if (style == TorchName) font.setItalic(true);
    if (style == Keyword) font.setBold(true);
    return font;
}

} // namespace kernelarium::ui
