// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

namespace kernelarium::ui {

class Theme;

/// PTX or SASS in the theme's colours: directives, opcodes, registers, labels, numbers, strings, comments.
class PtxLexer : public QsciLexerCustom {
    Q_OBJECT
public:
    enum Style { Plain, Comment, Directive, Opcode, Register, SpecialRegister, Label, Number, String };

    PtxLexer(const Theme& theme, QObject* parent);
    void restyle();

    const char* language() const override { return "PTX"; }
    QString description(int style) const override;
    QColor defaultColor(int style) const override;
    QColor defaultPaper(int style) const override;
    QFont defaultFont(int style) const override;
    void styleText(int start, int end) override;

private:
    const Theme& m_theme;
};

} // namespace kernelarium::ui
