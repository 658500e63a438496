// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The archive's profile cells as typed values.
class TestProfiles : public QObject {
    Q_OBJECT
private slots:
    void ncuIsGrouped();
    void ncuMayLackValues();
    void ncuOfAnotherFormIsRefused();
    void torchByTimeOnTheDevice();
    void torchKnowsTheOlderNames();
    void tidyFindings();
    void indicesAreNoNews();
    void tidyOfOddLines();
    void everyCellOfTheSample();
};
