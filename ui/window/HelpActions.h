// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class Pages;
class Theme;

/// The actions that explain: the panel in focus, the keys, the program.
class HelpActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions& actions;
        Docks& docks;
        Pages& pages;
    };
    HelpActions(Theme& theme, const Parts& parts, QWidget& window);

private:
    void explainPanel();
    void showPage(const QString& page);
    [[nodiscard]] QString shortcutList() const;

    Theme& m_theme;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
