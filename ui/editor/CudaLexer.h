// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

namespace kernelarium::ui {

class Theme;

/// CUDA C++ in the theme's colours. Besides QsciLexerCPP's styles: types (GlobalClass), CUDA names (KeywordSet2) and
/// torch's names (TorchName, a sub-style of identifiers).
class CudaLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    /// Where Scintilla's C++ lexer puts its first sub-style.
    static constexpr int TorchName = 128;

    CudaLexer(const Theme& theme, QObject* parent);

    /// Call once after QsciScintilla::setLexer: sub-styles live in the document's lexer.
    static void addTorchNames(QsciScintilla& editor);
    /// Takes the theme's colours and font again.
    void restyle();
    /// Whether the style is that of a comment or of a string.
    [[nodiscard]] static bool isProse(int style);

    const char* language() const override { return "CUDA C++"; }
    const char* keywords(int set) const override;
    QString description(int style) const override;
    QColor defaultColor(int style) const override;
    QColor defaultPaper(int style) const override;
    QFont defaultFont(int style) const override;
    bool defaultEolFill(int) const override { return false; }

private:
    const Theme& m_theme;
};

} // namespace kernelarium::ui
