// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Menus and keys: each entry's letter, what it acts on, what is checked.
class TestMenus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void menusHaveTheirOwnLetters();
    void editMenuActsOnTheFocus();
    void contextMenuIsTheEditMenus();
    void theThemeIsChosenInItsMenu();
    void helpNamesLicencesAndKeys();
    void keypadEnterVerifies();
};

} // namespace kernelarium::ui
