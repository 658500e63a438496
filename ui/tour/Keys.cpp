// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tour/Keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWidget>

namespace kernelarium::ui {

void pressKey(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& text) {
    // A shortcut goes first, as it does for a key from the keyboard.
    QKeyEvent override_(QEvent::ShortcutOverride, key, modifiers, text);
    QCoreApplication::sendEvent(&widget, &override_);
    QKeyEvent press(QEvent::KeyPress, key, modifiers, text);
    QCoreApplication::sendEvent(&widget, &press);
    QKeyEvent release(QEvent::KeyRelease, key, modifiers, text);
    QCoreApplication::sendEvent(&widget, &release);
}

void typeText(QWidget& widget, const QString& text) {
    for (const QChar c : text) {
        const Qt::Key key = c == QLatin1Char('\n') ? Qt::Key_Return : Qt::Key(c.toUpper().unicode());
        pressKey(widget, key, c.isUpper() ? Qt::ShiftModifier : Qt::NoModifier,
                 c == QLatin1Char('\n') ? QStringLiteral("\r") : QString(c));
    }
}

void clickAt(QWidget& widget, const QPoint& position) {
    const QPointF local(position), global(widget.mapToGlobal(position));
    QMouseEvent press(QEvent::MouseButtonPress, local, global, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &press);
    QMouseEvent release(QEvent::MouseButtonRelease, local, global, Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &release);
}

} // namespace kernelarium::ui
