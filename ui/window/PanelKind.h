// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class EditorArea;
class Theme;
class WindowState;
class Workspace;

/// What a panel or page is made with: what it observes, and the parts of the window that its wishes go to.
struct PanelSite {
    Workspace& workspace;
    Theme& theme;
    Actions& actions; ///< those of later groups are there once the window is built: ask for them by name, when needed
    EditorArea& editor;
    Docks& docks;
    WindowState& state;
};

/// One panel of the window, all that docks, the Go menu, the palette and the help have to know of it.
struct PanelKind {
    const char* name;    ///< of its dock in remembered layouts, of its help page and of its action "go.NAME"
    const char* title;   ///< on its tab; translated in the context "Panels", as goTitle
    const char* goTitle; ///< of the action that goes to it
    const char* icon;
    Qt::Key key; ///< with Alt; Key_unknown: there is no such action
    Qt::DockWidgetArea area;
    int leastWidth;     ///< 0: what the panel asks for
    bool hiddenAtFirst; ///< until there is something to show
    QWidget* (*make)(const PanelSite& site);
    void (*focus)(QWidget& panel) = nullptr; ///< without one, its first control gets the focus
};

/// One page that takes the editor's place.
struct PageKind {
    const char* name; ///< of its action "go.NAME"
    const char* text; ///< of that action; translated in the context "Panels", as tip
    const char* tip;
    const char* icon;
    Qt::Key key;        ///< with Alt
    const char* beside; ///< panel at the left that stands in front beside it; empty: those at the left make room, too
    QWidget* (*make)(const PanelSite& site);
    void (*focus)(QWidget& page); ///< where the keyboard begins
};

/// A text of these in the user's language.
[[nodiscard]] inline QString panelText(const char* text) {
    return QCoreApplication::translate("Panels", text);
}

} // namespace kernelarium::ui
