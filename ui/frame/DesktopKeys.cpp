// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/DesktopKeys.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace kernelarium::ui {

DesktopKeys::DesktopKeys(QObject* parent)
    : QObject(parent) {
    qApp->installEventFilter(this);
}

bool DesktopKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || watched != QApplication::focusWidget()) return false;
    const auto& key = *static_cast<QKeyEvent*>(event);
    auto& focused = *static_cast<QWidget*>(watched);
    const Qt::KeyboardModifiers modifiers = key.modifiers() & ~Qt::KeypadModifier;
    if ((key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) && modifiers == Qt::NoModifier)
        return !key.isAutoRepeat() && press(focused);
    if (key.key() == Qt::Key_F10 && modifiers == Qt::ShiftModifier && !QApplication::activePopupWidget()) {
        askForMenu(focused);
        return true;
    }
    return false;
}

bool DesktopKeys::press(QWidget& focused) {
    auto* tool = qobject_cast<QToolButton*>(&focused);
    auto* push = qobject_cast<QPushButton*>(&focused);
    if (push && qobject_cast<QDialog*>(push->window())) return false; // Qt's, with the dialog's default button
    if (tool && tool->popupMode() == QToolButton::InstantPopup && (tool->menu() || tool->actions().size() > 1)) {
        // Not within the key's event: the menu runs until it is closed.
        QMetaObject::invokeMethod(tool, &QToolButton::showMenu, Qt::QueuedConnection);
        return true;
    }
    if (push && push->menu()) {
        QMetaObject::invokeMethod(push, &QPushButton::showMenu, Qt::QueuedConnection);
        return true;
    }
    if (!tool && !push) return false;
    qobject_cast<QAbstractButton*>(&focused)->click();
    return true;
}

/// As Qt does for the Menu key.
void DesktopKeys::askForMenu(QWidget& focused) {
    const QPoint at = focused.inputMethodQuery(Qt::ImCursorRectangle).toRect().center();
    QContextMenuEvent request(QContextMenuEvent::Keyboard, at, focused.mapToGlobal(at));
    // Whoever has no menu lets those around it have theirs, as with any event of this kind.
    QApplication::sendEvent(&focused, &request);
}

} // namespace kernelarium::ui
