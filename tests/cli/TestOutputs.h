// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Functions that write their results into their arguments.
class TestOutputs : public QObject {
    Q_OBJECT
private slots:
    void aTaskVerifiesThem_data();
    void aTaskVerifiesThem();
    void anotherKernelVerifiesThem();
    void runShowsWhatIsWritten_data();
    void runShowsWhatIsWritten();
    void placesAreRefused();
};
