// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Files that are not archives, damaged, newer, older, or not to be written.
class TestArchiveFile : public QObject {
    Q_OBJECT
private slots:
    void refusesWhatIsNoArchive_data();
    void refusesWhatIsNoArchive();
    void refusesATruncatedFileOfAnyLength();
    void reportsDamageInside();
    void refusesANewerVersion();
    void upgradesOlderVersions_data();
    void upgradesOlderVersions();
    void importUpgradesVersion1();
    void doesNotUpgradeInAFolderItCannotWrite();
    void readsAWriteProtectedFile();
    void refusesAFileWithAJournal();
    void aReaderKeepsItsFileDuringAnImport();
    void readsWhileAnImportRuns();
    void followsALink();
    void takesOddFileNames();
    void hashesAsPublished();
};
