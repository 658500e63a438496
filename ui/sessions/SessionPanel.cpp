// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/SessionPanel.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

SessionPanel::SessionPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_bar(new SessionBar(theme, this))
    , m_model(new AttemptModel(theme, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this))
    , m_empty(
          new QLabel(tr("Nothing tried yet. Every text that you verify or time is kept here, with its verdict and its "
                        "times.\nCtrl+Return verifies what is in the editor."),
                     this))
    , m_stack(new QStackedLayout) {
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "muted");
    buildTable();
    buildActions();
    forwardBar();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addLayout(m_stack, 1);
    refreshActions();
}

void SessionPanel::buildTable() {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(AttemptModel::sortRole);
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Attempts of the session"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(AttemptModel::number, Qt::DescendingOrder);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(6 * Theme::unit);
    auto* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    const int widths[] = {18, 34, 44, 32, 30, 34, 34, 34};
    for (int column = 0; column < int(std::size(widths)); ++column)
        header->resizeSection(column, widths[column] * Theme::unit);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.flags().testFlag(Qt::ItemIsEditable))
            m_table->edit(index);
        else
            m_open->trigger();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SessionPanel::refreshActions);
    connect(m_model, &AttemptModel::nameEdited, this, &SessionPanel::nameEdited);
    connect(m_model, &AttemptModel::notesEdited, this, &SessionPanel::notesEdited);
}

void SessionPanel::buildActions() {
    const auto add = [this](const QString& text, const QKeySequence& key) {
        auto* action = new QAction(text, m_table);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_table->addAction(action);
        return action;
    };
    m_open = add(tr("Show this attempt"), Qt::Key_Return);
    m_compare = add(tr("Compare the two"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    m_restore = add(tr("Put its text back into the editor"), QKeySequence(Qt::CTRL | Qt::Key_R));
    m_editName = add(tr("Name this attempt"), Qt::Key_F2);
    m_editNotes = add(tr("Write a note"), QKeySequence(Qt::SHIFT | Qt::Key_F2));
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_open, &QAction::triggered, this, [this] { Q_EMIT attemptActivated(selected().front()); });
    connect(m_compare, &QAction::triggered, this,
            [this] { Q_EMIT compareRequested(selected().front(), selected().back()); });
    connect(m_restore, &QAction::triggered, this, [this] { Q_EMIT restoreRequested(selected().front()); });
    const auto edit = [this](int column) {
        const int row = m_model->rowOf(selected().front());
        const QModelIndex index = m_sorted->mapFromSource(m_model->index(row, column));
        m_table->setCurrentIndex(index);
        m_table->edit(index);
    };
    connect(m_editName, &QAction::triggered, this, [edit] { edit(AttemptModel::name); });
    connect(m_editNotes, &QAction::triggered, this, [edit] { edit(AttemptModel::notes); });
}

void SessionPanel::forwardBar() {
    connect(m_bar, &SessionBar::sessionChosen, this, &SessionPanel::sessionChosen);
    connect(m_bar, &SessionBar::newSessionRequested, this, &SessionPanel::newSessionRequested);
    connect(m_bar, &SessionBar::renameRequested, this, &SessionPanel::renameSessionRequested);
    connect(m_bar, &SessionBar::removeRequested, this, &SessionPanel::removeSessionRequested);
    connect(m_bar, &SessionBar::restoreRequested, this, &SessionPanel::restoreSessionRequested);
    connect(m_bar, &SessionBar::exportRequested, this, &SessionPanel::exportRequested);
}

std::vector<qint64> SessionPanel::selected() const {
    std::vector<qint64> ids;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        ids.push_back(index.data(AttemptModel::idRole).toLongLong());
    std::sort(ids.begin(), ids.end());
    return ids;
}

void SessionPanel::refreshActions() {
    const auto count = selected().size();
    for (QAction* action : {m_open, m_restore, m_editName, m_editNotes}) {
        action->setEnabled(count == 1);
        action->setToolTip(count == 1 ? action->text() : tr("Select one attempt first"));
    }
    m_compare->setEnabled(count == 2);
    m_compare->setToolTip(count == 2 ? tr("Shows what changed between the two") : tr("Select two attempts first"));
}

void SessionPanel::setSessions(const std::vector<session::SessionInfo>& sessions, qint64 current) {
    m_bar->setSessions(sessions, current);
}

void SessionPanel::setAttempts(const AttemptModel::Attempts& attempts) {
    m_model->setAttempts(attempts);
    m_stack->setCurrentWidget(attempts->empty() ? static_cast<QWidget*>(m_empty) : m_table);
    refreshActions();
}

void SessionPanel::setCurrentAttempt(qint64 attempt) {
    const int row = m_model->rowOf(attempt);
    if (row < 0) {
        m_table->clearSelection();
        return;
    }
    const QModelIndex index = m_sorted->mapFromSource(m_model->index(row, 0));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
}

QByteArray SessionPanel::saveState() const {
    return m_table->horizontalHeader()->saveState();
}

void SessionPanel::restoreState(const QByteArray& state) {
    m_table->horizontalHeader()->restoreState(state);
}

} // namespace kernelarium::ui
