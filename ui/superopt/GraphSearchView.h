// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/CandidateDesk.h"
#include "ui/superopt/GraphSearchDesk.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace kernelarium::ui {

class EmptyState;
class FoundModel;
struct NewCandidate;
class OperatorGraphView;
class Theme;

/// Enumerating graphs for a task: how fast, what was pruned and why, what is open, the best so far, and what was found,
/// with what each rung of the ladder said; of the chosen graph its kernel file, with its levels as a picture. Nothing
/// is looked at while nobody looks, and nothing runs unasked.
class GraphSearchView : public QWidget {
    Q_OBJECT
public:
    /// `folder`: of the stores.
    GraphSearchView(const QString& folder, Theme& theme, QWidget* parent = nullptr);

    void setQuestion(std::optional<CandidateQuestion> question); ///< none: there is no task
    void focusFirst();

    [[nodiscard]] GraphSearchDesk& desk() { return *m_desk; }
    [[nodiscard]] FoundModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] QPlainTextEdit& account() { return *m_account; }
    [[nodiscard]] QPlainTextEdit& evidence() { return *m_evidence; }
    [[nodiscard]] OperatorGraphView& levels() { return *m_levels; }
    [[nodiscard]] QPlainTextEdit& text() { return *m_text; }
    [[nodiscard]] QPushButton& putButton() { return *m_put; }
    [[nodiscard]] QPushButton& startButton() { return *m_start; } ///< also Pause, Go on, Resume
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] QSpinBox& operators() { return *m_operators; }
    [[nodiscard]] QSpinBox& threads() { return *m_threads; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString said() const; ///< beside the buttons

Q_SIGNALS:
    void putRequested(const NewCandidate& candidate);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build(Theme& theme);
    QWidget* buildBar();
    void buildTable();
    void addActions();
    void lookIfSeen();
    void press();
    void refresh();
    void showFound();
    void showChosen();
    void hearFile();
    void fillViews();
    void showWritten(const kernelgen::Emitted& file);
    /// What is wanted of the chosen graph's file once it is written.
    enum class Wanted { nothing, put, copy };
    void want(Wanted what);
    [[nodiscard]] const superopt::FoundCandidate* chosen() const; ///< null: none
    [[nodiscard]] QString accountText() const;
    [[nodiscard]] QString saidText() const;

    GraphSearchDesk* m_desk;
    FoundModel* m_model;
    QTableView* m_table;
    QTabWidget* m_views;
    QPlainTextEdit* m_account;
    QPlainTextEdit* m_evidence;
    OperatorGraphView* m_levels;
    QPlainTextEdit* m_text;
    QPushButton* m_put;
    QSpinBox* m_operators;
    QSpinBox* m_threads;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QLabel* m_said;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    std::optional<CandidateQuestion> m_question;
    bool m_isStale = false;
    Wanted m_wanted = Wanted::nothing;
    std::string m_wantedOf; ///< the graph
    std::string m_drawn;    ///< the graph whose levels are drawn
};

} // namespace kernelarium::ui
