// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Everything without a mouse: menus, shortcuts, palette, tab order, names; and the same by mouse.
class TestActions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyActionIsExplainedAndInAMenu();
    void noTwoActionsShareAKey();
    void everyShortcutArrivesFromEveryPanel();
    void everyPanelIsReachedByKeyboard();
    void everyControlHasAName();
    void tabWalksThroughEveryPanel();
    void paletteFindsAndRuns();
    void altArrowsWalkTheHistory();
    void mouseDoesTheSame();
};

} // namespace kernelarium::ui
