// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What host code does and leaves behind, from a run's result to the verdict.
class TestHostFindings : public QObject {
    Q_OBJECT
private slots:
    void earlierResultsHaveToStay();
    void hostWorkIsNamed_data();
    void hostWorkIsNamed();
    void lateCopiesChangeNothing();
    void otherStatisticsAreARemark();
};
