// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestVerify : public QObject {
    Q_OBJECT
private slots:
    void verdicts_data();
    void verdicts();
    void thePublishedSizeCounts_data();
    void thePublishedSizeCounts();
    void theJsonHasWhatIsPromised();
    void faultsNameTheLine();
    void theSameSeedGivesTheSameFigures();
    void runDescribesTheOutputs();
    void runCountsOnRequest();
    void profileModelsTheTime();
    void runShowsWhatIsPrinted();
    void runOfABrokenKernelFails();
    void compilerOptionsReachTheKernel();
    void aTaskVerifiesAgainstItsCard();
    void anArchivedKernelIsFoundByName();
};
