// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestMessages : public QObject {
    Q_OBJECT
private slots:
    void requestsReadBackAsTheyWere();
    void eventsReadBackAsTheyWere();
    void brokenLinesAreNamed();
    void deepLinesAreRefused();
    void numbersThatNothingHasAreRefused_data();
    void numbersThatNothingHasAreRefused();
    void unitsOfLessThanNothingAreRefused();
    void bytesThatAreNoTextSurvive();
};
