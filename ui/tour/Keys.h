// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QString>
#include <Qt>

class QWidget;

namespace kernelarium::ui {

// Keys and clicks as a person gives them, delivered to a widget.

void pressKey(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier, const QString& text = {});
void typeText(QWidget& widget, const QString& text);
void clickAt(QWidget& widget, const QPoint& position);

} // namespace kernelarium::ui
