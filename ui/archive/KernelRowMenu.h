// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QMenu;
class QModelIndex;
class QPoint;
class QWidget;

namespace kernelarium::ui {

class ArchiveDesk;
class Bench;
class FilterBar;
class KernelTableModel;
class KernelTableView;
class Trials;

/// The context menu of the archive's table: what can be done with a kernel or the selected ones, and searches for what
/// a cell says.
class KernelRowMenu : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        ArchiveDesk& archive;
        FilterBar& filters;
        KernelTableModel& model;
        KernelTableView& table;
    };
    /// The panel is its owner and the menu's parent.
    KernelRowMenu(const Around& around, QWidget& panel);

Q_SIGNALS:
    void exportRequested(bool onlyChosen);
    void auditRequested();   ///< of the selected kernels
    void likeRequested();    ///< those that are like the selected one
    void compareRequested(); ///< of two selected ones, or of one with the kernel on the bench

private:
    void popUp(const QPoint& position);
    void addActions(QMenu& menu, const QModelIndex& index);
    void addSearches(QMenu& menu, const QModelIndex& index);
    void withKernel(int row, const std::function<void()>& act); ///< once the row's kernel is on the bench

    Bench& m_bench;
    Trials& m_trials;
    ArchiveDesk& m_archive;
    FilterBar& m_filters;
    KernelTableModel& m_model;
    KernelTableView& m_table;
    QWidget& m_panel;
};

} // namespace kernelarium::ui
