// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Parquet and JSON lines files that are opened in the window.
class TestRowsIn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhenDuckDbIsMissing();
    void opensSeveralFilesOfBothKinds();
    void tableFillsAsRowsCome();
    void escapeLeavesEverythingAsItWas();
    void refusesWhatIsNoParquet_data();
    void refusesWhatIsNoParquet();
    void oneImportAtATime();
    void offersToGoOnAfterAKill();
    void saysWhatAnInterruptedImportMisses();
};

} // namespace kernelarium::ui
