// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/MainWindow.h"

#include "ui/archive/ArchiveButton.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditPage.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/frame/Actions.h"
#include "ui/frame/CommandPalette.h"
#include "ui/frame/DesktopKeys.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/RecentFiles.h"
#include "ui/frame/StatusLine.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/hgemm/LaboratoryView.h"
#include "ui/inspector/InspectorPanel.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/plots/SamplesPanel.h"
#include "ui/sessions/SessionDock.h"
#include "ui/source/EditorArea.h"
#include "ui/source/KernelTabs.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/tuning/TunePage.h"
#include "ui/window/ArchiveActions.h"
#include "ui/window/AuditActions.h"
#include "ui/window/BenchReopener.h"
#include "ui/window/CompareActions.h"
#include "ui/window/EditActions.h"
#include "ui/window/FileActions.h"
#include "ui/window/FocusOrder.h"
#include "ui/window/HelpActions.h"
#include "ui/window/Imports.h"
#include "ui/window/KernelActions.h"
#include "ui/window/LikeActions.h"
#include "ui/window/Menus.h"
#include "ui/window/PageActions.h"
#include "ui/window/Pages.h"
#include "ui/window/PanelTable.h"
#include "ui/window/PathOpener.h"
#include "ui/window/RunningWork.h"
#include "ui/window/StepActions.h"
#include "ui/window/SuperoptActions.h"
#include "ui/window/TargetActions.h"
#include "ui/window/TensorActions.h"
#include "ui/window/ThemeActions.h"
#include "ui/window/ToolkitActions.h"
#include "ui/window/TuneActions.h"
#include "ui/window/ViewActions.h"
#include "ui/window/WindowState.h"
#include "ui/workspace/Workspace.h"

#include <QStatusBar>
#include <QVBoxLayout>

namespace kernelarium::ui {

MainWindow::MainWindow(Workspace& workspace, Theme& theme, QWidget* parent)
    : QMainWindow(parent)
    , m_workspace(workspace)
    , m_theme(theme)
    , m_actions(new Actions(theme, this))
    , m_state(new WindowState(*this, workspace.session(), workspace.settings(),
                              *new BenchReopener({workspace.bench(), workspace.archive(), workspace.settings(),
                                                  workspace.notices(), workspace.paths()},
                                                 this)))
    , m_notices(new NoticeBar(theme))
    , m_editor(new EditorArea({workspace.bench(), workspace.assignment(), workspace.place(), workspace.heat(),
                               workspace.past(), workspace.archive(), workspace.compiler(), workspace.runner(),
                               workspace.session(), workspace.profiles(), workspace.tidy(), workspace.formatter(),
                               workspace.notices(), workspace.settings()},
                              theme))
    , m_docks(new Docks(*this))
    , m_pages(new Pages(*m_editor, *m_docks, m_workspace.bench()))
    , m_focus(new FocusOrder(*this, *m_docks, *m_editor))
    , m_status(new StatusLine({workspace.bench(), workspace.place(), workspace.trials(), workspace.standing(),
                               workspace.compiler(), workspace.runner(), workspace.timer(), workspace.devices(),
                               workspace.ncu()},
                              theme))
    , m_palette(new CommandPalette(theme, this))
    , m_imports(new Imports({workspace.archive(), workspace.settings(), workspace.paths()},
                            {*m_actions, *m_docks, *m_notices, *m_status}, *this))
    , m_recent(new RecentFiles(this))
    , m_opener(new PathOpener({workspace.bench(), workspace.archive(), workspace.notices()},
                              {*m_docks, *m_pages, *m_notices, *m_recent, *m_imports}, *this)) {
    setObjectName(QStringLiteral("kernelarium"));
    setDocumentMode(true);
    new DesktopKeys(this);
    buildMiddle();
    buildPanels();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addPermanentWidget(m_status, 1);
    addActions();
    followBench();
    m_docks->arrange();
    m_docks->keepArrangement();
    refreshTitle();
    m_actions->refresh();
}

MainWindow::~MainWindow() = default;

ArchivePanel& MainWindow::archive() const {
    return panel<ArchivePanel>();
}
AuditPage& MainWindow::audit() const {
    return panel<AuditPage>();
}
DiagnosticsPanel& MainWindow::diagnostics() const {
    return panel<DiagnosticsPanel>();
}
HgemmPage& MainWindow::hgemm() const {
    return panel<HgemmPage>();
}
HistoryPanel& MainWindow::history() const {
    return panel<HistoryPanel>();
}
InspectorPanel& MainWindow::inspector() const {
    return panel<InspectorPanel>();
}
RooflinePanel& MainWindow::roofline() const {
    return panel<RooflinePanel>();
}
SamplesPanel& MainWindow::samples() const {
    return panel<SamplesPanel>();
}
StatisticsPage& MainWindow::statistics() const {
    return panel<StatisticsPage>();
}
TunePage& MainWindow::tuning() const {
    return panel<TunePage>();
}
VerdictPanel& MainWindow::verdict() const {
    return panel<VerdictPanel>();
}

void MainWindow::buildMiddle() {
    auto* middle = new QWidget;
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_notices); // below: a line that comes or goes moves no text
    setCentralWidget(middle);
}

