// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/ArchivePanel.h"

#include "ui/archive/SpeedupDelegate.h"
#include "ui/workspace/Workspace.h"

#include <QApplication>
#include <QClipboard>
#include <QDataStream>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedLayout>
#include <QTableView>

namespace kernelarium::ui {

namespace {
/// Shorter than a pause for thought, longer than a burst of keys.
constexpr int searchPauseMs = 120;
} // namespace

ArchivePanel::ArchivePanel(Workspace& workspace, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_theme(theme)
    , m_filters(new FilterBar(theme))
    , m_table(new QTableView)
    , m_model(new KernelTableModel(theme, this))
    , m_status(new QLabel)
    , m_empty(new QLabel)
    , m_emptyButton(new QPushButton) {
    buildTable();
    m_status->setProperty("role", "muted");
    m_status->setFont(theme.captionFont());
    m_status->setContentsMargins(8, 4, 8, 4);
    m_status->setTextFormat(Qt::PlainText);

    auto* emptyPage = new QWidget;
    auto* emptyLayout = new QVBoxLayout(emptyPage);
    emptyLayout->setContentsMargins(24, 24, 24, 24);
    emptyLayout->addStretch(1);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "muted");
    emptyLayout->addWidget(m_empty);
    emptyLayout->addWidget(m_emptyButton, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(2);

    auto* pages = new QWidget;
    m_stack = new QStackedLayout(pages);
    m_stack->addWidget(m_table);
    m_stack->addWidget(emptyPage);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(pages, 1);
    layout->addWidget(m_status);

    m_pause.setSingleShot(true);
    m_pause.setInterval(searchPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ArchivePanel::query);
    connect(m_filters, &FilterBar::changed, this, [this] {
        m_pause.start();
        Q_EMIT stateChanged();
    });
    connect(m_filters, &FilterBar::leftForTable, this, &ArchivePanel::focusTable);
    connect(m_emptyButton, &QPushButton::clicked, this, [this] {
        if (m_workspace.archive().table() && m_filters->isFiltering())
            m_filters->reset();
        else
            Q_EMIT openRequested();
    });
    connect(&workspace.archive(), &ArchiveDesk::changed, this, &ArchivePanel::archiveChanged);
    connect(&workspace, &Workspace::kernelChanged, this, &ArchivePanel::followSelection);
    connect(&workspace, &Workspace::archivedVerdictsChanged, this,
            [this] { m_model->setVerdicts(m_workspace.archivedVerdicts(), m_workspace.verdicts().stale()); });
    archiveChanged();
}

void ArchivePanel::buildTable() {
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Kernels"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setItemDelegateForColumn(KernelTableModel::speedup,
                                      new SpeedupDelegate(m_theme, KernelTableModel::numberRole, this));
    m_table->setItemDelegateForColumn(KernelTableModel::speedupCompile,
                                      new SpeedupDelegate(m_theme, KernelTableModel::numberRole, this));
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(KernelTableModel::task, Qt::AscendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    const int widths[] = {60, 172, 84, 84, 92, 108, 104, 200};
    for (int i = 0; i < KernelTableModel::columnCount_; ++i)
        header->resizeSection(i, widths[i]);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        if (!KernelTableModel::isSortable(column)) {
            const QSignalBlocker quiet(m_table->horizontalHeader());
            m_table->horizontalHeader()->setSortIndicator(m_sortColumn, m_descending ? Qt::DescendingOrder : Qt::AscendingOrder);
            return;
        }
        m_sortColumn = column;
        m_sort = KernelTableModel::sortColumn(column);
        m_descending = order == Qt::DescendingOrder;
        query();
        Q_EMIT stateChanged();
    });
    header->setSectionsClickable(true);
    connect(header, &QHeaderView::customContextMenuRequested, this, &ArchivePanel::showHeaderMenu);
    connect(header, &QHeaderView::sectionResized, this, &ArchivePanel::stateChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { rowChosen(index); });
    auto* copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &ArchivePanel::copySelection);
}

void ArchivePanel::focusSearch() {
    m_filters->focusSearch();
}

void ArchivePanel::focusTable() {
    if (!m_table->isVisible()) { // nothing in it
        focusSearch();
        return;
    }
    m_table->setFocus(Qt::ShortcutFocusReason);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0) m_table->setCurrentIndex(m_model->index(0, 1));
}

