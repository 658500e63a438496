// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/StepDesk.h"
#include "ui/theme/Theme.h"
#include "ui/verdict/VerdictModel.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace kernelarium::ui {

class ErrorMapView;
class Assignment;
class Bench;
class CardDesk;
class PastTrials;
class RunDesk;
class Trials;

/// What verification found out: the verdict in a word and a sentence, every check with its evidence, and where the
/// output is wrong.
class VerdictPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Trials& trials;
        PastTrials& past;
        RunDesk& runner;
        CardDesk& cards;
    };
    VerdictPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] VerdictModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& evidence() { return *m_tree; }
    [[nodiscard]] QPushButton& stepButton() { return *m_step; }
    [[nodiscard]] QString word() const;
    [[nodiscard]] QPushButton& offerButton() { return *m_emptyButton; }
    [[nodiscard]] QPushButton& earlierButton() { return *m_earlierButton; }
    [[nodiscard]] QString emptyText() const; ///< where there is no verdict

Q_SIGNALS:
    void titleChanged(const QString& title); ///< "Verdict ✓"
    /// An element of an output is to be looked into, by row-major number.
    void elementRequested(qulonglong output, qint64 element);
    void setupRequested(); ///< the user wants to say what the kernel is held against

private:
    void build();
    enum class Offer { verify, exportCard, setUp };
    void refresh();
    void refreshEmpty();
    void refreshButtons(bool earlier);
    [[nodiscard]] Offer offer() const;
    void act();
    void showVerdict();
    void showWhoseItIs(bool ofThisText);
    void copyReport();
    void activate(const QModelIndex& index);
    void explain(const QModelIndex& index);
    void refreshStep(const QModelIndex& index);
    void stepThrough();
    void showMenu(const QPoint& point);
    [[nodiscard]] QString sentence() const;

    Around m_with;
    Theme& m_theme;
    VerdictModel* m_model;
    QLabel* m_icon;
    QLabel* m_word;
    QLabel* m_sentence;
    QLabel* m_stale;
    QPushButton* m_jump;
    QPushButton* m_step; ///< through the fault in the current row, else the first
    QToolButton* m_copy;
    QTreeView* m_tree;
    QLabel* m_about; ///< what the current row is about
    ErrorMapView* m_map;
    QSplitter* m_split;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QPushButton* m_emptyButton;
    QPushButton* m_earlierButton;
    std::shared_ptr<const verify::Verdict> m_shown;
    int m_jumpLine = 0;
    std::optional<StepTarget> m_stepTarget;
};

} // namespace kernelarium::ui
