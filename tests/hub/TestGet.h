// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Downloads as they should be, and as they break.
class TestGet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bringsEveryFile();
    void leavesWhatIsThere();
    void goesOnWhereTheConnectionBroke_data();
    void goesOnWhereTheConnectionBroke();
    void goesOnInTheNextRun();
    void beginsAnewWhereTheContentChanged();
    void distrustsAPartOfItsOwn();
    void waitsForABusyServer();
    void doesNotWaitForEver();
    void waitsUntilTheRateLimitEnds();
    void refusesWhatIsWrong_data();
    void refusesWhatIsWrong();
    void needsRoom();
    void needsAFolder();
    void onlyOneAtATime();
    void cancels();
    void sumsPiecewise();
};
