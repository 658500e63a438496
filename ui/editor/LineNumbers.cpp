// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/LineNumbers.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

} // namespace

LineNumbers::LineNumbers(QsciScintilla& editor, int margin)
    : m_editor(editor)
    , m_margin(margin) {
    m_editor.setMarginType(margin, S::TextMarginRightJustified);
    m_editor.setMarginMarkerMask(margin, 0);
    QObject::connect(&editor, &QsciScintillaBase::SCN_UPDATEUI, &m_context, [this] { refresh(); });
    QObject::connect(&editor, &QsciScintillaBase::SCN_PAINTED, &m_context, [this] { refresh(); });
}

void LineNumbers::set(std::vector<int> numbers) {
    m_editor.clearMarginText();
    m_numbers = std::move(numbers);
    m_filled.assign(m_numbers.size(), 0);
    const int largest = m_numbers.empty() ? 0 : *std::max_element(m_numbers.begin(), m_numbers.end());
    const int digits = std::max(3, int(QString::number(largest).size()));
    m_editor.setMarginWidth(m_margin, largest == 0 ? QString() : QString(digits + 1, QLatin1Char('9')));
    refresh();
}

void LineNumbers::refresh() {
    if (m_numbers.empty()) return;
    const long top = m_editor.SendScintilla(S::SCI_GETFIRSTVISIBLELINE);
    const long first = m_editor.SendScintilla(S::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(top));
    const long last = std::min(first + m_editor.SendScintilla(S::SCI_LINESONSCREEN) + 2, long(m_numbers.size()));
    for (long line = first; line < last; ++line) {
        auto& filled = m_filled[std::size_t(line)];
        if (filled != 0 || m_numbers[std::size_t(line)] == 0) continue;
        filled = 1;
        m_editor.setMarginText(int(line), QString::number(m_numbers[std::size_t(line)]), S::STYLE_LINENUMBER);
    }
}

} // namespace kernelarium::ui
