// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Every row of the table in TrialPlan.h.
class TestTrialPlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingWantedIsNothingToDo();
    void waitsForTheCompilation();
    void givesUpWithoutAUnit();
    void startsWhatIsWanted_data();
    void startsWhatIsWanted();
    void aBrokenTextIsOnlyVerified();
    void theReferenceComesFirst();
    void aTimeNeedsAVerdict();
    void aTimeOfAnotherTextIsDropped();
    void aVerdictThatCannotBeTimedEndsIt();
    void aRivalIsTakenOnce();
    void aRaceIsDroppedWithTheTime();
    void droppingEndsAllThatIsPending();
    void theNewestTrialIsKept();
    void whatIsToBeShownWaitsForItsKernel();
};

} // namespace kernelarium::ui
