// SPDX-License-Identifier: GPL-3.0-or-later
// Where Tab goes. A panel behind another one's tab is laid out beyond the window's edge and counts as visible: Qt's own
// chain walks through it, and a key there presses what nobody sees.
#include "ui/window/EditorArea.h"
#include "ui/window/MainWindow.h"

#include <QApplication>
#include <QDockWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <algorithm>

namespace kernelarium::ui {

namespace {
/// In the order of Tab.
namespace region {
enum { nowhere = -1, toolBar, left, top, middle, bottom, right, status };
}
} // namespace

bool MainWindow::isInFront(const QDockWidget& dock) const {
    return dock.isVisible() && (dock.isFloating() || rect().intersects(dock.geometry()));
}

int MainWindow::regionOf(Qt::DockWidgetArea area) const {
    switch (area) {
    case Qt::LeftDockWidgetArea: return region::left;
    case Qt::TopDockWidgetArea: return region::top;
    case Qt::BottomDockWidgetArea: return region::bottom;
    case Qt::RightDockWidgetArea: return region::right;
    default: return region::nowhere;
    }
}

/// Qt says nothing of which panels a bar is of: they have its tabs as titles.
QWidget* MainWindow::tabBarOf(QDockWidget& dock) const {
    for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < bar->count(); ++i)
            if (bar->isVisible() && bar->tabText(i) == dock.windowTitle()) return bar;
    return nullptr;
}

int MainWindow::regionOf(const QWidget& widget) const {
    const QWidget* child = &widget;
    while (child->parentWidget() && child->parentWidget() != this)
        child = child->parentWidget();
    if (child == centralWidget()) return region::middle;
    if (qobject_cast<const QToolBar*>(child)) return region::toolBar;
    if (qobject_cast<const QStatusBar*>(child)) return region::status;
    if (const auto* dock = qobject_cast<const QDockWidget*>(child))
        return isInFront(*dock) ? regionOf(dockWidgetArea(const_cast<QDockWidget*>(dock))) : region::nowhere;
    if (qobject_cast<const QTabBar*>(child))
        for (QDockWidget* dock : m_docks)
            if (tabBarOf(*dock) == child) return regionOf(dockWidgetArea(dock));
    return region::nowhere;
}

QList<QWidget*> MainWindow::stops() const {
    struct Stop {
        QWidget* widget;
        int region;
        bool isTabBar;
    };
    std::vector<Stop> found;
    for (QWidget* widget = nextInFocusChain(); widget && widget != this; widget = widget->nextInFocusChain()) {
        if (widget->window() != this || (widget->focusPolicy() & Qt::TabFocus) != Qt::TabFocus || widget->focusProxy())
            continue;
        if (!widget->isVisible() || !widget->isEnabled()) continue;
        const bool isTabBar = widget->parentWidget() == this; // those without tabs are kept beyond the edge, too
        if (isTabBar && !rect().contains(widget->geometry().center())) continue;
        if (const int place = regionOf(*widget); place != region::nowhere) found.push_back({widget, place, isTabBar});
    }
    std::stable_sort(found.begin(), found.end(), [](const Stop& a, const Stop& b) {
        return a.region != b.region ? a.region < b.region : a.isTabBar && !b.isTabBar;
    });
    QList<QWidget*> widgets;
    for (const Stop& stop : found)
        widgets << stop.widget;
    return widgets;
}

bool MainWindow::focusNextPrevChild(bool next) {
    const QList<QWidget*> all = stops();
    if (all.isEmpty()) return QMainWindow::focusNextPrevChild(next);
    const QWidget* focus = QApplication::focusWidget();
    const qsizetype count = all.size();
    qsizetype at = -1;
    for (const QWidget* widget = focus; widget && at < 0; widget = widget->parentWidget())
        at = all.indexOf(const_cast<QWidget*>(widget));
    qsizetype to = at + (next ? 1 : -1);
    if (at < 0) { // from the edge of its region
        const int place = focus && focus != this ? regionOf(*focus) : region::nowhere;
        const auto begin = std::find_if(all.begin(), all.end(), [&](QWidget* w) { return regionOf(*w) >= place; });
        to = begin - all.begin() - (next ? 0 : 1);
    }
    QWidget* target = all[(to + count) % count];
    target->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

/// The focus does not stay where nobody sees it: the tabs have it then.
void MainWindow::leaveHidden(QDockWidget& dock) {
    const QWidget* focus = QApplication::focusWidget();
    if (!focus || !dock.isAncestorOf(focus) || isInFront(dock)) return;
    if (QWidget* bar = tabBarOf(dock))
        bar->setFocus(Qt::OtherFocusReason);
    else
        m_editorArea->focusEditor();
}

} // namespace kernelarium::ui
