// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/PanelTable.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/audit/AuditPage.h"
#include "ui/compare/ComparePage.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/hgemm/LaboratoryView.h"
#include "ui/inspector/InspectorPanel.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/occupancy/OccupancyPage.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/plots/LineagePanel.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/plots/SamplesPanel.h"
#include "ui/profiles/ProfilesPanel.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/sessions/SessionDock.h"
#include "ui/similar/LikePanel.h"
#include "ui/source/EditorArea.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/tuning/TunePage.h"
#include "ui/verdict/RunPanels.h"
#include "ui/verdict/VerdictPanel.h"
#include "ui/window/Docks.h"
#include "ui/window/WindowState.h"
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

namespace {

/// Calls an action when a panel asks for it, also where it cannot be chosen just now: it says why.
template <class Panel, class Signal>
void runWhen(Panel* panel, Signal signal, const PanelSite& site, const QString& action) {
    QObject::connect(panel, signal, &site.actions, [&actions = site.actions, action] { actions.run(action); });
}

/// Brings a panel to the front when something happens.
template <class Sender, class Signal>
void showWhen(Sender& sender, Signal signal, const PanelSite& site, const QString& name) {
    QObject::connect(&sender, signal, &site.docks, [&docks = site.docks, name] { docks.show(name); });
}

template <class Panel> void keepState(Panel* panel, const PanelSite& site, const QString& key) {
    site.state.addState(
        key, [panel] { return panel->saveState(); }, [panel](const QByteArray& state) { panel->restoreState(state); });
    QObject::connect(panel, &Panel::stateChanged, &site.state, &WindowState::changedSoon);
}

QWidget* makeArchive(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new ArchivePanel({w.bench(), w.trials(), w.archive(), w.session(), w.verdicts(), w.notices()}, site.theme);
    runWhen(panel, &ArchivePanel::openRequested, site, QStringLiteral("archive.open"));
    runWhen(panel, &ArchivePanel::getRequested, site, QStringLiteral("archive.get"));
    QObject::connect(panel, &ArchivePanel::exportRequested, &site.actions, [&actions = site.actions](bool onlyChosen) {
        actions.run(onlyChosen ? QStringLiteral("archive.exportChosen") : QStringLiteral("archive.exportShown"));
    });
    QObject::connect(panel, &ArchivePanel::shownChanged, &site.actions, &Actions::refreshSoon);
    keepState(panel, site, QStringLiteral("archive_panel"));
    // Return on a kernel that was judged before brings its evidence, which is there to be read.
    QObject::connect(&panel->table(), &QAbstractItemView::activated, panel, [&w, &docks = site.docks] {
        if (!w.past().earlier() || w.runner().verifyState().stage != Stage::idle) return;
        w.past().showEarlier();
        docks.show(QStringLiteral("verdict"));
    });
    return panel;
}

void focusArchive(QWidget& panel) {
    static_cast<ArchivePanel&>(panel).focusTable();
}

QWidget* makeLessons(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new LessonDesk({w.bench(), w.trials(), w.runner(), w.session(), w.settings()}, site.theme);
    QObject::connect(panel, &LessonDesk::dockRequested, &site.docks, &Docks::show);
    QObject::connect(panel, &LessonDesk::comparisonRequested, &site.editor, &EditorArea::compareWithText);
    return panel;
}

QWidget* makeAudit(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new AuditPage({w.past(), w.archive(), w.verdicts(), w.notices(), w.paths()}, site.theme);
    runWhen(panel, &AuditPage::openRequested, site, QStringLiteral("archive.open"));
    keepState(panel, site, QStringLiteral("audit_page"));
    return panel;
}

QWidget* makeInspector(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new InspectorPanel({w.bench(), w.assignment(), w.past(), w.standing(), w.runner(), w.cards()}, site.theme);
    runWhen(panel, &InspectorPanel::setupRequested, site, QStringLiteral("kernel.setup"));
    return panel;
}

QWidget* makeHelp(const PanelSite& site) {
    return new HelpPanel(site.theme);
}

QWidget* makeDiagnostics(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new DiagnosticsPanel({w.bench(), w.compiler(), w.tidy()}, site.theme);
    QObject::connect(panel, &DiagnosticsPanel::titleChanged, &site.docks, [&docks = site.docks](const QString& title) {
        docks.setTitle(QStringLiteral("diagnostics"), title);
    });
    return panel;
}

QWidget* makeVerdict(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new VerdictPanel({w.bench(), w.assignment(), w.trials(), w.past(), w.runner(), w.cards()}, site.theme);
    runWhen(panel, &VerdictPanel::setupRequested, site, QStringLiteral("kernel.setup"));
    QObject::connect(panel, &VerdictPanel::elementRequested, &site.docks,
                     [&docks = site.docks](qulonglong output, qint64 element) {
                         docks.show(QStringLiteral("tensors"));
                         docks.panel<TensorPanel>().showElement(std::size_t(output), element);
                     });
    QObject::connect(panel, &VerdictPanel::titleChanged, &site.docks,
                     [&docks = site.docks](const QString& title) { docks.setTitle(QStringLiteral("verdict"), title); });
    showWhen(w.runner(), &RunDesk::verdictReady, site, QStringLiteral("verdict"));
    showWhen(w.past(), &PastTrials::judgedShown, site, QStringLiteral("verdict"));
    return panel;
}

QWidget* makeHistory(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new HistoryPanel({w.bench(), w.trials(), w.past(), w.session(), w.verdicts(), w.notices()}, site.theme);
    QObject::connect(panel, &HistoryPanel::compareRequested, &site.editor, &EditorArea::compareWith);
    QObject::connect(panel, &HistoryPanel::samplesRequested, &site.docks, [&docks = site.docks](qint64 attempt) {
        docks.panel<SamplesPanel>().showAttempt(attempt);
        docks.show(QStringLiteral("samples"));
    });
    QObject::connect(&w.runner(), &RunDesk::profileReady, &site.docks, [&docks = site.docks, &bench = w.bench()] {
        // A lesson shows its own result.
        if (bench.kernel().origin != Kernel::Origin::lesson) docks.show(QStringLiteral("history"));
    });
    QObject::connect(&w.trials(), &Trials::timeKept, &site.docks, [&docks = site.docks](qint64, bool inPairs) {
        docks.show(inPairs ? QStringLiteral("samples") : QStringLiteral("history"));
    });
    return panel;
}

QWidget* makeLineage(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new LineagePanel({w.bench(), w.assignment(), w.archive(), w.past(), w.verdicts(), w.notices()}, site.theme);
    QObject::connect(panel, &LineagePanel::compareRequested, &site.editor, &EditorArea::compareWithArchived);
    QObject::connect(panel, &LineagePanel::attemptCompareRequested, &site.editor, &EditorArea::compareWith);
    return panel;
}

QWidget* makeSimilar(const PanelSite& site) {
    Workspace& w = site.workspace;
    return new LikePanel({w.bench(), w.assignment(), w.archive(), w.verdicts(), w.likes()}, site.theme);
}

QWidget* makeRoofline(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new RooflinePanel({w.bench(), w.assignment(), w.place(), w.trials(), w.past(), w.devices(),
                                     w.session(), w.profiles(), w.notices()},
                                    site.theme);
    QObject::connect(panel, &RooflinePanel::compareRequested, &site.editor, &EditorArea::compareWith);
    return panel;
}

QWidget* makeSteps(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new StepsPanel({w.bench(), w.trials(), w.stepper()}, site.theme);
    QObject::connect(&panel->walk(), &StepWalk::moved, &site.actions, &Actions::refresh);
    QObject::connect(&w.stepper(), &StepDesk::changed, &site.docks, [&docks = site.docks, &stepper = w.stepper()] {
        if (stepper.isBusy()) docks.show(QStringLiteral("steps"));
    });
    return panel;
}

QWidget* makeTensors(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new TensorPanel({w.bench(), w.trials(), w.tensors()}, site.theme);
    QObject::connect(&w.tensors(), &TensorDesk::opened, &site.docks, [&docks = site.docks, &desk = w.tensors()] {
        if (desk.isOpen()) docks.show(QStringLiteral("tensors"));
    });
    return panel;
}

QWidget* makeOutput(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel = new OutputPanel({w.bench(), w.runner(), w.trials()}, site.theme);
    QObject::connect(&w.runner(), &RunDesk::runChanged, &site.docks, [&docks = site.docks, &runner = w.runner()] {
        if (runner.runState().stage == Stage::finished) docks.show(QStringLiteral("output"));
    });
    return panel;
}

QWidget* makeSession(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* panel =
        new SessionDock({w.bench(), w.trials(), w.past(), w.session(), w.notices(), w.paths().sweeps()}, site.theme);
    QObject::connect(panel, &SessionDock::exportRequested, panel, [panel, &docks = site.docks](const QString& path) {
        panel->exportTo(path, &docks.panel<HistoryPanel>(), &docks.panel<RooflinePanel>());
    });
    return panel;
}

QWidget* makeSamples(const PanelSite& site) {
    Workspace& w = site.workspace;
    return new SamplesPanel({w.trials(), w.past(), w.session(), w.notices()}, site.theme);
}

QWidget* makeCounters(const PanelSite& site) {
    Workspace& w = site.workspace;
    return new CountersPanel({w.bench(), w.runner(), w.trials(), w.heat()}, site.theme);
}

QWidget* makeProfiles(const PanelSite& site) {
    Workspace& w = site.workspace;
    return new ProfilesPanel({w.bench(), w.trials(), w.runner(), w.profiles(), w.ncu(), w.notices(), w.settings()},
                             site.theme);
}

QWidget* makeStatistics(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new StatisticsPage({w.past(), w.archive(), w.verdicts(), w.notices()}, site.theme);
    runWhen(page, &StatisticsPage::openRequested, site, QStringLiteral("archive.open"));
    QObject::connect(page, &StatisticsPage::searchRequested, &site.docks, [&docks = site.docks](const QString& typed) {
        docks.show(QStringLiteral("archive"));
        docks.panel<ArchivePanel>().filters().setSearch(typed);
    });
    runWhen(page, &StatisticsPage::backRequested, site, QStringLiteral("go.editor"));
    keepState(page, site, QStringLiteral("statistics_page"));
    return page;
}

QWidget* makeHgemm(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new HgemmPage({w.runner().child(), w.devices(), w.place()}, w.notices(), w.paths(), site.theme);
    runWhen(page, &HgemmPage::openRequested, site, QStringLiteral("hgemm.open"));
    runWhen(page, &HgemmPage::backRequested, site, QStringLiteral("go.editor"));
    keepState(page, site, QStringLiteral("hgemm_page"));
    return page;
}

QWidget* makeTune(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new TunePage({w.bench(), w.assignment(), w.place(), w.notices(), w.paths()}, site.theme);
    runWhen(page, &TunePage::backRequested, site, QStringLiteral("go.editor"));
    runWhen(page, &TunePage::helpRequested, site, QStringLiteral("help.panel"));
    keepState(page, site, QStringLiteral("tune_page"));
    return page;
}

QWidget* makeCompare(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new ComparePage({w.bench(), w.archive(), w.place(), w.paths()}, site.theme);
    runWhen(page, &ComparePage::backRequested, site, QStringLiteral("go.editor"));
    runWhen(page, &ComparePage::chooseRequested, site, QStringLiteral("go.archive"));
    return page;
}

QWidget* makeOccupancy(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new OccupancyPage({w.bench(), w.compiler(), w.runner(), w.place()}, site.theme);
    runWhen(page, &OccupancyPage::backRequested, site, QStringLiteral("go.editor"));
    runWhen(page, &OccupancyPage::chooseRequested, site, QStringLiteral("go.archive"));
    runWhen(page, &OccupancyPage::countRequested, site, QStringLiteral("kernel.model"));
    return page;
}

QWidget* makeSuperopt(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new SuperoptPage({w.bench(), w.assignment(), w.place(), w.trials(), w.session(),
                                   w.paths().dataFolder + QStringLiteral("/graphs")},
                                  site.theme);
    runWhen(page, &SuperoptPage::backRequested, site, QStringLiteral("go.editor"));
    runWhen(page, &SuperoptPage::setupRequested, site, QStringLiteral("kernel.setup"));
    keepState(page, site, QStringLiteral("superopt_page"));
    return page;
}

QWidget* makeSchedule(const PanelSite& site) {
    Workspace& w = site.workspace;
    auto* page = new SchedulePage({w.bench(), w.assignment(), w.place(), w.compiler(), w.session(), w.notices(),
                                   w.paths().program, w.paths().dataFolder + QStringLiteral("/schedules")},
                                  site.theme);
    runWhen(page, &SchedulePage::backRequested, site, QStringLiteral("go.editor"));
    runWhen(page, &SchedulePage::chooseRequested, site, QStringLiteral("go.archive"));
    keepState(page, site, QStringLiteral("schedule_page"));
    return page;
}

template <class Page> void focusFirstOf(QWidget& page) {
    static_cast<Page&>(page).focusFirst();
}

// Facts are read as they are; the archive's columns and filters can do with less than they ask for.
constexpr int factsWidth = 240, leftWidth = 240, belowWidth = 360;
constexpr auto atLeft = Qt::LeftDockWidgetArea, atRight = Qt::RightDockWidgetArea, atBottom = Qt::BottomDockWidgetArea;

} // namespace

