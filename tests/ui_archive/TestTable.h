// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The table of kernels, and taking kernels along.
class TestTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void modelGrowsAndFolds();
    void typingGoesToTheNextName();
    void verdictsAreSeenAtFirst();
    void aRowsMenuCopiesCodeAndVerifies();
    void columnsAreChosenAndKept();
    void narrowFiltersAreBehindAButton();
    void namesTakeTheRoomThatIsLeft();
    void selectionIsCopiedAsATable();
    void sortsByEveryColumn();
    void exportsWhatIsChosen_data();
    void exportsWhatIsChosen();
    void exportFailsInPlace();
    void exportIsCancelled();
    void dialogSaysWhereTo();
};

} // namespace kernelarium::ui
