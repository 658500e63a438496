// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui_window/Room.h"
#include <QObject>
#include <QStringList>

namespace kernelarium::ui {

/// The tour in the light theme at 200 %, with everything that runs cancelled by Escape after each of its stages.
class TestCancelled : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cancelledAtEveryStage();
    void cancelsAnImport();

private:
    void cancelCompilation(Room& room);
    void cancelRun(Room& room, const char* action, const std::function<Stage()>& stage);
    void expect(bool holds, const QString& what);

    QString m_stage;
    QStringList m_problems;
};

} // namespace kernelarium::ui
