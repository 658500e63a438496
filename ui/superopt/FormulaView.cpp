// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/FormulaView.h"

#include "ui/theme/Theme.h"

#include <QTextBlock>
#include <algorithm>

namespace kernelarium::ui {

FormulaView::FormulaView(Theme& theme, Side side, QWidget* parent)
    : QPlainTextEdit(parent)
    , m_theme(theme)
    , m_side(side) {
    setReadOnly(true);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setFont(theme.codeFont());
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setAccessibleName(side == Side::before ? tr("Formulas before") : tr("Formulas after"));
    connect(&theme, &Theme::changed, this, [this] {
        setFont(m_theme.codeFont());
        write();
    });
}

void FormulaView::show(std::vector<FormulaLine> lines) {
    m_lines = std::move(lines);
    write();
}

int FormulaView::changedLines() const {
    return int(std::count_if(m_lines.begin(), m_lines.end(), [](const FormulaLine& line) { return line.isChanged; }));
}

void FormulaView::write() {
    const QLatin1String mark(m_side == Side::before ? "- " : "+ ");
    QStringList texts;
    for (const FormulaLine& line : m_lines)
        texts << (line.isChanged ? mark : QLatin1String("  ")) + line.text;
    setPlainText(texts.join(QLatin1Char('\n')));
    const Palette& p = m_theme.colours();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (!m_lines[i].isChanged) continue;
        cursor.setPosition(document()->findBlockByNumber(int(i)).position());
        QTextBlockFormat format;
        format.setBackground(m_side == Side::before ? p.removed : p.added);
        cursor.setBlockFormat(format);
    }
    cursor.endEditBlock();
}

} // namespace kernelarium::ui
