// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What people read, held against what is there: the repository's documents and the help's pages.
class TestDocuments : public QObject {
    Q_OBJECT
private slots:
    void theReadmeIsForFiveMinutes();
    void linksLeadSomewhere();
    void everyHelpPageIsListed();
    void everyLibraryIsInstalled();
    void everyPictureIsShown();
    void everyStarterKernelIsListed();
    void theStarterTimesAreTheRecordedOnes();
    void plantedCommands_data();
    void plantedCommands();
    void commandsExist();
    void pathsExist();
    void theGuideHasEveryPage();
};
