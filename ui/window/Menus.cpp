// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/Menus.h"

#include "ui/frame/Actions.h"
#include "ui/window/PanelTable.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace kernelarium::ui {

Menus::Menus(QMainWindow& window, const Actions& actions)
    : m_window(window)
    , m_actions(actions) {}

QMenu* Menus::add(const QString& title) {
    QMenu* menu = m_window.menuBar()->addMenu(title);
    menu->setToolTipsVisible(true);
    return menu;
}

void Menus::fill(QMenu& menu, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (*name == '-')
            menu.addSeparator();
        else
            menu.addAction(m_actions.action(QLatin1String(name)));
}

void Menus::buildMenuBar(const Own& own) {
    QMenu* file = add(tr("&File"));
    fill(*file, {"file.new", "file.newForTask", "file.open"});
    file->addMenu(&own.recent);
    fill(*file, {"file.save",
                 "file.saveAs",
                 "file.keepTab",
                 "file.closeTab",
                 "-",
                 "archive.open",
                 "archive.get",
                 "archive.starter",
                 "archive.import",
                 "hgemm.open",
                 "archive.exportChosen",
                 "archive.exportShown",
                 "-",
                 "toolkit.get",
                 "-",
                 "audit.archive",
                 "audit.shown",
                 "audit.selection",
                 "audit.pause",
                 "-",
                 "file.quit"});
    m_edit = add(tr("&Edit"));
    fill(*m_edit, {"edit.undo",
                   "edit.redo",
                   "-",
                   "edit.cut",
                   "edit.copy",
                   "edit.paste",
                   "edit.selectAll",
                   "-",
                   "edit.find",
                   "edit.findNext",
                   "edit.findPrevious",
                   "edit.replace",
                   "-",
                   "edit.goToLine",
                   "edit.definition",
                   "edit.definitionBack",
                   "edit.rename",
                   "edit.format",
                   "-",
                   "edit.nextMark",
                   "edit.previousMark",
                   "-",
                   "kernel.diff",
                   "kernel.original",
                   "-",
                   "edit.larger",
                   "edit.smaller",
                   "edit.normalSize",
                   "-",
                   "edit.tabMoves",
                   "edit.preferences"});
    auto* lines = new QMenu(tr("Lines, cursors and bookmarks"), m_edit);
    lines->setToolTipsVisible(true);
    fill(*lines, {"edit.comment", "edit.moveUp", "edit.moveDown", "edit.duplicate", "edit.deleteLines", "-",
                  "edit.nextOccurrence", "edit.allOccurrences", "edit.cursorAbove", "edit.cursorBelow", "-",
                  "edit.bookmark", "edit.nextBookmark", "edit.previousBookmark"});
    m_edit->insertMenu(m_actions.action(QStringLiteral("edit.nextMark")), lines);
    QMenu* kernel = add(tr("&Kernel"));
    fill(*kernel, {"kernel.verify", "kernel.time", "kernel.model", "kernel.run", "kernel.tensors", "kernel.ncu",
                   "kernel.cancel", "-", "tune.start", "tune.pause", "tune.stop", "-", "compare.selection",
                   "compare.original", "like.bench", "like.selection", "-"});
    kernel->addMenu(&own.target);
    fill(*kernel, {"target.choose", "target.measure", "-", "kernel.setup", "kernel.exportCard", "kernel.options",
                   "kernel.fastMath", "kernel.tidy"});
    fill(*add(tr("&Step")), {"step.line", "-", "step.forth", "step.back", "step.nextLine", "step.previousLine",
                             "step.barrier", "step.here", "-", "tensors.ofLine", "tensors.ofThread"});
    addGo();
    QMenu* view = add(tr("&View"));
    fill(*view, {"view.ptx", "view.sass", "view.second", "-"});
    view->addMenu(&own.theme);
    fill(*view, {"view.projector", "view.layout", "view.palette"});
    fill(*add(tr("&Help")), {"help.contents", "help.panel", "help.shortcuts", "-", "help.about"});
}

/// Panels at the left, pages, and the panels that speak about the kernel.
void Menus::addGo() {
    QMenu* go = add(tr("&Go"));
    fill(*go, {"go.back", "go.forward", "go.nextTab", "go.previousTab", "-", "go.search", "go.editor", "go.nextPart",
               "go.previousPart"});
    const auto addPanels = [&](bool left) {
        for (const PanelKind& kind : panelKinds())
            if (QAction* action = m_actions.action(QStringLiteral("go.") + QLatin1String(kind.name));
                action && (kind.area == Qt::LeftDockWidgetArea) == left)
                go->addAction(action);
    };
    addPanels(true);
    for (const PageKind& kind : pageKinds())
        go->addAction(m_actions.action(QStringLiteral("go.") + QLatin1String(kind.name)));
    go->addSeparator();
    addPanels(false);
}

void Menus::buildToolBar() {
    QToolBar* bar = m_window.addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (const char* name : {"go.back", "go.forward"}) {
        bar->addAction(m_actions.action(QLatin1String(name)));
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(m_actions.action(QLatin1String(name)))))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    bar->addSeparator();
    for (const char* name : {"kernel.verify", "kernel.time", "kernel.run", "kernel.diff"})
        bar->addAction(m_actions.action(QLatin1String(name)));
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    for (const char* name : {"go.tune", "go.statistics", "go.lessons", "view.theme", "view.palette", "help.panel"}) {
        QAction* action = m_actions.action(QLatin1String(name));
        bar->addAction(action);
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) {
            const bool iconOnly = !action->objectName().startsWith(QLatin1String("go."));
            button->setToolButtonStyle(iconOnly ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
            button->setAccessibleName(action->text().remove(QLatin1Char('&')));
        }
    }
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        if (button->defaultAction()) button->setFocusPolicy(Qt::TabFocus); // a tool bar takes it away
    bar->toggleViewAction()->setToolTip(tr("Show or hide the tool bar"));
}

} // namespace kernelarium::ui
