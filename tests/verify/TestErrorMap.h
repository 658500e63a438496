// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestErrorMap : public QObject {
    Q_OBJECT
private slots:
    void cellsCoverTheOutput_data();
    void cellsCoverTheOutput();
    void oneWrongElementMarksItsCell();
    void nanIsWorseThanAnyError();
    void wholeNumbersAreRightOrInfinitelyWrong();
    void itAgreesWithTheComparison();
    void theVerdictCarriesItThroughJson();
    void damagedMapsAreRefused();
};
