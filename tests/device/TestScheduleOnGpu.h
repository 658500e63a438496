// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Searches for schedules whose times are measured.
class TestScheduleOnGpu : public QObject {
    Q_OBJECT

private slots:
    void aSearchEndsWithFinalFigures();
    void nativeCodeRunsInTheTextsPlace();
};
