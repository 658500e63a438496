// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/CandidateDesk.h"

#include <QWidget>
#include <optional>

class QAction;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace kernelarium::ui {

/// A candidate that is to be put on the bench.
struct NewCandidate {
    std::shared_ptr<const task::Card> card;
    std::string name; ///< of the candidate
    std::string text;
};

class CandidateModel;
class CandidateOrder;
class EmptyState;
class OperatorGraphView;
class Theme;

/// The kernel files that could be written for a task, one beside another; of the chosen one its levels as a picture,
/// its evidence and its text. Nothing is listed while nobody looks.
class CandidatesView : public QWidget {
    Q_OBJECT
public:
    CandidatesView(SessionDesk& session, Theme& theme, QWidget* parent = nullptr);

    void setQuestion(std::optional<CandidateQuestion> question); ///< none: there is no task
    void readAttempts();                                         ///< trials found something

    [[nodiscard]] CandidateDesk& desk() { return *m_desk; }
    [[nodiscard]] CandidateModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] OperatorGraphView& levels() { return *m_levels; }
    [[nodiscard]] QPlainTextEdit& evidence() { return *m_evidence; }
    [[nodiscard]] QPlainTextEdit& text() { return *m_text; }
    [[nodiscard]] QPushButton& putButton() { return *m_put; }
    [[nodiscard]] QPushButton& proveButton() { return *m_prove; }
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString said() const; ///< beside the buttons
    /// The chosen one; null: none, or a refused one.
    [[nodiscard]] const superopt::Candidate* chosen() const;
    void choose(const std::string& candidate);
    void focusFirst();

Q_SIGNALS:
    void putRequested(const NewCandidate& candidate);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build(Theme& theme);
    QWidget* buildBar();
    void buildTable();
    void addActions();
    void askIfSeen();
    void ask();
    void hear();
    void hearFindings();
    void showList();
    void showNothing();
    void showChosen();
    void fillViews();
    void tellProgress();
    void put();
    void prove();
    [[nodiscard]] int chosenRow() const; ///< of the model
    [[nodiscard]] QString evidenceText() const;

    Theme& m_theme;
    CandidateDesk* m_desk;
    CandidateModel* m_model;
    CandidateOrder* m_order;
    QTableView* m_table;
    QTabWidget* m_views;
    OperatorGraphView* m_levels;
    QPlainTextEdit* m_evidence;
    QPlainTextEdit* m_text;
    QPushButton* m_put;
    QPushButton* m_prove;
    QPushButton* m_cancel;
    QLabel* m_said;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    std::optional<CandidateQuestion> m_question;
    CandidateListPointer m_shown;
    bool m_isStale = false;
    int m_drawn = -1; ///< the row whose levels are drawn
};

} // namespace kernelarium::ui
