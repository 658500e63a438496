// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/FocusOrder.h"

#include "ui/source/EditorArea.h"
#include "ui/window/Docks.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
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

int regionOfArea(Qt::DockWidgetArea area) {
    switch (area) {
    case Qt::LeftDockWidgetArea: return region::left;
    case Qt::TopDockWidgetArea: return region::top;
    case Qt::BottomDockWidgetArea: return region::bottom;
    case Qt::RightDockWidgetArea: return region::right;
    default: return region::nowhere;
    }
}

} // namespace

FocusOrder::FocusOrder(QMainWindow& window, Docks& docks, EditorArea& editor)
    : QObject(&window)
    , m_window(window)
    , m_docks(docks)
    , m_editor(editor) {
    // Whoever hides it may give the focus to something else yet.
    connect(&docks, &Docks::hidden, this, &FocusOrder::leaveHidden, Qt::QueuedConnection);
}

/// Qt says nothing of which panels a bar is of: they have its tabs as titles.
QWidget* FocusOrder::tabBarOf(const QDockWidget& dock) const {
    for (QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < bar->count(); ++i)
            if (bar->isVisible() && bar->tabText(i) == dock.windowTitle()) return bar;
    return nullptr;
}

int FocusOrder::regionOf(const QWidget& widget) const {
    const QWidget* child = &widget;
    while (child->parentWidget() && child->parentWidget() != &m_window)
        child = child->parentWidget();
    if (child == m_window.centralWidget()) return region::middle;
    if (qobject_cast<const QToolBar*>(child)) return region::toolBar;
    if (qobject_cast<const QStatusBar*>(child)) return region::status;
    if (const auto* dock = qobject_cast<const QDockWidget*>(child))
        return m_docks.isInFront(*dock) ? regionOfArea(m_docks.areaOf(*dock)) : region::nowhere;
    if (qobject_cast<const QTabBar*>(child))
        for (const QDockWidget* dock : m_docks.all())
            if (tabBarOf(*dock) == child) return regionOfArea(m_docks.areaOf(*dock));
    return region::nowhere;
}

QList<QWidget*> FocusOrder::stops() const {
    struct Stop {
        QWidget* widget;
        int region;
        bool isTabBar;
    };
    std::vector<Stop> found;
    for (QWidget* widget = m_window.nextInFocusChain(); widget && widget != &m_window;
         widget = widget->nextInFocusChain()) {
        if (widget->window() != &m_window || (widget->focusPolicy() & Qt::TabFocus) != Qt::TabFocus ||
            widget->focusProxy())
            continue;
        if (!widget->isVisible() || !widget->isEnabled()) continue;
        const bool isTabBar = widget->parentWidget() == &m_window; // those without tabs are kept beyond the edge, too
        if (isTabBar && !m_window.rect().contains(widget->geometry().center())) continue;
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

bool FocusOrder::step(bool next) {
    const QList<QWidget*> all = stops();
    if (all.isEmpty()) return false;
    const QWidget* focus = QApplication::focusWidget();
    const qsizetype count = all.size();
    qsizetype at = -1;
    for (const QWidget* widget = focus; widget && at < 0; widget = widget->parentWidget())
        at = all.indexOf(const_cast<QWidget*>(widget));
    qsizetype to = at + (next ? 1 : -1);
    if (at < 0) { // from the edge of its region
        const int place = focus && focus != &m_window ? regionOf(*focus) : region::nowhere;
        const auto begin = std::find_if(all.begin(), all.end(), [&](QWidget* w) { return regionOf(*w) >= place; });
        to = begin - all.begin() - (next ? 0 : 1);
    }
    QWidget* target = all[(to + count) % count];
    target->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void FocusOrder::stepRegion(bool next) {
    const QList<QWidget*> all = stops();
    const QWidget* focus = QApplication::focusWidget();
    const int place = focus && focus != &m_window ? regionOf(*focus) : region::nowhere;
    QWidget* near = nullptr;   // of the next region
    QWidget* around = nullptr; // of the first one, seen from the other end
    int nearest = 0, farthest = 0;
    for (QWidget* widget : all) {
        const int at = next ? regionOf(*widget) : -regionOf(*widget);
        if (at > (next ? place : -place) && (!near || at < nearest)) {
            near = widget;
            nearest = at;
        }
        if (!around || at < farthest) {
            around = widget;
            farthest = at;
        }
    }
    QWidget* target = near ? near : around;
    if (!target) return;
    if (regionOf(*target) == region::middle) m_editor.focusEditor();
    if (regionOf(*target) != region::middle || !m_editor.isAncestorOf(QApplication::focusWidget()))
        target->setFocus(Qt::ShortcutFocusReason);
}

/// The focus does not stay where nobody sees it: the tabs have it then.
void FocusOrder::leaveHidden(QDockWidget* dock) {
    const QWidget* focus = QApplication::focusWidget();
    if (!focus || !dock->isAncestorOf(focus) || m_docks.isInFront(*dock)) return;
    if (QWidget* bar = tabBarOf(*dock))
        bar->setFocus(Qt::OtherFocusReason);
    else
        m_editor.focusEditor();
}

} // namespace kernelarium::ui
