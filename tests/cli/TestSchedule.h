// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// `kernelarium-cli schedule ...`, without a GPU.
class TestSchedule : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void codeIsExplained();
    void variantsAreProvedAndRefused();
    void distancesAreMined();
    void randomEditsAreMostlyRefused();
    void modelledSearchIsKept();
    void killedSearchGoesOn();
    void interruptedSearchSaysSo();
    void interruptedAlternativesAreKept();
    void withoutPtxasTheSearchStands();
    void alternativesAreTold();
    void badInputIsRefused_data();
    void badInputIsRefused();
    void otherStoresAreRefused();
    void deviceScriptRunsDry();
};
