// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What is not a Parquet file of an archive: it is refused and leaves the archive alone.
class TestParquetRefusals : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void unusableFilesAreRefused_data();
    void unusableFilesAreRefused();
    void everyTruncationIsRefused();
    void noDamageIsEverTakenQuietly();
    void needsNoMoreMemoryThanAllowed();
    void readsNothingButItsFile();
    void aMissingLibraryIsSaid();
};
