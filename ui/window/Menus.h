// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <initializer_list>
#include <vector>

class QMainWindow;
class QMenu;

namespace kernelarium::ui {

class Actions;

/// Puts the window's actions into its menu bar and its tool bar.
class Menus {
    Q_DECLARE_TR_FUNCTIONS(Menus)
public:
    /// Menus that others fill.
    struct Own {
        QMenu& recent;
        QMenu& target;
        QMenu& theme;
    };
    Menus(QMainWindow& window, const Actions& actions);

    void buildMenuBar(const Own& own);
    void buildToolBar();
    [[nodiscard]] QMenu& edit() { return *m_edit; } ///< once the menu bar is built

private:
    QMenu* add(const QString& title);
    /// Actions by name; "-" is a separator.
    void fill(QMenu& menu, std::initializer_list<const char*> names);
    void addGo();

    QMainWindow& m_window;
    const Actions& m_actions;
    QMenu* m_edit = nullptr;
};

} // namespace kernelarium::ui