void ArchivePanel::archiveChanged() {
    const ArchiveDesk& desk = m_workspace.archive();
    if (desk.table()) {
        m_filters->setTable(*desk.table());
        if (!m_pendingFilters.isEmpty()) m_filters->restoreState(std::exchange(m_pendingFilters, {}));
        query();
        return;
    }
    m_stack->setCurrentIndex(1);
    if (isBusy(desk.stage())) {
        m_empty->setText(tr("Opening %1…").arg(desk.path()));
        m_emptyButton->hide();
        m_status->clear();
        return;
    }
    m_empty->setText(desk.stage() == Stage::failed
                         ? QString::fromStdString(desk.error().text())
                         : tr("The kernels of an archive are listed here, to search, sort and open.\n\nNo archive is open."));
    m_emptyButton->setText(tr("Open an archive…"));
    m_emptyButton->setToolTip(tr("Open a Kernelarium archive, or import one from JSON lines"));
    m_emptyButton->show();
    m_status->clear();
}

void ArchivePanel::query() {
    m_pause.stop();
    archive::TableSelection selection = m_filters->selection();
    selection.sort = m_sort;
    selection.descending = m_descending;
    m_workspace.archive().find(std::move(selection), m_filters->inCode(),
                               [this](auto found) { showFound(std::move(found)); });
}

void ArchivePanel::showFound(Result<std::shared_ptr<const ArchiveDesk::Found>> found) {
    if (!found) {
        if (found.error().code != "cancelled") m_status->setText(QString::fromStdString(found.error().text()));
        return;
    }
    const auto& table = m_workspace.archive().table();
    m_following = true; // the model's reset takes the selection away, which is not the user's doing
    m_model->show(table, *found);
    m_model->setVerdicts(m_workspace.archivedVerdicts(), m_workspace.verdicts().stale());
    m_following = false;
    const QLocale locale;
    const auto shown = qlonglong((*found)->rows.size());
    const auto all = table ? qlonglong(table->size()) : 0;
    QString text = shown == all ? tr("%1 kernels").arg(locale.toString(all))
                                : tr("%1 of %2 kernels").arg(locale.toString(shown), locale.toString(all));
    if (!(*found)->codeComplete) text += tr(" (more match in code: narrow the search)");
    m_status->setText(text);
    if (shown == 0 && table) {
        m_stack->setCurrentIndex(1);
        m_empty->setText(all == 0 ? tr("This archive is empty.") : tr("No kernel matches."));
        m_emptyButton->setText(all == 0 ? tr("Open an archive…") : tr("Show every kernel"));
        m_emptyButton->setToolTip(m_emptyButton->text());
        m_emptyButton->show();
    } else {
        m_stack->setCurrentIndex(0);
    }
    followSelection();
}

void ArchivePanel::followSelection() {
    const Kernel& kernel = m_workspace.kernel();
    const int row = kernel.row ? m_model->rowOfLabel(QString::fromStdString(kernel.row->label())) : -1;
    m_following = true;
    if (row < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else if (m_table->currentIndex().row() != row || !m_table->selectionModel()->hasSelection()) {
        m_table->setCurrentIndex(m_model->index(row, KernelTableModel::name));
        m_table->scrollTo(m_model->index(row, KernelTableModel::name));
    }
    m_following = false;
}

void ArchivePanel::rowChosen(const QModelIndex& index) {
    if (m_following || !index.isValid()) return;
    int line = 0;
    if (const auto* hit = m_model->hit(index.row())) line = int(hit->line);
    m_workspace.openArchived(index.data(KernelTableModel::idRole).toLongLong(), line);
}

void ArchivePanel::showHeaderMenu(const QPoint& position) {
    QMenu menu(this);
    QHeaderView* header = m_table->horizontalHeader();
    for (int i = 0; i < KernelTableModel::columnCount_; ++i) {
        QAction* action = menu.addAction(m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(i));
        action->setEnabled(i != KernelTableModel::name);
        connect(action, &QAction::toggled, this, [this, header, i](bool shown) {
            header->setSectionHidden(i, !shown);
            Q_EMIT stateChanged();
        });
    }
    menu.exec(header->mapToGlobal(position));
}

void ArchivePanel::copySelection() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) return;
    QStringList cells;
    cells << m_model->label(current.row());
    for (int i = 0; i < KernelTableModel::columnCount_; ++i)
        cells << m_model->index(current.row(), i).data().toString();
    QApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

QByteArray ArchivePanel::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_table->horizontalHeader()->saveState() << m_filters->saveState();
    return state;
}

void ArchivePanel::restoreState(const QByteArray& state) {
    QByteArray header, filters;
    QDataStream in(state);
    in >> header >> filters;
    if (in.status() != QDataStream::Ok) return;
    m_table->horizontalHeader()->restoreState(header);
    if (m_workspace.archive().table())
        m_filters->restoreState(filters);
    else
        m_pendingFilters = filters;
}

} // namespace kernelarium::ui
