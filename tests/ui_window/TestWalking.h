// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Who walks through the window with Tab, or touches the source by accident, changes nothing there.
class TestWalking : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tabPassesTheEditor();
    void archivedTextIsNotChangedByAccident();
    void typingIsDeliberate();
    void tabMovesWhereAsked();
    void ctrlF6WalksTheParts();
    void returnPressesTheFocusedButton();
    void shiftF10OpensTheContextMenu();
};

} // namespace kernelarium::ui