void MainWindow::buildPanels() {
    const PanelSite site{m_workspace, m_theme, *m_actions, *m_editor, *m_docks, *m_state};
    m_state->addState(
        QStringLiteral("docks"), [this] { return m_docks->layout(); },
        [this](const QByteArray& state) { restoreState(state); });
    m_state->addState(
        QStringLiteral("dock_widths"), [this] { return m_docks->widths(); },
        [this](const QByteArray& state) { m_docks->restoreWidths(state); });
    for (const PageKind& kind : pageKinds())
        m_pages->add(kind, *kind.make(site));
    for (const PanelKind& kind : panelKinds())
        m_docks->add(kind, *kind.make(site));
    connect(m_docks, &Docks::changed, m_state, &WindowState::changedSoon);
    connect(m_state, &WindowState::firstStart, m_docks, &Docks::arrangeWidths);
    m_state->addState(
        QStringLiteral("editor"), [this] { return m_editor->saveState(); },
        [this](const QByteArray& state) { m_editor->restoreState(state); });
    connect(m_editor, &EditorArea::stateChanged, m_state, &WindowState::changedSoon);
    connect(m_editor, &EditorArea::stateChanged, m_actions, &Actions::refresh);
    connect(m_editor, &EditorArea::cursorMoved, m_status, &StatusLine::setCursor);
    connect(m_editor, &EditorArea::typingChanged, m_status, &StatusLine::setTyping);
}

/// In the order of the palette.
void MainWindow::addActions() {
    Workspace& w = m_workspace;
    auto& audit = m_docks->panel<AuditPage>();
    auto& hgemm = m_pages->page<HgemmPage>();
    const RunningWork::Background background{audit.desk(), m_pages->page<StatisticsPage>().desk(), hgemm.desk(),
                                             hgemm.laboratory().desk(), m_pages->page<TunePage>().desk()};
    auto* work = new RunningWork({w.trials(), w.archive(), w.exporter(), w.tidy(), w.toolkits()}, background, *m_status,
                                 *m_actions, this);
    new FileActions(w.bench(), {*m_actions, *m_editor, *m_opener, *m_recent}, *this);
    auto* edit = new EditActions(w.bench(), {w.cards(), w.toolkits(), w.kept()}, *m_editor, *m_actions, *this);
    auto* archives = new ArchiveActions(
        {w.archive(), w.exporter(), w.paths()},
        {*m_actions, m_docks->panel<ArchivePanel>(), *m_imports, *m_notices, *m_opener, *m_recent, *m_status}, *this);
    new ToolkitActions({w.toolkits(), w.compiler()}, {*m_actions, *m_notices, *m_status}, *this);
    new KernelActions(
        {w.bench(), w.assignment(), w.place(), w.trials(), w.archive(), w.tidy(), w.ncu(), w.settings(), w.runner()},
        m_theme, {*m_actions, *m_docks, *m_editor, *work}, *this);
    new ViewActions(w.bench(), {*m_actions, *m_palette, *m_docks, *m_editor, *m_pages, *m_focus}, this);
    auto* colours = new ThemeActions(m_theme, *m_docks, *m_state, *m_actions, *this);
    new AuditActions(audit, m_docks->panel<ArchivePanel>(), *m_docks, *m_actions, this);
    connect(&audit, &AuditPage::exportRequested, archives, &ArchiveActions::exportThese);
    auto* compare =
        new CompareActions({w.bench(), w.assignment(), w.session(), w.notices()},
                           {*m_actions, m_docks->panel<ArchivePanel>(), *m_pages, m_docks->panel<SessionDock>()}, this);
    new LikeActions({w.bench(), w.archive()}, {*m_actions, *m_docks, *compare}, this);
    new SuperoptActions({w.bench(), w.notices()}, {*m_actions, *m_editor, *m_pages}, *this);
    new TuneActions(m_pages->page<TunePage>(), *m_pages, *m_actions, this);
    new PageActions(*m_pages, *m_opener, *m_actions, *this);
    new StepActions({w.bench(), w.trials(), w.notices()}, *m_editor, m_docks->panel<StepsPanel>().walk(), *m_actions,
                    this);
    new TensorActions(
        {w.bench(), *m_docks, *m_editor, m_docks->panel<StepsPanel>().walk(), m_docks->panel<TensorPanel>()},
        *m_actions, this);
    auto* target = new TargetActions({w.place(), w.devices(), w.notices()}, *m_docks, *m_status, *m_actions, *this);
    new HelpActions(m_theme, {*m_actions, *m_docks, *m_pages}, *this);

    Menus menus(*this, *m_actions);
    menus.buildMenuBar({*m_recent, target->menu(), colours->menu()});
    menus.buildToolBar();
    edit->follow(menus.edit());
    m_state->addValue(
        QStringLiteral("recent"), [this] { return m_recent->saveValue(); },
        [this](const QJsonValue& value) { m_recent->restoreValue(value); });
    m_state->addValue(
        QStringLiteral("tabs"), [this] { return m_editor->tabs().saveValue(); },
        [this](const QJsonValue& value) { m_editor->tabs().restoreValue(value); });
    connect(m_recent, &RecentFiles::changed, m_state, &WindowState::changedSoon);
}