#define PANEL_TEXT(text) QT_TRANSLATE_NOOP("Panels", text)

const std::vector<PanelKind>& panelKinds() {
    // clang-format off
    static const std::vector<PanelKind> kinds{
        {"archive", PANEL_TEXT("Archive"), PANEL_TEXT("Archive"), "archive", Qt::Key_1, atLeft, leftWidth, false, makeArchive, focusArchive},
        {"lessons", PANEL_TEXT("Lessons"), PANEL_TEXT("Lessons"), "lesson", Qt::Key_2, atLeft, leftWidth, false, makeLessons},
        {"audit", PANEL_TEXT("Audit"), PANEL_TEXT("Audit"), "verified", Qt::Key_U, atLeft, leftWidth, false, makeAudit},
        {"inspector", PANEL_TEXT("Inspector"), PANEL_TEXT("Inspector"), "info", Qt::Key_3, atRight, factsWidth, false, makeInspector},
        {"help", PANEL_TEXT("Help"), PANEL_TEXT("Help"), "help", Qt::Key_unknown, atRight, 0, true, makeHelp},
        {"diagnostics", PANEL_TEXT("Diagnostics"), PANEL_TEXT("Diagnostics"), "compile", Qt::Key_4, atBottom, 0, false, makeDiagnostics},
        {"verdict", PANEL_TEXT("Verdict"), PANEL_TEXT("Verdict"), "verify", Qt::Key_5, atBottom, belowWidth, false, makeVerdict},
        {"history", PANEL_TEXT("History"), PANEL_TEXT("Timing history"), "history", Qt::Key_6, atBottom, 0, false, makeHistory},
        {"samples", PANEL_TEXT("Samples"), PANEL_TEXT("Samples"), "time", Qt::Key_F7, atBottom, 0, true, makeSamples},
        {"lineage", PANEL_TEXT("Lineage"), PANEL_TEXT("Lineage"), "graph", Qt::Key_L, atBottom, 0, false, makeLineage},
        {"similar", PANEL_TEXT("Similar"), PANEL_TEXT("Similar kernels"), "graph", Qt::Key_I, atBottom, 0, true, makeSimilar, focusFirstOf<LikePanel>},
        {"roofline", PANEL_TEXT("Roofline"), PANEL_TEXT("Roofline"), "roofline", Qt::Key_7, atBottom, 0, false, makeRoofline},
        {"counters", PANEL_TEXT("Counters"), PANEL_TEXT("Counters"), "counters", Qt::Key_8, atBottom, 0, false, makeCounters},
        {"profiles", PANEL_TEXT("Profiles"), PANEL_TEXT("Profiles"), "device", Qt::Key_O, atBottom, 0, false, makeProfiles},
        {"steps", PANEL_TEXT("Steps"), PANEL_TEXT("Steps"), "next", Qt::Key_F6, atBottom, belowWidth, false, makeSteps},
        {"tensors", PANEL_TEXT("Tensors"), PANEL_TEXT("Tensors"), "heatmap", Qt::Key_F8, atBottom, belowWidth, false, makeTensors},
        {"output", PANEL_TEXT("Output"), PANEL_TEXT("Output"), "run", Qt::Key_F5, atBottom, 0, false, makeOutput},
        {"session", PANEL_TEXT("Session"), PANEL_TEXT("Session"), "session", Qt::Key_9, atBottom, belowWidth, false, makeSession},
    };
    // clang-format on
    return kinds;
}

