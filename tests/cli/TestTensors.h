// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestTensors : public QObject {
    Q_OBJECT
private slots:
    void theWrongElementsAndTheirWriter();
    void theWayBack();
    void slicesAndHistograms();
    void inputsNeedNoReference();
    void whatIsNotThereIsSaid_data();
    void whatIsNotThereIsSaid();
    void faultsAreSaid();
    void wholeNumbersAreWhole();
    void answersStayShort();
};
