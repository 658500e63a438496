// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/KernelRowMenu.h"

#include "ui/archive/FilterBar.h"
#include "ui/archive/KernelTableModel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Trials.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace kernelarium::ui {

KernelRowMenu::KernelRowMenu(const Around& around, QWidget& panel)
    : QObject(&panel)
    , m_bench(around.bench)
    , m_trials(around.trials)
    , m_archive(around.archive)
    , m_filters(around.filters)
    , m_model(around.model)
    , m_table(around.table)
    , m_panel(panel) {
    connect(&m_table, &QWidget::customContextMenuRequested, this, &KernelRowMenu::popUp);
}

void KernelRowMenu::popUp(const QPoint& position) {
    const QModelIndex index = m_table.indexAt(position);
    if (!index.isValid()) return;
    auto* menu = new QMenu(&m_panel);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    addActions(*menu, index);
    addSearches(*menu, index);
    menu->popup(m_table.viewport()->mapToGlobal(position));
}

void KernelRowMenu::addActions(QMenu& menuOfRow, const QModelIndex& index) {
    QMenu* menu = &menuOfRow;
    QAction* copy = menu->addAction(tr("&Copy"), &m_table, &KernelTableView::copyChosen);
    copy->setShortcut(QKeySequence::Copy);
    copy->setToolTip(tr("Copy the selected rows as a table, tabs between the columns"));
    const int row = index.row();
    const bool arriving = m_archive.arriving() != nullptr;
    QAction* code = menu->addAction(tr("Copy c&ode"), this, [this, row] {
        withKernel(row, [this] { QApplication::clipboard()->setText(m_bench.kernel().original); });
    });
    code->setToolTip(arriving ? tr("Not now: an import is running") : tr("Copy the archived text of this kernel"));
    QAction* verify =
        menu->addAction(tr("&Verify"), this, [this, row] { withKernel(row, [this] { m_trials.verify(); }); });
    verify->setToolTip(arriving ? tr("Not now: an import is running")
                                : tr("Open this kernel, run it and compare it with the reference (Ctrl+Return)"));
    const int chosen = int(m_table.chosenRows().size());
    QAction* audit = menu->addAction(chosen > 1 ? tr("Au&dit the %1 selected kernels").arg(wholeText(chosen))
                                                : tr("Au&dit this kernel"),
                                     this, &KernelRowMenu::auditRequested);
    audit->setToolTip(arriving ? tr("Not now: an import is running")
                               : tr("Verify the selected kernels that have no up-to-date verdict"));
    QAction* compare = menu->addAction(chosen == 2 ? tr("Co&mpare the two") : tr("Co&mpare with the bench"), this,
                                       &KernelRowMenu::compareRequested);
    const auto& bench = m_bench;
    const bool isOnBench =
        bench.kernel().row && bench.kernel().row->id == m_model.id(row) && bench.source() == bench.kernel().original;
    const bool canCompare = chosen == 2 || (chosen == 1 && !bench.kernel().isEmpty() && !isOnBench);
    compare->setToolTip(chosen > 2    ? tr("Not now: more than two kernels are selected")
                        : !canCompare ? tr("Not now: select a second kernel (Ctrl and a click)")
                                      : tr("Put them side by side: text, PTX, counters and times"));
    QAction* like = menu->addAction(tr("&Kernels like this one"), this, &KernelRowMenu::likeRequested);
    like->setToolTip(arriving     ? tr("Not now: an import is running")
                     : chosen > 1 ? tr("Not now: more than one kernel is selected")
                                  : tr("Find kernels with similar code or the same operators, faster ones first"));
    for (QAction* action : {code, verify, audit})
        action->setEnabled(!arriving);
    like->setEnabled(!arriving && chosen <= 1);
    compare->setEnabled(!arriving && canCompare);
    menu->addSeparator();
    QAction* fold = m_model.isUnfolded(row) || m_model.isBeneath(row)
                        ? menu->addAction(tr("&Fold again"), this, [this, row] { m_model.foldAgain(row); })
                        : menu->addAction(tr("&Unfold"), this, [this, row] { m_model.unfold(row); });
    const bool canFold = m_model.foldedUnder(row) > 0 || m_model.isBeneath(row);
    fold->setEnabled(canFold);
    fold->setToolTip(canFold ? tr("Kernels with the same code (Right and Left)")
                             : tr("Not now: nothing is folded under this kernel"));
    menu->addSeparator();
    const std::pair<QString, bool> exports[] = {{tr("Export the &selection…"), true},
                                                {tr("Export &all shown…"), false}};
    for (const auto& [text, onlyChosen] : exports) {
        QAction* action = menu->addAction(text, this, [this, chosen = onlyChosen] { Q_EMIT exportRequested(chosen); });
        action->setEnabled(!arriving);
        action->setToolTip(arriving ? tr("Not now: an import is running")
                                    : tr("Write them as CSV, JSON lines or .cu files"));
    }
}

void KernelRowMenu::addSearches(QMenu& menu, const QModelIndex& index) {
    const QString term = m_model.searchTerm(index.row(), index.column());
    if (term.isEmpty()) return;
    menu.addSeparator();
    menu.addAction(tr("&Only %1").arg(withoutMnemonic(term)), this, [this, term] { m_filters.addTerm(term); })
        ->setToolTip(tr("Add %1 to the search").arg(term));
    menu.addAction(tr("With&out %1").arg(withoutMnemonic(term)), this,
                   [this, term] { m_filters.addTerm(QLatin1Char('-') + term); })
        ->setToolTip(tr("Add -%1 to the search").arg(term));
}

void KernelRowMenu::withKernel(int row, const std::function<void()>& act) {
    const QString label = m_model.label(row);
    const auto actIfThere = [this, label, act] {
        const auto& kernel = m_bench.kernel().row;
        const bool isThere = kernel && QString::fromStdString(kernel->label()) == label;
        if (isThere) act();
        return isThere;
    };
    if (actIfThere()) return;
    // Not from inside the change itself, when the compiler still has the text of before.
    connect(&m_bench, &Bench::kernelChanged, this, actIfThere,
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
    m_bench.openArchived(m_model.id(row));
}

} // namespace kernelarium::ui