const std::vector<PageKind>& pageKinds() {
    static const std::vector<PageKind> kinds{
        {"statistics", PANEL_TEXT("S&tatistics"),
         PANEL_TEXT("What the archive says about itself, in numbers and charts"), "statistics", Qt::Key_T, "archive",
         makeStatistics, focusFirstOf<StatisticsPage>},
        {"hgemm", PANEL_TEXT("HGE&MM results"), PANEL_TEXT("Published results of half-precision matrix multiplication"),
         "heatmap", Qt::Key_M, "", makeHgemm, focusFirstOf<HgemmPage>},
        {"tune", PANEL_TEXT("Tu&ne"), PANEL_TEXT("Try the values that marks in the kernel's text allow"), "tune",
         Qt::Key_N, "", makeTune, focusFirstOf<TunePage>},
        {"compare", PANEL_TEXT("Compare"), PANEL_TEXT("Two kernels side by side: text, PTX, counters and times"),
         "diff", Qt::Key_B, "archive", makeCompare, focusFirstOf<ComparePage>},
        {"occupancy", PANEL_TEXT("Occupanc&y"),
         PANEL_TEXT("How many blocks a multiprocessor holds, what limits them and what other numbers would do"),
         "occupancy", Qt::Key_Y, "", makeOccupancy, focusFirstOf<OccupancyPage>},
        {"superoptimize", PANEL_TEXT("Superoptimi&ze"),
         PANEL_TEXT("How little work the task needs: what algebra allows, step by step, and the least time"),
         "superoptimize", Qt::Key_Z, "", makeSuperopt, focusFirstOf<SuperoptPage>},
        {"schedule", PANEL_TEXT("Sche&dule"),
         PANEL_TEXT(
             "Search for another order of the kernel's native instructions: what to expect, and what came of it"),
         "compile", Qt::Key_D, "", makeSchedule, focusFirstOf<SchedulePage>},
    };
    return kinds;
}

#undef PANEL_TEXT

} // namespace kernelarium::ui
