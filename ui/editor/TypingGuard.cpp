// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/TypingGuard.h"

#include <QKeyEvent>
#include <QToolTip>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

bool isModifierKey(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_AltGr ||
           key == Qt::Key_Meta || key == Qt::Key_CapsLock;
}

bool movesTheCursor(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down ||
           key == Qt::Key_Home || key == Qt::Key_End || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

bool removesOrBreaks(int key) {
    return key == Qt::Key_Backspace || key == Qt::Key_Delete || key == Qt::Key_Return || key == Qt::Key_Enter;
}

} // namespace

TypingGuard::TypingGuard(QsciScintilla& editor)
    : QObject(&editor)
    , m_editor(editor) {}

void TypingGuard::setArchived(bool archived) {
    m_archived = archived;
    m_placed = false;
    Q_EMIT changed();
}

void TypingGuard::setTabMoves(bool moves) {
    m_tabMoves = moves;
    Q_EMIT changed();
}

bool TypingGuard::lets() const {
    if (m_tabMoves || m_walking) return true;
    if (!m_archived) return false;
    const auto lineOf = [this](int message) {
        return m_editor.SendScintilla(S::SCI_LINEFROMPOSITION,
                                      static_cast<unsigned long>(m_editor.SendScintilla(unsigned(message))));
    };
    return lineOf(S::SCI_GETSELECTIONSTART) == lineOf(S::SCI_GETSELECTIONEND);
}

void TypingGuard::focusCame(Qt::FocusReason reason) {
    // Back from another window or a menu: as before.
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
        m_walking = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
        m_placed = false;
    }
    Q_EMIT changed();
}

void TypingGuard::placed() {
    m_walking = false;
    m_placed = true;
    Q_EMIT changed();
}

void TypingGuard::edited() {
    if (!m_archived && !m_walking) return;
    m_archived = false;
    m_walking = false;
    Q_EMIT changed();
}

bool TypingGuard::takes(const QKeyEvent& event) {
    const int key = event.key();
    if (isModifierKey(key) || key == Qt::Key_Tab || key == Qt::Key_Backtab) return true;
    if (m_archived && !m_placed && removesOrBreaks(key) && m_editor.SendScintilla(S::SCI_GETSELECTIONEMPTY)) {
        explain(
            tr("This is the archived text. Click or move the cursor to where you want to change it, or just type."));
        return false;
    }
    if (movesTheCursor(key)) m_placed = true;
    if (std::exchange(m_walking, false)) Q_EMIT changed();
    return true;
}

void TypingGuard::explain(const QString& text) {
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    const QPoint caret(int(m_editor.SendScintilla(S::SCI_POINTXFROMPOSITION, 0UL, position)),
                       int(m_editor.SendScintilla(S::SCI_POINTYFROMPOSITION, 0UL, position)));
    QToolTip::showText(m_editor.viewport()->mapToGlobal(caret), text, m_editor.viewport());
}

} // namespace kernelarium::ui
