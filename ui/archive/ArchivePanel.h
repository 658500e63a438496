// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/archive/FilterBar.h"
#include "ui/archive/KernelTableModel.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace kernelarium::ui {

class Workspace;

/// The kernels of the open archive: search, filters, table. Choosing one puts it on the bench.
class ArchivePanel : public QWidget {
    Q_OBJECT
public:
    ArchivePanel(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

    void focusSearch();
    void focusTable();
    [[nodiscard]] FilterBar& filters() { return *m_filters; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] KernelTableModel& model() { return *m_model; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested();   ///< the button of the empty state
    void stateChanged();

private:
    void buildTable();
    void archiveChanged();
    void query();
    void showFound(Result<std::shared_ptr<const ArchiveDesk::Found>> found);
    void followSelection();
    void rowChosen(const QModelIndex& index);
    void showHeaderMenu(const QPoint& position);
    void copySelection();

    Workspace& m_workspace;
    Theme& m_theme;
    FilterBar* m_filters;
    QTableView* m_table;
    KernelTableModel* m_model;
    QLabel* m_status;
    QLabel* m_empty;
    QPushButton* m_emptyButton;
    QStackedLayout* m_stack;
    QTimer m_pause;
    archive::SortColumn m_sort = archive::SortColumn::task;
    int m_sortColumn = 0;
    bool m_descending = false;
    bool m_following = false;
    QByteArray m_pendingFilters;
};

} // namespace kernelarium::ui
