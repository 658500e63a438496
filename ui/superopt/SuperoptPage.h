// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/ExplanationDesk.h"

#include <QTimer>
#include <QWidget>

class QPlainTextEdit;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace kernelarium::ui {

class Assignment;
class Bench;
class CandidatesView;
struct NewCandidate;
class EmptyState;
class FormulaView;
class GraphSearchView;
class OperatorGraphView;
class PageHead;
class Place;
class RewriteModel;
class SuperoptBar;
class SessionDesk;
class Theme;
class Trials;

/// How little work a task needs: the rewrites that algebra allows, what each is worth, and the formulas around it. It
/// follows the kernel on the bench and the target until others are chosen; nothing is searched while nobody looks.
class SuperoptPage : public QWidget {
    Q_OBJECT
public:
    /// What it observes; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Trials& trials;
        SessionDesk& session;
        QString graphs; ///< folder of the searches' stores
    };
    SuperoptPage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins

    /// The task that is chosen on the page; none: it follows the kernel on the bench.
    [[nodiscard]] std::optional<task::TaskKey> chosenTask() const;

    [[nodiscard]] SuperoptBar& bar() { return *m_bar; }
    [[nodiscard]] ExplanationDesk& desk() { return *m_desk; }
    [[nodiscard]] RewriteModel& model() { return *m_model; }
    [[nodiscard]] QTabWidget& parts() { return *m_parts; } ///< rewrites, candidates, search
    [[nodiscard]] CandidatesView& candidates() { return *m_candidates; }
    [[nodiscard]] GraphSearchView& search() { return *m_search; }
    [[nodiscard]] QTableView& rewrites() { return *m_rewrites; }
    [[nodiscard]] QPlainTextEdit& details() { return *m_details; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] FormulaView& formulasBefore() { return *m_formulasBefore; }
    [[nodiscard]] FormulaView& formulasAfter() { return *m_formulasAfter; }
    [[nodiscard]] OperatorGraphView& graphBefore() { return *m_graphBefore; }
    [[nodiscard]] OperatorGraphView& graphAfter() { return *m_graphAfter; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;
    /// What it shows is of the task as it is chosen now.
    [[nodiscard]] bool isSettled() const { return !m_pause.isActive() && !m_desk->isBusy(); }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void backRequested();
    void newRequested(); ///< a kernel for a task
    void putRequested(const NewCandidate& candidate);
    void setupRequested(); ///< of the kernel's task
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QWidget* buildBody();
    QWidget* buildRewrites();
    void refreshSoon();
    void ask();
    void hear();
    void showAnswer();
    void showNothing();
    void showRow(int row);
    void fillViews();
    [[nodiscard]] const perf::DeviceSpec* device() const;
    [[nodiscard]] QString workWords() const;

    Around m_with;
    Theme& m_theme;
    ExplanationDesk* m_desk;
    RewriteModel* m_model;
    PageHead* m_head;
    SuperoptBar* m_bar;
    QTabWidget* m_parts;
    CandidatesView* m_candidates;
    GraphSearchView* m_search;
    QTableView* m_rewrites;
    QPlainTextEdit* m_details;
    QTabWidget* m_views;
    FormulaView* m_formulasBefore;
    FormulaView* m_formulasAfter;
    OperatorGraphView* m_graphBefore;
    OperatorGraphView* m_graphAfter;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    std::vector<QSplitter*> m_sides; ///< of before and after
    QTimer m_pause;
    TaskExplanationPointer m_shown;
    int m_drawnRow = -1; ///< whose graphs are drawn
    bool m_isStale = true;
    void (SuperoptPage::*m_next)() = nullptr; ///< what the empty page's button asks for
};

} // namespace kernelarium::ui
