// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/archive/FilterBar.h"
#include "ui/archive/KernelTableModel.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace kernelarium::ui {

class ArchiveButton;
class KernelTableView;
class ArchiveDesk;
class Bench;
class Notices;
class SessionDesk;
class Trials;
class VerdictDesk;

/// The kernels of the open archive, or those on their way into one: search, filters, table. Choosing one puts it on the
/// bench.
class ArchivePanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        ArchiveDesk& archive;
        SessionDesk& session;
        VerdictDesk& verdicts;
        Notices& notices;
    };
    ArchivePanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void focusSearch();
    void focusTable();
    [[nodiscard]] FilterBar& filters() { return *m_filters; }
    [[nodiscard]] KernelTableView& table() { return *m_table; }
    [[nodiscard]] ArchiveButton& archiveButton() { return *m_archiveButton; }
    [[nodiscard]] KernelTableModel& model() { return *m_model; }
    [[nodiscard]] QString status() const;

    [[nodiscard]] bool hasChosen() const;
    [[nodiscard]] std::vector<std::int64_t> chosenKernels() const; ///< the selected ones' numbers in the archive
    [[nodiscard]] std::vector<std::int64_t> shownKernels() const;  ///< all that were found
    [[nodiscard]] std::vector<std::uint32_t> chosenRows() const;   ///< the selected ones' rows of the archive's table

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested();
    void getRequested(); ///< the button of the empty state
    void exportRequested(bool onlyChosen);
    void auditRequested();   ///< of the selected kernels
    void likeRequested();    ///< those that are like the selected one
    void compareRequested(); ///< of two selected ones, or of one with the kernel on the bench
    void stateChanged();
    void shownChanged(); ///< other rows are in the table, or chosen

private:
    void buildEmptyPage(QWidget* page);
    void connectTable();
    void archiveChanged();
    void query(bool again = false); ///< `again`: because verdicts have changed
    void takeVerdicts();
    void showFound(const ArchiveDesk::Answer& found);
    void refreshStatus(const ArchiveDesk::Found& found);
    void showNone();
    void showEmpty(const QString& text, const QString& button, const QString& tip);
    void followSelection();
    void rowChosen(const QModelIndex& index);
    void sortBy(int column, Qt::SortOrder order);
    void applySaved(const session::SavedSearch& search);

    Around m_with;
    Theme& m_theme;
    FilterBar* m_filters;
    KernelTableModel* m_model;
    KernelTableView* m_table;
    ArchiveButton* m_archiveButton;
    QLabel* m_status;
    QLabel* m_empty;
    QPushButton* m_emptyButton;
    QPushButton* m_eachButton; ///< looks for each word where the text as a whole is nowhere
    QStackedLayout* m_stack;
    QTimer m_soon;
    archive::SortColumn m_sort = archive::SortColumn::task;
    bool m_descending = false;
    bool m_following = false;
    bool m_asksForVerdicts = false; ///< what is shown depends on them
    bool m_keepsPlace = false;      ///< the same query once more: what is in view stays there
    QTimer m_verdictsSoon;
    QByteArray m_pendingFilters;
};

} // namespace kernelarium::ui
