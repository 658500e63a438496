// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/similar/AlikeModel.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace kernelarium::ui {

class ElidedLabel;
class ArchiveDesk;
class Assignment;
class Bench;
class EmptyState;
class VerdictDesk;

/// Kernels like one: the archive's, with similar code or the same operators, verified and faster ones first. Return
/// opens one; one can be put beside the text on the bench, where its changes can be taken.
class LikePanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        ArchiveDesk& archive;
        VerdictDesk& verdicts;
        LikeDesk& desk;
    };
    LikePanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    /// Finds those that are like the text on the bench, or like a kernel of the open archive by its number.
    void findLikeBench();
    void findLikeArchived(qint64 id);
    void focusFirst(); ///< where the keyboard begins

    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] AlikeModel& model() { return *m_model; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QComboBox& by() { return *m_by; }
    [[nodiscard]] QComboBox& order() { return *m_order; }
    [[nodiscard]] QCheckBox& otherTasks() { return *m_otherTasks; }
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] QString status() const;

Q_SIGNALS:
    void findRequested();              ///< the button of the empty state: for the kernel on the bench
    void archiveRequested();           ///< likewise, where no archive is open
    void compareRequested(qint64 row); ///< with the text on the bench

private:
    enum By { codeOrOperators, codeOnly, operatorsOnly };
    QWidget* makeBar();
    void buildTable();
    void buildActions();
    void ask();
    void archiveChanged();
    void refresh();
    void showEmpty(const QString& title, const QString& sentence, const QString& button = {}, const QString& tip = {});
    void refreshActions();
    [[nodiscard]] QString summaryOf(const LikeAnswer& answer) const;
    [[nodiscard]] qint64 current() const; ///< the kernel's number; 0: none
    void open();

    Around m_with;
    Theme& m_theme;
    AlikeModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    ElidedLabel* m_status;
    QComboBox* m_by;
    QComboBox* m_order;
    QCheckBox* m_otherTasks;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QAction* m_open;
    QAction* m_compare;
    QAction* m_like;
    bool m_leadsFocus = false;    ///< to the kernels, once they are there
    LikeQuestion m_question;      ///< the newest; without archive: there is none
    bool m_offersArchive = false; ///< what the empty state's button does
};

} // namespace kernelarium::ui
