// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Parquet files in, the same archive as from JSON lines.
class TestParquet : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void sampleGivesTheSameContent_data();
    void sampleGivesTheSameContent();
    void severalFilesOfBothKinds();
    void keepsUnknownColumns();
    void takesTypesAsTheyAreWritten_data();
    void takesTypesAsTheyAreWritten();
    void columnsWithoutValuesMayBeOfAnyType();
    void badRowsAreSkipped();
    void oddNamesAreNames();
    void goesOnFromAMark();
    void stops();
};
