// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/similar/LikePanel.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrapLayout.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace kernelarium::ui {

LikePanel::LikePanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_model(new AlikeModel(theme, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this))
    , m_status(new ElidedLabel(Qt::ElideMiddle, this))
    , m_by(new QComboBox(this))
    , m_order(new QComboBox(this))
    , m_otherTasks(new QCheckBox(tr("Other tasks only"), this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_empty(new EmptyState(theme, QStringLiteral("graph"), this)) {
    setObjectName(QStringLiteral("similar"));
    buildTable();
    buildActions();
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addLayout(m_stack, 1);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_offersArchive)
            Q_EMIT archiveRequested();
        else
            Q_EMIT findRequested();
    });
    connect(&around.desk, &LikeDesk::changed, this, &LikePanel::refresh);
    connect(&around.archive, &ArchiveDesk::changed, this, &LikePanel::archiveChanged);
    connect(&around.bench, &Bench::kernelChanged, this, &LikePanel::refresh);
    connect(&around.verdicts, &VerdictDesk::changed, this, [this] { m_model->setVerdicts(m_with.verdicts.own()); });
    refresh();
}

QWidget* LikePanel::makeBar() {
    m_by->addItems({tr("Code or operators"), tr("Code alone"), tr("Operators alone")});
    m_by->setAccessibleName(tr("What has to be alike"));
    m_order->addItems({tr("Verified, faster first"), tr("Most similar first")});
    m_order->setAccessibleName(tr("Order of the kernels"));
    m_otherTasks->setToolTip(tr("Leave out kernels of the kernel's own task"));
    m_by->setToolTip(tr("What kernels have to have in common with the one that is asked about"));
    m_order->setToolTip(tr("Which kernels come first"));
    m_cancel->setToolTip(tr("Stop looking; what is indexed stays"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(20 * Theme::unit);
    m_progress->setAccessibleName(tr("Progress of the index"));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setProperty("role", "muted");
    m_status->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    for (QComboBox* box : {m_by, m_order}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        connect(box, &QComboBox::activated, this, &LikePanel::ask);
    }
    connect(m_otherTasks, &QCheckBox::clicked, this, &LikePanel::ask);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_with.desk.cancel(); });
    auto* bar = new QWidget(this);
    auto* row = new WrapLayout(bar, 8);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_status);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    row->addWidget(m_by);
    row->addWidget(m_order);
    row->addWidget(m_otherTasks);
    return bar;
}

