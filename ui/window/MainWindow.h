// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/window/Docks.h"

#include <QMainWindow>

namespace kernelarium::ui {

class ArchivePanel;
class AuditPage;
class CommandPalette;
class DiagnosticsPanel;
class FocusOrder;
class HgemmPage;
class HistoryPanel;
class Imports;
class InspectorPanel;
class NoticeBar;
class Pages;
class PathOpener;
class RecentFiles;
class RooflinePanel;
class SamplesPanel;
class StatisticsPage;
class StatusLine;
class TunePage;
class VerdictPanel;

/// The window: a kernel's text or a page in the middle, panels around it, and every action. It puts the parts together
/// and does nothing by itself: panels and pages are rows of PanelTable, actions are groups by subject.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace& workspace() { return m_workspace; }
    [[nodiscard]] Theme& theme() { return m_theme; }
    [[nodiscard]] Actions& actions() { return *m_actions; }
    [[nodiscard]] EditorArea& editorArea() { return *m_editor; }
    [[nodiscard]] CommandPalette& palette() { return *m_palette; }
    [[nodiscard]] NoticeBar& notices() { return *m_notices; }
    [[nodiscard]] StatusLine& status() { return *m_status; }
    /// The panel or page of a type: there is one of each.
    template <class Panel> [[nodiscard]] Panel& panel() const { return *findChild<Panel*>(); }
    // The same for those that are asked for most.
    [[nodiscard]] ArchivePanel& archive() const;
    [[nodiscard]] AuditPage& audit() const;
    [[nodiscard]] DiagnosticsPanel& diagnostics() const;
    [[nodiscard]] HgemmPage& hgemm() const;
    [[nodiscard]] HistoryPanel& history() const;
    [[nodiscard]] InspectorPanel& inspector() const;
    [[nodiscard]] RooflinePanel& roofline() const;
    [[nodiscard]] SamplesPanel& samples() const;
    [[nodiscard]] StatisticsPage& statistics() const;
    [[nodiscard]] TunePage& tuning() const;
    [[nodiscard]] VerdictPanel& verdict() const;

    void showDock(const QString& name) { m_docks->show(name); }
    void openPath(const QString& path) { openPaths({path}); }
    void openPaths(const QStringList& paths); ///< as PathOpener does
    [[nodiscard]] bool isShowingPage() const; ///< in the editor's place

    /// Puts back what was remembered; call once the session is ready.
    void restore();

protected:
    bool focusNextPrevChild(bool next) override;

private:
    void buildMiddle();
    void buildPanels();
    void addActions();
    void followBench();
    void refreshTitle();

    Workspace& m_workspace;
    Theme& m_theme;
    Actions* m_actions;
    WindowState* m_state;
    NoticeBar* m_notices;
    EditorArea* m_editor;
    Docks* m_docks;
    Pages* m_pages;
    FocusOrder* m_focus;
    StatusLine* m_status;
    CommandPalette* m_palette;
    Imports* m_imports;
    RecentFiles* m_recent;
    PathOpener* m_opener;
    bool m_wasTrying = false;
};

} // namespace kernelarium::ui
