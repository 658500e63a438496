// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace kernelarium::ui {

/// Every action of the window by name: what menus, tool bar and palette are made of. Each says in its tool tip what it
/// does, its shortcut, and why it cannot be used just now.
class Actions : public QObject {
    Q_OBJECT
public:
    struct Spec {
        QString name; ///< "kernel.verify"
        QString text; ///< "&Verify"
        QString tip;  ///< a sentence without its full stop
        QKeySequence shortcut;
        QString icon;
        std::function<void()> run;
        /// Why it cannot be used now; empty when it can.
        std::function<QString()> obstacle = {};
        bool checkable = false;
        std::function<bool()> checked = {}; ///< of a checkable one
        /// The widget in focus knows the key by itself: it is only shown here.
        bool keyOfTheWidget = false;
    };

    Actions(Theme& theme, QWidget* window);

    QAction* add(Spec spec);
    [[nodiscard]] QAction* action(const QString& name) const;                ///< null: there is none
    [[nodiscard]] const std::vector<QAction*>& all() const { return m_all; } ///< in the order they were added
    /// Does what an action does, for a part of the window that asks for it, also where it is not enabled.
    void run(const QString& name) const;
    /// Asks every action again whether it can be used.
    void refresh();
    void refreshSoon(); ///< once, however often it is said in a row

private:
    struct Entry {
        Spec spec;
        QAction* action = nullptr;
    };
    void refreshIcons();
    static QString toolTip(const Spec& spec, const QString& obstacle);

    Theme& m_theme;
    QWidget* m_window;
    QHash<QString, Entry> m_entries;
    std::vector<QAction*> m_all;
    bool m_refreshing = false; ///< soon
};

} // namespace kernelarium::ui
