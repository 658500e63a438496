// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/MainWindow.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditPage.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/inspector/InspectorPanel.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/plots/LineagePanel.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/plots/SamplesPanel.h"
#include "ui/profiles/ProfilesPanel.h"
#include "ui/sessions/SessionDock.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/verdict/RunPanels.h"
#include "ui/verdict/VerdictPanel.h"
#include "ui/window/Actions.h"
#include "ui/window/CommandPalette.h"
#include "ui/window/EditorArea.h"
#include "ui/window/HelpPanel.h"
#include "ui/window/NoticeBar.h"
#include "ui/window/StatusLine.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>

namespace kernelarium::ui {

namespace {
constexpr int leastInspector = 280;
constexpr int leastLeft = 300;
constexpr int leastBelow = 440;
} // namespace

MainWindow::MainWindow(Workspace& workspace, Theme& theme, QWidget* parent)
    : QMainWindow(parent)
    , m_workspace(workspace)
    , m_theme(theme)
    , m_actions(new Actions(theme, this)) {
    setObjectName(QStringLiteral("kernelarium"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDocumentMode(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    m_titlePause.setSingleShot(true);
    m_titlePause.setInterval(0);
    connect(&m_titlePause, &QTimer::timeout, this, &MainWindow::refreshTitleBars);
    m_notices = new NoticeBar(theme);
    m_editorArea = new EditorArea(workspace, theme);
    buildMiddle();

    buildDocks();
    m_status = new StatusLine(workspace, theme);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addPermanentWidget(m_status, 1);
    m_palette = new CommandPalette(theme, this);

    addFileActions();
    addEditActions();
    addArchiveActions();
    addKernelActions();
    addViewActions();
    addThemeActions();
    addAuditActions();
    addPageActions();
    addStepActions();
    addTargetActions();
    addHelpActions();
    buildMenus();
    buildToolBar();
    connectWorkspace();
    connectArchive();
    connectSteps();
    defaultLayout();
    m_defaultState = QMainWindow::saveState();

    m_statePause.setSingleShot(true);
    m_statePause.setInterval(800);
    connect(&m_statePause, &QTimer::timeout, this, &MainWindow::saveState_);
    refreshTitle();
    m_actions->refresh();
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    dock->toggleViewAction()->setToolTip(tr("Show or hide the panel %1").arg(title));
    addDockWidget(area, dock);
    connect(dock, &QDockWidget::visibilityChanged, this, &MainWindow::stateChangedSoon);
    connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::stateChangedSoon);
    for (auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
        connect(dock, signal, &m_titlePause, qOverload<>(&QTimer::start));
    connect(dock, &QDockWidget::dockLocationChanged, &m_titlePause, qOverload<>(&QTimer::start));
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool visible) {
        // Whoever hides it may give the focus to something else yet.
        if (!visible)
            QMetaObject::invokeMethod(
                this, [this, dock] { leaveHidden(*dock); }, Qt::QueuedConnection);
    });
    m_docks.insert(name, dock);
    return dock;
}

void MainWindow::buildDocks() {
    m_archive = new ArchivePanel(m_workspace, m_theme);
    m_lessons = new LessonDesk(m_workspace, m_theme);
    m_audit = new AuditPage(m_workspace, m_theme);
    m_inspector = new InspectorPanel(m_workspace, m_theme);
    connect(m_inspector, &InspectorPanel::setupRequested, this, &MainWindow::setUpKernel);
    m_diagnostics = new DiagnosticsPanel(m_workspace, m_theme);
    m_verdict = new VerdictPanel(m_workspace, m_theme);
    connect(m_verdict, &VerdictPanel::setupRequested, this, &MainWindow::setUpKernel);
    m_output = new OutputPanel(m_workspace, m_theme);
    m_counters = new CountersPanel(m_workspace, m_theme);
    m_profiles = new ProfilesPanel(m_workspace, m_theme);
    m_steps = new StepsPanel(m_workspace, m_theme);
    m_history = new HistoryPanel(m_workspace, m_theme);
    m_lineage = new LineagePanel(m_workspace, m_theme);
    m_roofline = new RooflinePanel(m_workspace, m_theme);
    m_samples = new SamplesPanel(m_workspace, m_theme);
    m_session = new SessionDock(m_workspace, m_theme);
    m_help = new HelpPanel(m_theme);
    // Facts are read as they are; the archive's columns and filters can do with less than they ask for.
    m_inspector->setMinimumWidth(leastInspector);
    for (QWidget* left :
         {static_cast<QWidget*>(m_archive), static_cast<QWidget*>(m_lessons), static_cast<QWidget*>(m_audit)})
        left->setMinimumWidth(leastLeft);
    for (QWidget* below :
         {static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_session), static_cast<QWidget*>(m_verdict)})
        below->setMinimumWidth(leastBelow);
    addDock(QStringLiteral("archive"), tr("Archive"), m_archive, Qt::LeftDockWidgetArea);
    addDock(QStringLiteral("lessons"), tr("Lessons"), m_lessons, Qt::LeftDockWidgetArea);
    addDock(QStringLiteral("audit"), tr("Audit"), m_audit, Qt::LeftDockWidgetArea);
    addDock(QStringLiteral("inspector"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    addDock(QStringLiteral("help"), tr("Help"), m_help, Qt::RightDockWidgetArea);
    addDock(QStringLiteral("diagnostics"), tr("Diagnostics"), m_diagnostics, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("verdict"), tr("Verdict"), m_verdict, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("history"), tr("History"), m_history, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("samples"), tr("Samples"), m_samples, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("lineage"), tr("Lineage"), m_lineage, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("roofline"), tr("Roofline"), m_roofline, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("counters"), tr("Counters"), m_counters, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("profiles"), tr("Profiles"), m_profiles, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("steps"), tr("Steps"), m_steps, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("output"), tr("Output"), m_output, Qt::BottomDockWidgetArea);
    addDock(QStringLiteral("session"), tr("Session"), m_session, Qt::BottomDockWidgetArea);
    connect(m_diagnostics, &DiagnosticsPanel::titleChanged, m_docks[QStringLiteral("diagnostics")],
            &QDockWidget::setWindowTitle);
    connect(m_verdict, &VerdictPanel::titleChanged, m_docks[QStringLiteral("verdict")], &QDockWidget::setWindowTitle);
}

void MainWindow::defaultLayout() {
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const char* name : {"archive", "lessons", "audit"})
        addDockWidget(Qt::LeftDockWidgetArea, m_docks[QLatin1String(name)]);
    for (const char* name : {"inspector", "help"})
        addDockWidget(Qt::RightDockWidgetArea, m_docks[QLatin1String(name)]);
    const char* const bottom[] = {"diagnostics", "verdict",  "history", "samples", "lineage", "roofline",
                                  "counters",    "profiles", "steps",   "output",  "session"};
    for (const char* name : bottom)
        addDockWidget(Qt::BottomDockWidgetArea, m_docks[QLatin1String(name)]);
    for (const char* name : {"lessons", "audit"})
        tabifyDockWidget(m_docks[QStringLiteral("archive")], m_docks[QLatin1String(name)]);
    tabifyDockWidget(m_docks[QStringLiteral("inspector")], m_docks[QStringLiteral("help")]);
    for (std::size_t i = 1; i < std::size(bottom); ++i)
        tabifyDockWidget(m_docks[QLatin1String(bottom[0])], m_docks[QLatin1String(bottom[i])]);
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        dock->show();
    }
    for (const char* name : {"help", "samples"})
        m_docks[QLatin1String(name)]->hide(); // until there is something to show
    m_docks[QStringLiteral("archive")]->raise();
    m_docks[QStringLiteral("inspector")]->raise();
    m_docks[QStringLiteral("diagnostics")]->raise();
    arrangeWidths();
}

void MainWindow::refreshTitleBars() {
    // A tab says the panel's name already. A panel on its own, or afloat, has a title to drag it by.
    for (QDockWidget* dock : m_docks) {
        const bool tabbed = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        QWidget* before = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
        delete before;
    }
}

void MainWindow::showDock(const QString& name) {
    QDockWidget* dock = m_docks.value(name);
    if (!dock) return;
    if (waitsForBench(name)) {
        m_dockOnReturn = name;
        return;
    }
    dock->show();
    dock->raise();
}

void MainWindow::focusDock(const QString& name) {
    if (waitsForBench(name)) leavePage();
    showDock(name);
    QDockWidget* dock = m_docks.value(name);
    if (!dock) return;
    if (name == QLatin1String("archive")) {
        m_archive->focusTable();
        return;
    }
    QWidget* target = dock->widget();
    for (QWidget* child : target->findChildren<QWidget*>())
        if (child->isVisibleTo(target) && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
            target = child;
            break;
        }
    target->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::connectWorkspace() {
    const auto refresh = [this] {
        refreshTitle();
        m_actions->refresh();
    };
    connect(&m_workspace, &Workspace::kernelChanged, this, refresh);
    connect(&m_workspace, &Workspace::kernelChanged, this, &MainWindow::stateChangedSoon);
    connect(&m_workspace, &Workspace::sourceChanged, this, refresh);
    connect(&m_workspace, &Workspace::taskChanged, this, refresh);
    connect(&m_workspace, &Workspace::targetChanged, this, refresh);
    connect(&m_workspace, &Workspace::busyChanged, m_actions, &Actions::refresh);
    connect(&m_workspace, &Workspace::noticePosted, m_notices, &NoticeBar::show);
    connect(&m_workspace, &Workspace::kernelChanged, m_notices, &NoticeBar::settle);
    connect(&m_workspace, &Workspace::sourceChanged, m_notices, &NoticeBar::settleNews);
    connect(&m_workspace, &Workspace::busyChanged, this, [this] {
        if (!std::exchange(m_wasBusy, m_workspace.isBusy()) && m_wasBusy) m_notices->settle();
    });
    connect(&m_workspace.tidy(), &TidyDesk::changed, m_actions, &Actions::refresh);
    connect(&m_workspace.session(), &SessionDesk::changed, m_actions, &Actions::refresh);
    connect(&m_workspace.runner(), &RunDesk::verdictReady, this, [this] { showDock(QStringLiteral("verdict")); });
    connect(&m_workspace.runner(), &RunDesk::runChanged, this, [this] {
        if (m_workspace.runner().runState().stage == Stage::finished) showDock(QStringLiteral("output"));
    });
    connect(&m_workspace.runner(), &RunDesk::profileReady, this, [this] {
        // A lesson shows its own result.
        if (m_workspace.kernel().origin != Kernel::Origin::lesson) showDock(QStringLiteral("history"));
    });
    connect(m_editorArea, &EditorArea::cursorMoved, m_status, &StatusLine::setCursor);
    connect(m_editorArea, &EditorArea::filesDropped, this, [this](const QStringList& paths) { openPaths(paths); });
    connect(m_editorArea, &EditorArea::stateChanged, this, &MainWindow::stateChangedSoon);
    connect(m_editorArea, &EditorArea::stateChanged, m_actions, &Actions::refresh);
    connect(m_editorArea, &EditorArea::openRequested, this, &MainWindow::openFile);
    connect(m_editorArea, &EditorArea::lessonsRequested, this, [this] { focusDock(QStringLiteral("lessons")); });
    connect(m_session, &SessionDock::exportRequested, this, &MainWindow::exportReport);
    connect(m_session, &SessionDock::compareRequested, m_editorArea, &EditorArea::compareWith);
    connect(&m_workspace, &Workspace::attemptShown, m_editorArea, &EditorArea::compareWith);
    connect(m_history, &HistoryPanel::compareRequested, m_editorArea, &EditorArea::compareWith);
    connect(m_lineage, &LineagePanel::compareRequested, m_editorArea, &EditorArea::compareWithArchived);
    connect(m_history, &HistoryPanel::samplesRequested, this, [this](qint64 attempt) {
        m_samples->showAttempt(attempt);
        showDock(QStringLiteral("samples"));
    });
    connect(&m_workspace, &Workspace::timeKept, this, [this](qint64, bool inPairs) {
        showDock(inPairs ? QStringLiteral("samples") : QStringLiteral("history"));
    });
    connect(m_roofline, &RooflinePanel::compareRequested, m_editorArea, &EditorArea::compareWith);
    connect(m_lessons, &LessonDesk::dockRequested, this, &MainWindow::showDock);
    connect(m_audit, &AuditPage::openRequested, this, &MainWindow::openArchive);
    connect(m_audit, &AuditPage::stateChanged, this, &MainWindow::stateChangedSoon);
    connect(&m_audit->desk(), &AuditDesk::changed, this, [this] {
        const AuditState& state = m_audit->desk().state();
        m_status->setErrand(StatusLine::Errand::audit,
                            isBusy(state.stage) ? tr("Auditing: %1").arg(auditProgressText(state)) : QString(),
                            state.progress.total > 0 ? double(state.progress.done) / double(state.progress.total) : -1);
        m_actions->refresh();
    });
    connect(m_status, &StatusLine::cancelRequested, this, &MainWindow::cancelWork);
    connect(&m_workspace, &Workspace::judgedShown, this, [this] { showDock(QStringLiteral("verdict")); });
}

void MainWindow::refreshTitle() {
    const Kernel& kernel = m_workspace.kernel();
    if (kernel.isEmpty()) {
        setWindowTitle(tr("Kernelarium"));
        return;
    }
    const QString task =
        kernel.task ? QStringLiteral(" (%1/%2)").arg(kernel.task->level).arg(kernel.task->task) : QString();
    setWindowTitle(
        tr("%1%2%3 – Kernelarium").arg(m_workspace.isEdited() ? QStringLiteral("• ") : QString(), kernel.title, task));
}

void MainWindow::showEvent(QShowEvent* event) {
    if (!m_shownBefore) {
        m_shownBefore = true;
        if (m_workspace.session().value(QStringLiteral("window")).isEmpty()) {
            QSize size(1440, 900);
            // With its title bar it has to fit on the screen. Off screen there is none to fit on.
            if (QGuiApplication::platformName() != QLatin1String("offscreen"))
                size = size.boundedTo(screen()->availableGeometry().size() - QSize(16, 48));
            resize(size);
            arrangeWidths();
        }
    }
    QMainWindow::showEvent(event);
}

void MainWindow::arrangeWidths() {
    resizeDocks({m_docks[QStringLiteral("archive")], m_docks[QStringLiteral("inspector")]}, {440, 304}, Qt::Horizontal);
    resizeDocks({m_docks[QStringLiteral("diagnostics")]}, {288}, Qt::Vertical);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    openPaths(paths);
    event->acceptProposedAction();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    stateChangedSoon();
}

void MainWindow::moveEvent(QMoveEvent* event) {
    QMainWindow::moveEvent(event);
    stateChangedSoon();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState_();
    QMainWindow::closeEvent(event);
}

} // namespace kernelarium::ui
