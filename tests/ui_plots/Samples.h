// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/Waiting.h"
#include "ui/plots/RooflinePlot.h"
#include "ui/theme/Theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>

/// A theme for the whole test program: it holds the application's palette.
inline kernelarium::ui::Theme& theme() {
    static auto* instance = new kernelarium::ui::Theme(qApp);
    return *instance;
}

/// Shows a widget and lets it lay itself out.
template <class Widget> void present(Widget& widget, QSize size) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget, longWait));
    QCoreApplication::processEvents();
}

inline void hover(QWidget& widget, QPoint position) {
    QMouseEvent move(QEvent::MouseMove, QPointF(position), QPointF(widget.mapToGlobal(position)), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
    QCoreApplication::processEvents();
}

inline void wheel(QWidget& widget, QPoint position, int steps) {
    QWheelEvent event(QPointF(position), QPointF(widget.mapToGlobal(position)), {}, QPoint(0, 120 * steps),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
    QCoreApplication::processEvents();
}

/// Where KERNELARIUM_PICTURES says, for people to look at.
void keepPicture(QWidget& widget, const QString& name);

/// A vector addition in four attempts beside two kernels of the archive.
[[nodiscard]] std::vector<kernelarium::ui::RooflinePoint> samplePoints();
