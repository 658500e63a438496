// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Whoever reads is left alone: texts stay where they are, have room, and are coloured; what was stopped goes on when
/// it is asked to.
class TestReading : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noticesMoveNoText();
    void factsFitANarrowPanel();
    void pythonIsColoured();
    void smallGraphsFillTheirBox();
    void aCancelledCompilationIsTakenUpAgain();
    void countsAreTheSameEverywhere();
    void lessonsKernelsAreStartedOver();
};

} // namespace kernelarium::ui
