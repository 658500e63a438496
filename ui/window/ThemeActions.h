// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>
#include <QStringList>

class QMenu;
class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class WindowState;

/// How the window looks: the actions of its colours and their menu, and large text for a room full of people.
class ThemeActions : public QObject {
    Q_OBJECT
public:
    ThemeActions(Theme& theme, Docks& docks, WindowState& state, Actions& actions, QWidget& window);
    [[nodiscard]] QMenu& menu() { return *m_menu; }

private:
    void choose(Theme::Choice choice);
    void buildMenu();
    void addProjector();
    /// Panels at the right make room, and come back afterwards.
    void project(bool projected);

    Theme& m_theme;
    Docks& m_docks;
    WindowState& m_state;
    Actions& m_actions;
    QMenu* m_menu;
    QStringList m_put; ///< names of docks that made room
};

} // namespace kernelarium::ui