void MainWindow::followBench() {
    const auto follow = [this](auto& sender, auto signal) {
        connect(&sender, signal, this, &MainWindow::refreshTitle);
        connect(&sender, signal, m_actions, &Actions::refresh);
    };
    Bench& bench = m_workspace.bench();
    follow(bench, &Bench::kernelChanged);
    follow(bench, &Bench::sourceChanged);
    follow(m_workspace.archive(), &ArchiveDesk::changed);
    follow(m_workspace.assignment(), &Assignment::changed);
    follow(m_workspace.place(), &Place::changed);
    connect(&m_workspace.session(), &SessionDesk::changed, m_actions, &Actions::refresh);
    connect(&bench, &Bench::kernelChanged, m_state, &WindowState::changedSoon);
    connect(&m_workspace.archive(), &ArchiveDesk::changed, m_state, &WindowState::changedSoon);
    connect(&m_workspace.notices(), &Notices::posted, m_notices, &NoticeBar::show);
    connect(&bench, &Bench::kernelChanged, m_notices, &NoticeBar::settle);
    connect(&bench, &Bench::sourceChanged, m_notices, &NoticeBar::settleNews);
    Trials& trials = m_workspace.trials();
    connect(&trials, &Trials::busyChanged, m_notices, [this, &trials] {
        // What a page has assembled for itself is no answer to what was said before.
        if (!std::exchange(m_wasTrying, trials.isTrying()) && m_wasTrying) m_notices->settle();
    });
}

void MainWindow::refreshTitle() {
    const ArchiveDesk& desk = m_workspace.archive();
    const QString archive = desk.table() ? this->archive().archiveButton().nameOf(desk.path()) : QString();
    const Kernel& kernel = m_workspace.bench().kernel();
    if (kernel.isEmpty()) {
        setWindowTitle(archive.isEmpty() ? tr("Kernelarium") : tr("%1 – Kernelarium").arg(archive));
        return;
    }
    const QString task =
        kernel.task ? QStringLiteral(" (%1/%2)").arg(kernel.task->level).arg(kernel.task->task) : QString();
    setWindowTitle(tr("%1%2%3%4 – Kernelarium")
                       .arg(m_workspace.bench().isEdited() ? QStringLiteral("• ") : QString(), kernel.title, task,
                            archive.isEmpty() ? QString() : tr(" – %1").arg(archive)));
}

void MainWindow::openPaths(const QStringList& paths) {
    m_opener->open(paths);
}

bool MainWindow::isShowingPage() const {
    return m_pages->isShowing();
}

void MainWindow::restore() {
    m_state->restore();
    m_actions->refresh();
    m_imports->offerInterrupted();
}

bool MainWindow::focusNextPrevChild(bool next) {
    return m_focus->step(next) || QMainWindow::focusNextPrevChild(next);
}

} // namespace kernelarium::ui
