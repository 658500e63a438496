// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/audit/AuditDesk.h"
#include "ui/audit/AuditModel.h"
#include "ui/theme/Theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTableView;

namespace kernelarium::ui {

class AuditBar;
class AuditFilter;
class EmptyState;
class FacetTree;
class ArchiveDesk;
class Notices;
class PastTrials;
class VerdictDesk;
struct WorkspacePaths;

/// The audit of an archive: the share of its claims that stands, the audit that runs with its progress, and every
/// kernel that was judged with what the archive says of it.
class AuditPage : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        PastTrials& past;
        ArchiveDesk& archive;
        VerdictDesk& verdicts;
        Notices& notices;
        const WorkspacePaths& paths;
    };
    AuditPage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void start(bool onlyShown); ///< the whole archive, or what the Archive panel shows
    /// These rows of the archive's table; `again`: also those that have an up-to-date verdict.
    void startRows(std::vector<std::uint32_t> rows, bool again = false);
    void pause() { m_desk->pause(); }
    /// Why it cannot be started now; empty when it can.
    [[nodiscard]] QString obstacle(bool onlyShown) const;
    [[nodiscard]] QString obstacle() const; ///< likewise, whatever the rows are

    [[nodiscard]] AuditDesk& desk() { return *m_desk; }
    [[nodiscard]] AuditBar& bar() { return *m_bar; }
    [[nodiscard]] AuditModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] FacetTree& facets() { return *m_facets; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested(); ///< the button of the empty state, where no archive is open
    void stateChanged();
    /// Kernels' numbers in the archive: the selected ones, and all that are listed.
    void exportRequested(const std::vector<std::int64_t>& chosen, const std::vector<std::int64_t>& listed,
                         bool onlyChosen);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildTable();
    void archiveChanged();
    void refreshRows();
    void refreshSentences();
    void refreshEmpty();
    void openRow(const QModelIndex& index);
    void copyChosen() const;
    void holdOrder();
    void showRowMenu(const QPoint& position);
    [[nodiscard]] QModelIndexList chosenIndexes() const; ///< from top to bottom; the current one where none is selected

    Around m_with;
    Theme& m_theme;
    AuditDesk* m_desk;
    AuditModel* m_model;
    AuditFilter* m_filter;
    AuditBar* m_bar;
    QLabel* m_headline;
    QLabel* m_subline;
    QPushButton* m_clear;
    FacetTree* m_facets;
    QTableView* m_table;
    QSplitter* m_split;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QTimer m_pause;
};

} // namespace kernelarium::ui
