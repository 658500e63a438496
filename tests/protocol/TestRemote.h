// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestRemote : public QObject {
    Q_OBJECT
private slots:
    void namesOfMachines_data();
    void namesOfMachines();
    void oddNamesAreRefused_data();
    void oddNamesAreRefused();
    void whatSshSaysIsExplained_data();
    void whatSshSaysIsExplained();
    void aWorkerIsCopiedOnceAndAnswers();
    void aLostConnectionEndsTheRequestAndIsMadeAgain();
    void cancelReachesTheOtherSide();
    void hostKeyTroubleIsExplained();
    void aRefusedUserIsToldWhatToDo();
    void aMachineThatDoesNotListenIsNamed();
    void withoutABundleItIsSaidWhatIsMissing();
    void anotherVersionIsRefused();
    void aBrokenBundleLeavesNothingBehind();
};
