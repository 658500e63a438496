// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class QMenu;
class QWidget;

namespace kernelarium::ui {

class Actions;
class WindowState;

/// The window's colours: its actions and their menu.
class ThemeActions : public QObject {
    Q_OBJECT
public:
    ThemeActions(Theme& theme, WindowState& state, Actions& actions, QWidget& window);
    [[nodiscard]] QMenu& menu() { return *m_menu; }

private:
    void choose(Theme::Choice choice);
    void buildMenu();

    Theme& m_theme;
    WindowState& m_state;
    Actions& m_actions;
    QMenu* m_menu;
};

} // namespace kernelarium::ui
