// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What is said about timings between the run child and its parent.
class TestTimeMessages : public QObject {
    Q_OBJECT

private slots:
    void summaryComesBack();
    void oddSummariesAreRefused();
    void oddParametersAreRefused_data();
    void oddParametersAreRefused();
    void racesComeBack();
    void furtherRacesComeBack();
};
