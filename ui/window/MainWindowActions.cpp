// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions: what they are called, what they do, and when they cannot.
#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditPage.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/window/Actions.h"
#include "ui/window/CommandPalette.h"
#include "ui/window/EditorArea.h"
#include "ui/window/MainWindow.h"
#include "ui/window/TargetMenu.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

using Key = QKeySequence;

struct DockAction {
    const char* dock;
    const char* text;
    const char* icon;
    Qt::Key key; ///< with Alt
};

constexpr DockAction dockActions[] = {
    {"archive", QT_TRANSLATE_NOOP("MainWindow", "Archive"), "archive", Qt::Key_1},
    {"lessons", QT_TRANSLATE_NOOP("MainWindow", "Lessons"), "lesson", Qt::Key_2},
    {"inspector", QT_TRANSLATE_NOOP("MainWindow", "Inspector"), "info", Qt::Key_3},
    {"diagnostics", QT_TRANSLATE_NOOP("MainWindow", "Diagnostics"), "compile", Qt::Key_4},
    {"verdict", QT_TRANSLATE_NOOP("MainWindow", "Verdict"), "verify", Qt::Key_5},
    {"history", QT_TRANSLATE_NOOP("MainWindow", "Timing history"), "history", Qt::Key_6},
    {"samples", QT_TRANSLATE_NOOP("MainWindow", "Samples"), "time", Qt::Key_F7},
    {"roofline", QT_TRANSLATE_NOOP("MainWindow", "Roofline"), "roofline", Qt::Key_7},
    {"counters", QT_TRANSLATE_NOOP("MainWindow", "Counters"), "counters", Qt::Key_8},
    {"lineage", QT_TRANSLATE_NOOP("MainWindow", "Lineage"), "graph", Qt::Key_L},
    {"profiles", QT_TRANSLATE_NOOP("MainWindow", "Profiles"), "device", Qt::Key_O},
    {"session", QT_TRANSLATE_NOOP("MainWindow", "Session"), "session", Qt::Key_9},
    {"audit", QT_TRANSLATE_NOOP("MainWindow", "Audit"), "verified", Qt::Key_U},
    {"output", QT_TRANSLATE_NOOP("MainWindow", "Output"), "run", Qt::Key_F5},
    {"steps", QT_TRANSLATE_NOOP("MainWindow", "Steps"), "next", Qt::Key_F6},
};

const std::vector<const char*> editMenu{"edit.undo",
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
                                        "edit.preferences"};

} // namespace

