// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui_window/Room.h"
#include <QObject>
#include <QStringList>

namespace kernelarium::ui {

/// The tour in the dark theme, with both children killed after each of its stages: at rest and at work.
class TestKilled : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void killedAtEveryStage();

private:
    void settle(Room& room);
    void killAtRest(Room& room);
    void killCompilerAtWork(Room& room);
    void killRunnerAtWork(Room& room);
    void killTimerAtWork(Room& room);
    void expect(bool holds, const QString& what);

    QString m_stage;
    QStringList m_problems;
};

} // namespace kernelarium::ui