void LikePanel::buildTable() {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(AlikeModel::sortRole);
    m_table->setModel(m_sorted);
    m_table->setAccessibleName(tr("Kernels like this one"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(AlikeModel::rank, Qt::AscendingOrder);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    auto* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    const int widths[] = {10, 48, 24, 16, 22, 30, 26, 30, 28, 44};
    for (int column = 0; column < int(std::size(widths)); ++column)
        header->resizeSection(column, widths[column] * Theme::unit);
    connect(m_table, &QTableView::doubleClicked, this, &LikePanel::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LikePanel::refreshActions);
}

void LikePanel::buildActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto act) {
        auto* action = new QAction(text, m_table);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_table->addAction(action);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    m_open = add(tr("Open this kernel"), Qt::Key_Return, [this] { open(); });
    m_compare = add(tr("Compare with the bench"), Qt::Key_C, [this] {
        if (current() != 0) Q_EMIT compareRequested(current());
    });
    m_like = add(tr("Kernels like this one"), Qt::Key_L, [this] {
        if (current() != 0) findLikeArchived(current());
    });
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

qint64 LikePanel::current() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? index.data(AlikeModel::idRole).toLongLong() : 0;
}

void LikePanel::open() {
    if (current() != 0) m_with.bench.openArchived(current());
}

QString LikePanel::status() const {
    return m_status->text();
}

void LikePanel::findLikeBench() {
    const Kernel& kernel = m_with.bench.kernel();
    if (kernel.isEmpty() || !m_with.archive.table()) return;
    m_question = {};
    m_leadsFocus = true;
    m_question.archive = m_with.archive.path();
    m_question.title = kernel.title;
    // An edited text has no archived time.
    const qint64 row = kernel.row && !m_with.bench.isEdited()
                           ? m_with.archive.rowOfLabel(QString::fromStdString(kernel.row->label()))
                           : -1;
    if (row >= 0)
        m_question.row = m_with.archive.table()->id[std::size_t(row)];
    else
        m_question.source = m_with.bench.source();
    if (kernel.task) {
        m_question.level = kernel.task->level;
        m_question.task = kernel.task->task;
    }
    m_question.card = m_with.assignment.card();
    ask();
}

void LikePanel::findLikeArchived(qint64 id) {
    const auto& table = m_with.archive.table();
    if (!table) return;
    const auto place = std::lower_bound(table->id.begin(), table->id.end(), id);
    if (place == table->id.end() || *place != id) return;
    m_question = {};
    m_leadsFocus = true;
    m_question.archive = m_with.archive.path();
    m_question.row = id;
    m_question.title = QString::fromStdString(table->name[std::size_t(place - table->id.begin())]);
    ask();
}

/// The newest question with the choices as they stand.
void LikePanel::ask() {
    if (m_question.archive.isEmpty()) return;
    similar::LikeQuery& query = m_question.query;
    query.byCode = m_by->currentIndex() != operatorsOnly;
    query.byOperators = m_by->currentIndex() != codeOnly;
    query.nearestFirst = m_order->currentIndex() == 1;
    query.otherTasks = m_otherTasks->isChecked();
    query.limit = 500;
    query.verdicts = m_with.verdicts.own();
    m_model->setVerdicts(query.verdicts);
    m_with.desk.ask(m_question);
}

/// Another archive has other kernels; the same one after an import is asked again when somebody does.
void LikePanel::archiveChanged() {
    if (m_question.archive != m_with.archive.path()) {
        m_question = {};
        m_with.desk.cancel();
        m_model->setAnswer(nullptr);
    }
    refresh();
}

QString LikePanel::summaryOf(const LikeAnswer& answer) const {
    const similar::LikeResult& result = answer.result;
    QString text = tr("Like %1: %2").arg(answer.question.title, wholeText(std::int64_t(result.found.size())));
    if (result.more > 0) text += tr(" of %1").arg(wholeText(std::int64_t(result.found.size() + result.more)));
    if (result.operatorsUnknown) text += tr(" (its task has no card: by code alone)");
    return text;
}

void LikePanel::refresh() {
    const LikeState& state = m_with.desk.state();
    const bool busy = m_with.desk.isBusy();
    const bool isAsked = !m_question.archive.isEmpty();
    for (QWidget* choice :
         {static_cast<QWidget*>(m_by), static_cast<QWidget*>(m_order), static_cast<QWidget*>(m_otherTasks)})
        choice->setEnabled(isAsked);
    // Whoever has asked is still here when a button goes that had the focus.
    if (const QWidget* focus = QApplication::focusWidget();
        isAsked && focus && (focus == m_cancel || m_empty->isAncestorOf(focus) || focus == m_empty))
        m_by->setFocus(Qt::OtherFocusReason);
    m_progress->setVisible(busy && state.fraction >= 0);
    m_progress->setValue(int(state.fraction * 1000));
    m_cancel->setVisible(busy);
    m_status->setMinimumWidth(24 * Theme::unit);
    if (!busy && isAsked && state.stage == Stage::finished && state.answer && m_model->answer() != state.answer.get())
        m_model->setAnswer(state.answer);
    const QString find = tr("Find kernels like the one on the bench");
    const QString findTip = tr("Looks for similar code and the same operators in the open archive");
    if (busy) {
        m_status->setText(tr("Like %1: %2…").arg(m_question.title, state.step));
        if (m_model->rowCount() == 0)
            showEmpty(tr("Looking"), tr("The first question about an archive indexes its code."));
    } else if (!m_with.archive.table()) {
        m_status->clear();
        showEmpty(tr("No archive is open"), tr("Kernels that are like one are looked for in the open archive."),
                  tr("Open an archive…"), tr("Choose an archive's file"));
        m_offersArchive = true;
    } else if (!isAsked || state.stage == Stage::idle) {
        m_status->clear();
        const bool hasKernel = !m_with.bench.kernel().isEmpty();
        showEmpty(
            tr("Kernels like one"),
            tr("From any kernel to those with similar code or the same operators, verified and faster ones first. "
               "Choose \"Kernels like this one\" in the menu of a kernel in the Archive panel, in Lineage, or for "
               "the one on the bench."),
            hasKernel ? find : QString(), findTip);
    } else if (state.stage == Stage::failed || state.stage == Stage::cancelled) {
        m_status->clear();
        m_model->setAnswer(nullptr);
        showEmpty(state.stage == Stage::failed ? tr("That did not work") : tr("Cancelled"),
                  state.stage == Stage::failed ? QString::fromStdString(state.error.text())
                                               : tr("What was indexed stays: the next question goes on from there."),
                  m_with.bench.kernel().isEmpty() ? QString() : find, findTip);
    } else if (m_model->rowCount() == 0) {
        m_status->setText(summaryOf(*m_model->answer()));
        showEmpty(
            tr("No kernel is like %1").arg(m_question.title),
            m_otherTasks->isChecked() || m_by->currentIndex() != codeOrOperators
                ? tr("Let kernels of all tasks in, by code or operators, with the choices above.")
                : tr("No kernel of this archive has 30% of its code in common with it, or half of its operators."));
    } else {
        m_status->setText(summaryOf(*m_model->answer()));
        const QWidget* focus = QApplication::focusWidget();
        const bool isHere = !focus || isAncestorOf(focus);
        m_stack->setCurrentWidget(m_table);
        if (!m_table->selectionModel()->hasSelection()) m_table->selectRow(0);
        if (std::exchange(m_leadsFocus, false) && isHere && isVisible()) m_table->setFocus(Qt::OtherFocusReason);
    }
    if (m_model->rowCount() > 0 && busy) m_stack->setCurrentWidget(m_table);
    m_status->setToolTip(m_status->text());
    refreshActions();
}

void LikePanel::showEmpty(const QString& title, const QString& sentence, const QString& button, const QString& tip) {
    m_offersArchive = false;
    m_empty->setTexts(title, sentence);
    m_empty->setAction(button, tip);
    m_stack->setCurrentWidget(m_empty);
}

void LikePanel::refreshActions() {
    const bool any = current() != 0 && m_stack->currentWidget() == m_table;
    const bool hasBench = !m_with.bench.kernel().isEmpty();
    for (QAction* action : {m_open, m_like})
        action->setEnabled(any);
    m_compare->setEnabled(any && hasBench);
    m_open->setToolTip(tr("Put this kernel on the bench (Return)"));
    m_like->setToolTip(tr("Look for those that are like this one (L)"));
    m_compare->setToolTip(hasBench ? tr("Put it beside the text on the bench, which can take its changes (C)")
                                   : tr("Not now: no kernel is on the bench"));
}

void LikePanel::focusFirst() {
    if (m_stack->currentWidget() == m_table)
        m_table->setFocus(Qt::ShortcutFocusReason);
    else if (!m_empty->button()->isHidden())
        m_empty->button()->setFocus(Qt::ShortcutFocusReason);
    else
        m_empty->setFocus(Qt::ShortcutFocusReason);
}

} // namespace kernelarium::ui