void MainWindow::addFileActions() {
    const auto noKernel = [this] { return m_workspace.kernel().isEmpty() ? tr("no kernel is open") : QString(); };
    m_actions->add({QStringLiteral("file.new"),
                    tr("&New kernel"),
                    tr("Begin a kernel of your own"),
                    Key::New,
                    {},
                    [this] { newKernel(); },
                    {}});
    m_actions->add({QStringLiteral("file.open"),
                    tr("&Open a kernel…"),
                    tr("Open any .cu file"),
                    Key::Open,
                    QStringLiteral("open"),
                    [this] { openFile(); },
                    {}});
    m_actions->add({QStringLiteral("file.save"), tr("&Save"), tr("Save the text to its file"), Key::Save,
                    QStringLiteral("save"), [this] { saveFile(); }, noKernel});
    m_actions->add({QStringLiteral("file.saveAs"),
                    tr("Save &as…"),
                    tr("Save the text to another file"),
                    Key(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                    {},
                    [this] { saveFileAs(); },
                    noKernel});
    m_actions->add({QStringLiteral("file.quit"),
                    tr("&Quit"),
                    tr("Leave; everything is kept"),
                    Key::Quit,
                    {},
                    [this] { close(); },
                    {}});
}

void MainWindow::addKernelActions() {
    const auto noKernel = [this] { return m_workspace.kernel().isEmpty() ? tr("choose a kernel first") : QString(); };
    const auto noReference = [this] { return m_workspace.verifyObstacle(); };
    m_actions->add({QStringLiteral("kernel.verify"), tr("&Verify"),
                    tr("Run the kernel and compare it with the reference"), Key(Qt::CTRL | Qt::Key_Return),
                    QStringLiteral("verify"), [this] { m_workspace.verify(); }, noReference});
    m_actions->add({QStringLiteral("kernel.time"), tr("&Time"),
                    tr("Time the kernel on the GPU that is the target; on the emulator, model its time"),
                    Key(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QStringLiteral("time"), [this] { m_workspace.time(); },
                    noReference});
    m_actions->add({QStringLiteral("kernel.model"), tr("&Model the time"),
                    tr("Model the kernel's time on the roofline's device from what the emulator counts"),
                    Key(Qt::CTRL | Qt::ALT | Qt::Key_Return), QStringLiteral("counters"),
                    [this] { m_workspace.model(); }, noReference});
    m_actions->add({QStringLiteral("kernel.run"), tr("&Run"), tr("Run the kernel once and show its outputs in figures"),
                    Key(Qt::Key_F5), QStringLiteral("run"), [this] { m_workspace.run(); }, noReference});
    m_actions->add(
        {QStringLiteral("kernel.ncu"), tr("Measure with Nsight C&ompute"),
         tr("Run the kernel at full size on this machine's GPU under Nsight Compute, and show its counters in "
            "Profiles"),
         Key(Qt::CTRL | Qt::SHIFT | Qt::Key_M), QStringLiteral("device"),
         [this] {
             showDock(QStringLiteral("profiles"));
             m_workspace.measure();
         },
         [this, noReference] { return m_workspace.ncu().isBusy() ? tr("it is being measured") : noReference(); }});
    m_actions->add({QStringLiteral("kernel.cancel"), tr("&Cancel"), tr("Stop what is running"), Key(Qt::Key_Escape),
                    QStringLiteral("cancel"), [this] { cancelWork(); },
                    [this] {
                        const bool busy = m_workspace.isBusy() || m_workspace.archive().isImporting() ||
                                          m_workspace.exporter().isRunning() || m_audit->desk().isRunning() ||
                                          m_statistics->desk().isBusy() || isBusy(m_hgemm->desk().stage()) ||
                                          isBusy(m_workspace.tidy().state().stage);
                        return busy ? QString() : tr("nothing is running");
                    }});
    m_actions->add({QStringLiteral("kernel.setup"),
                    tr("Task and re&ference…"),
                    tr("Choose what the kernel is held against"),
                    Key(Qt::CTRL | Qt::Key_T),
                    {},
                    [this] { setUpKernel(); },
                    noKernel});
    m_actions->add({QStringLiteral("kernel.exportCard"),
                    tr("E&xport a task card"),
                    tr("Learn from its PyTorch code what the kernel is to compute, with your Python"),
                    {},
                    {},
                    [this] { m_workspace.exportCard(); },
                    [this] { return m_workspace.exportObstacle(); }});
    m_actions->add({QStringLiteral("kernel.fastMath"),
                    tr("F&ast math"),
                    tr("Compile with --use_fast_math, as the archive was"),
                    {},
                    {},
                    [this] {
                        Target target = m_workspace.target();
                        target.fastMath = !target.fastMath;
                        m_workspace.setTarget(target);
                    },
                    {},
                    true,
                    [this] { return m_workspace.target().fastMath; }});
    m_actions->add({QStringLiteral("kernel.tidy"),
                    tr("&Live clang-tidy"),
                    tr("Ask clang-tidy for advice while you type, where it is installed"),
                    {},
                    {},
                    [this] { m_workspace.setLiveTidy(!m_workspace.tidy().isEnabled()); },
                    {},
                    true,
                    [this] { return m_workspace.tidy().isEnabled(); }});
    m_actions->add({QStringLiteral("kernel.diff"), tr("Show &differences"), tr("Compare the text with the original"),
                    Key(Qt::CTRL | Qt::Key_D), QStringLiteral("diff"),
                    [this] { m_editorArea->showDiff(!m_editorArea->isShowingDiff()); }, noKernel, true,
                    [this] { return m_editorArea->isShowingDiff(); }});
    m_actions->add({QStringLiteral("kernel.original"),
                    tr("Back to the &original"),
                    tr("Put the original text back (undo brings yours back)"),
                    {},
                    QStringLiteral("restore"),
                    [this] { m_workspace.revertToOriginal(); },
                    [this] { return m_workspace.isEdited() ? QString() : tr("the text is the original"); }});
}

void MainWindow::addViewActions() {
    m_actions->add({QStringLiteral("go.back"), tr("&Back"), tr("The kernel that was open before"),
                    Key(Qt::ALT | Qt::Key_Left), QStringLiteral("back"), [this] { m_workspace.goBack(); },
                    [this] { return m_workspace.canGoBack() ? QString() : tr("this is the first kernel"); }});
    m_actions->add({QStringLiteral("go.forward"), tr("&Forward"), tr("The kernel that was open after this one"),
                    Key(Qt::ALT | Qt::Key_Right), QStringLiteral("forward"), [this] { m_workspace.goForward(); },
                    [this] { return m_workspace.canGoForward() ? QString() : tr("this is the last kernel"); }});
    m_actions->add({QStringLiteral("go.search"),
                    tr("&Search the archive"),
                    tr("Go to the archive's search field"),
                    Key(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                    QStringLiteral("search"),
                    [this] {
                        showDock(QStringLiteral("archive"));
                        m_archive->focusSearch();
                    },
                    {}});
    m_actions->add({QStringLiteral("go.editor"),
                    tr("&Editor"),
                    tr("Go to the text"),
                    Key(Qt::ALT | Qt::Key_0),
                    {},
                    [this] {
                        leavePage();
                        m_editorArea->focusEditor();
                    },
                    {}});
    for (const DockAction& dock : dockActions) {
        const QString name = QLatin1String(dock.dock);
        m_actions->add({QStringLiteral("go.") + name,
                        tr(dock.text),
                        tr("Go to the panel %1").arg(tr(dock.text)),
                        Key(Qt::ALT | dock.key),
                        QLatin1String(dock.icon),
                        [this, name] { focusDock(name); },
                        {}});
    }
    m_actions->add({QStringLiteral("view.ptx"),
                    tr("&PTX beside the source"),
                    tr("Show the PTX that the lines became"),
                    Key(Qt::CTRL | Qt::Key_P),
                    {},
                    [this] { m_editorArea->showPtx(!m_editorArea->isShowingPtx()); },
                    {},
                    true,
                    [this] { return m_editorArea->isShowingPtx(); }});
    m_actions->add({QStringLiteral("view.sass"),
                    tr("&SASS beside the source"),
                    tr("Show the machine instructions that the lines became"),
                    Key(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                    {},
                    [this] { m_editorArea->showSass(!m_editorArea->isShowingSass()); },
                    {},
                    true,
                    [this] { return m_editorArea->isShowingSass(); }});
    m_actions->add({QStringLiteral("view.layout"),
                    tr("&Reset the layout"),
                    tr("Put every panel back in its place"),
                    {},
                    {},
                    [this] {
                        leavePage();
                        restoreState(m_defaultState);
                        arrangeWidths();
                    },
                    {}});
    m_actions->add({QStringLiteral("view.palette"),
                    tr("&All actions…"),
                    tr("Find any action by typing"),
                    Key(Qt::CTRL | Qt::Key_K),
                    QStringLiteral("command"),
                    [this] { m_palette->open(m_actions->all()); },
                    {}});
}

void MainWindow::addAuditActions() {
    const auto add = [this](const char* name, const QString& text, const QString& tip, bool onlyShown) {
        m_actions->add({QLatin1String(name),
                        text,
                        tip,
                        {},
                        {},
                        [this, onlyShown] {
                            showDock(QStringLiteral("audit"));
                            m_audit->start(onlyShown);
                        },
                        [this, onlyShown] { return m_audit->obstacle(onlyShown); }});
    };
    add("audit.archive", tr("A&udit the archive"),
        tr("Verify every kernel of the archive that has no verdict of today"), false);
    add("audit.shown", tr("Audit what the Archiv&e panel shows"),
        tr("Verify the kernels that the filters of the Archive panel leave"), true);
    m_actions->add({QStringLiteral("audit.pause"),
                    tr("&Pause the audit"),
                    tr("Stop the audit; what is done is kept, and it goes on from there"),
                    {},
                    {},
                    [this] { m_audit->pause(); },
                    [this] { return m_audit->desk().isRunning() ? QString() : tr("no audit is running"); }});
}

void MainWindow::buildMenus() {
    const auto menu = [this](const QString& title, const std::vector<const char*>& names) {
        QMenu* made = menuBar()->addMenu(title);
        made->setToolTipsVisible(true);
        for (const char* name : names) {
            if (*name == '-')
                made->addSeparator();
            else
                made->addAction(m_actions->action(QLatin1String(name)));
        }
        return made;
    };
    QMenu* file = menu(tr("&File"), {"file.new", "file.open"});
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setToolTipsVisible(true);
    for (const char* name : {"file.save", "file.saveAs"})
        file->addAction(m_actions->action(QLatin1String(name)));
    file->addSeparator();
    for (const char* name : {"archive.open", "archive.get", "archive.starter", "archive.import", "hgemm.open",
                             "archive.exportChosen", "archive.exportShown"})
        file->addAction(m_actions->action(QLatin1String(name)));
    file->addSeparator();
    for (const char* name : {"audit.archive", "audit.shown", "audit.pause"})
        file->addAction(m_actions->action(QLatin1String(name)));
    file->addSeparator();
    file->addAction(m_actions->action(QStringLiteral("file.quit")));
    buildEditMenu(menu(tr("&Edit"), editMenu));
    QMenu* kernel = menu(tr("&Kernel"), {"kernel.verify", "kernel.time", "kernel.model", "kernel.run", "kernel.ncu",
                                         "kernel.cancel", "-"});
    kernel->addMenu(m_targetMenu);
    for (const char* name : {"target.choose", "target.measure"})
        kernel->addAction(m_actions->action(QLatin1String(name)));
    kernel->addSeparator();
    for (const char* name : {"kernel.setup", "kernel.exportCard", "kernel.fastMath", "kernel.tidy"})
        kernel->addAction(m_actions->action(QLatin1String(name)));
    menu(tr("&Step"), {"step.line", "-", "step.forth", "step.back", "step.nextLine", "step.previousLine",
                       "step.barrier", "step.here"});
    menu(tr("&Go"),
         {"go.back",    "go.forward",    "-",          "go.search",   "go.editor",    "go.archive",     "go.lessons",
          "go.audit",   "go.statistics", "go.hgemm",   "-",           "go.inspector", "go.diagnostics", "go.verdict",
          "go.history", "go.samples",    "go.lineage", "go.roofline", "go.counters",  "go.profiles",    "go.steps",
          "go.output",  "go.session"});
    QMenu* view = menu(tr("&View"), {"view.ptx", "view.sass", "-"});
    buildThemeMenu(*view);
    for (const char* name : {"view.layout", "view.palette"})
        view->addAction(m_actions->action(QLatin1String(name)));
    menu(tr("&Help"), {"help.panel", "help.shortcuts", "-", "help.about"});
    refreshRecent();
}

void MainWindow::buildToolBar() {
    QToolBar* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (const char* name : {"go.back", "go.forward"}) {
        bar->addAction(m_actions->action(QLatin1String(name)));
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(m_actions->action(QLatin1String(name)))))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    bar->addSeparator();
    for (const char* name : {"kernel.verify", "kernel.time", "kernel.run", "kernel.diff"})
        bar->addAction(m_actions->action(QLatin1String(name)));
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    for (const char* name : {"go.statistics", "go.lessons", "view.theme", "view.palette", "help.panel"}) {
        QAction* action = m_actions->action(QLatin1String(name));
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
