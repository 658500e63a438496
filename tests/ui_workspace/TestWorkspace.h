// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestWorkspace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void opensAKernelAndCompilesIt();
    void saysWhatDoesNotCompile();
    void verifiesAndKeepsTheAttempt();
    void findsWrongEditsWrong();
    void keepsWhatIsEditedWhileItRuns();
    void showsAnEarlierAttempt();
    void forgetsOldTextsResults();
    void cancelsAVerification();
    void survivesTheDeathOfTheCompiler();
    void survivesTheDeathOfTheRunner();
    void keepsTypedTextAcrossStarts();
    void walksBackAndForward();
    void opensFilesAndRefusesWhatIsNone();
    void runsWithStatedArguments();
    void runsAProgram();
    void comparesWithAnotherKernel();
    void attemptsKeepTheirBuild();
    void archivedKernelsKeepWhatWasSet();
    void foldersBeginAtTheKernelsFile();
};

} // namespace kernelarium::ui
