// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/workspace/Workspace.h"

#include <QMainWindow>
#include <QTimer>
#include <memory>

class QDockWidget;
class QMenu;
class QStackedWidget;

namespace kernelarium::ui {

class Actions;
class ArchivePanel;
class AuditPage;
class CommandPalette;
class DiagnosticsPanel;
class EditorArea;
class HelpPanel;
class HgemmPage;
class HistoryPanel;
class InspectorPanel;
class LessonDesk;
class LineagePanel;
class CountersPanel;
class NoticeBar;
class OutputPanel;
class DeviceDialog;
class ProfilesPanel;
class RooflinePanel;
class SamplesPanel;
class SessionDock;
class StatisticsPage;
class StatusLine;
class StepsPanel;
class TargetMenu;
class VerdictPanel;

/// The window: Explore in the middle, panels around it, and every action.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace& workspace() { return m_workspace; }
    [[nodiscard]] Theme& theme() { return m_theme; }
    [[nodiscard]] Actions& actions() { return *m_actions; }
    [[nodiscard]] ArchivePanel& archive() { return *m_archive; }
    [[nodiscard]] EditorArea& editorArea() { return *m_editorArea; }
    [[nodiscard]] DiagnosticsPanel& diagnostics() { return *m_diagnostics; }
    [[nodiscard]] VerdictPanel& verdict() { return *m_verdict; }
    [[nodiscard]] OutputPanel& output() { return *m_output; }
    [[nodiscard]] CountersPanel& counters() { return *m_counters; }
    [[nodiscard]] ProfilesPanel& profiles() { return *m_profiles; }
    [[nodiscard]] StepsPanel& steps() { return *m_steps; }
    [[nodiscard]] InspectorPanel& inspector() { return *m_inspector; }
    [[nodiscard]] HistoryPanel& history() { return *m_history; }
    [[nodiscard]] LineagePanel& lineage() { return *m_lineage; }
    [[nodiscard]] RooflinePanel& roofline() { return *m_roofline; }
    [[nodiscard]] SamplesPanel& samples() { return *m_samples; }
    [[nodiscard]] SessionDock& session() { return *m_session; }
    [[nodiscard]] LessonDesk& lessons() { return *m_lessons; }
    [[nodiscard]] AuditPage& audit() { return *m_audit; }
    [[nodiscard]] StatisticsPage& statistics() { return *m_statistics; }
    [[nodiscard]] HgemmPage& hgemm() { return *m_hgemm; }
    [[nodiscard]] CommandPalette& palette() { return *m_palette; }
    [[nodiscard]] NoticeBar& notices() { return *m_notices; }
    [[nodiscard]] StatusLine& status() { return *m_status; }

    /// Brings a dock to the front: "archive", "lessons", "audit", "inspector", "diagnostics", "verdict", "history",
    /// "roofline", "samples", "session".
    void showDock(const QString& name);
    void openPath(const QString& path) { openPaths({path}); }
    /// .cu, .sqlite, rows to be imported together (.parquet, .jsonl), and HGEMM tables (.csv), of which all are taken
    /// or none.
    void openPaths(const QStringList& paths);
    /// Whether statistics() or hgemm() stands in the editor's place.
    [[nodiscard]] bool isShowingPage() const;
    void leavePage(); ///< back to the editor and the panels around it

    static QStringList rememberedKeys(); ///< values of the session file that this class reads and writes
    /// Puts back what was remembered; call once the session is ready.
    void restore();

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    /// Tab goes by regions: tool bar, left, middle, below, right, status; and only to what can be seen.
    bool focusNextPrevChild(bool next) override;

private:
    void buildMiddle();
    void buildDocks();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void defaultLayout();
    void arrangeWidths();
    void refreshTitleBars();
    [[nodiscard]] int regionOf(const QWidget& widget) const;
    [[nodiscard]] int regionOf(Qt::DockWidgetArea area) const;
    [[nodiscard]] bool isInFront(const QDockWidget& dock) const;
    [[nodiscard]] QWidget* tabBarOf(QDockWidget& dock) const;
    [[nodiscard]] QList<QWidget*> stops() const;
    void leaveHidden(QDockWidget& dock);
    void addFileActions();
    void addArchiveActions();
    void addKernelActions();
    void addViewActions();
    void addAuditActions();
    void addPageActions();
    void showPage(QWidget* page);
    [[nodiscard]] bool waitsForBench(const QString& dock) const;
    void tellStatistics();
    void openTables();
    void importTables(const QStringList& files);
    void addStepActions();
    void connectSteps();
    void addTargetActions();
    void addMachine();
    void showDevice();
    void chooseRate();
    void addHelpActions();
    void cancelWork();
    void buildMenus();
    void buildToolBar();
    void connectWorkspace();
    void connectArchive();
    void refreshTitle();
    void refreshRecent();
    void remember(const QString& path);

    void openArchive();
    void importRows();
    void importFiles(const QStringList& inputs, const QString& database);
    void offerInterruptedImport();
    void getArchive();
    void exportKernels(bool onlyChosen);
    [[nodiscard]] QString importObstacle() const;
    void openFile();
    void saveFile();
    void saveFileAs();
    void newKernel();
    void setUpKernel();
    void editPreferences();
    void exportReport(const QString& path);
    void explainPanel();
    void chooseTheme(Theme::Choice choice);
    void addEditActions();
    void addThemeActions();
    void buildEditMenu(QMenu* menu);
    void buildThemeMenu(QMenu& view);
    [[nodiscard]] QWidget* editTarget(const char* slot) const;
    [[nodiscard]] QString shortcutList() const;
    void focusDock(const QString& name);

    void stateChangedSoon();
    void saveState_();

    Workspace& m_workspace;
    Theme& m_theme;
    Actions* m_actions;
    ArchivePanel* m_archive = nullptr;
    EditorArea* m_editorArea = nullptr;
    DiagnosticsPanel* m_diagnostics = nullptr;
    VerdictPanel* m_verdict = nullptr;
    OutputPanel* m_output = nullptr;
    CountersPanel* m_counters = nullptr;
    ProfilesPanel* m_profiles = nullptr;
    StepsPanel* m_steps = nullptr;
    InspectorPanel* m_inspector = nullptr;
    HistoryPanel* m_history = nullptr;
    LineagePanel* m_lineage = nullptr;
    RooflinePanel* m_roofline = nullptr;
    SamplesPanel* m_samples = nullptr;
    SessionDock* m_session = nullptr;
    TargetMenu* m_targetMenu = nullptr;
    DeviceDialog* m_device = nullptr; ///< made when it is first asked for
    LessonDesk* m_lessons = nullptr;
    AuditPage* m_audit = nullptr;
    StatisticsPage* m_statistics = nullptr;
    HgemmPage* m_hgemm = nullptr;
    QStackedWidget* m_middle = nullptr;
    CommandPalette* m_palette = nullptr;
    NoticeBar* m_notices = nullptr;
    StatusLine* m_status = nullptr;
    HelpPanel* m_help = nullptr;
    QMenu* m_recentMenu = nullptr;
    QHash<QString, QDockWidget*> m_docks;
    QStringList m_recent;
    QByteArray m_defaultState;
    QByteArray m_benchState;           ///< of the docks, while a page stands in the editor's place
    QList<QDockWidget*> m_dockBesides; ///< those at the left that HGEMM results hide
    QString m_dockOnReturn;            ///< a panel that is to be in front then
    QTimer m_statePause;
    QTimer m_titlePause;
    bool m_restoring = false;
    bool m_shownBefore = false;
    bool m_wasBusy = false;
    int m_freshCount = 0;
};

} // namespace kernelarium::ui
