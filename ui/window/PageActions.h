// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class PathOpener;
class Pages;

/// The actions of the pages that take the editor's place.
class PageActions : public QObject {
    Q_OBJECT
public:
    PageActions(Pages& pages, PathOpener& opener, Actions& actions, QWidget& window);

private:
    void openTables();

    Pages& m_pages;
    PathOpener& m_opener;
    QWidget& m_window;
};

} // namespace kernelarium::ui
