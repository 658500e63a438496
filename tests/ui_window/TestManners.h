// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// How the window behaves towards whoever uses it: where Tab goes, what it says and for how long, how small it can be.
class TestManners : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tabGoesOnlyToWhatIsSeen();
    void theFocusLeavesAHiddenPanel();
    void longNamesDoNotWidenTheWindow();
    void smallScreensHoldTheWindow();
    void everyPanelKeepsItsRoom();
    void noticesGoWithTheirOccasion();
    void problemsAreQueued();
    void noticesOfTheBench();
    void missingFilesAreNamed();
    void unknownThemesAreRefused();
    void diagnosticsHaveRoom();
    void setupDialogGrowsWithItsProblem();
    void stepsSayWhatIsNoCode();
    void differencesLeadBack();
};

} // namespace kernelarium::ui
