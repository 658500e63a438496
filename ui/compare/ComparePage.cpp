// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/ComparePage.h"

#include "ui/compare/CounterPairModel.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/editor/DiffView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace kernelarium::ui {

ComparePage::ComparePage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_desk(new CompareDesk(around.paths, this))
    , m_back(new QToolButton)
    , m_swap(new QToolButton)
    , m_heading(new WrappedLabel)
    , m_sentences(new WrappedLabel)
    , m_step(new WrappedLabel)
    , m_views(new QTabWidget)
    , m_table(new QTableView)
    , m_model(new CounterPairModel(this))
    , m_empty(new EmptyState(theme, QStringLiteral("diff"))) {
    setObjectName(QStringLiteral("compare")); // the help page's name, too
    m_heading->setFont(theme.headingFont());
    for (DiffView*& view : m_diffs) {
        view = new DiffView(theme);
        connect(view, &DiffView::backRequested, this, &ComparePage::backRequested);
    }
    connect(m_diffs[texts], &DiffView::revertRequested, this, &ComparePage::takeChange);
    build();
    connect(m_back, &QToolButton::clicked, this, &ComparePage::backRequested);
    connect(m_swap, &QToolButton::clicked, this, &ComparePage::swapSides);
    connect(m_empty, &EmptyState::actionRequested, this, &ComparePage::chooseRequested);
    connect(m_desk, &CompareDesk::changed, this, &ComparePage::refresh);
    refresh();
}

void ComparePage::build() {
    m_back->setText(tr("Back"));
    m_back->setToolTip(tr("Close the comparison and go back to the source"));
    m_swap->setText(tr("Swap A and B"));
    m_swap->setToolTip(tr("Put the kernel at the right to the left"));
    m_step->setProperty("role", "muted");
    for (QLabel* label : {m_heading, m_sentences, m_step}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_sentences->setAccessibleName(tr("Times of the two"));
    auto* order = new QSortFilterProxyModel(this);
    order->setSourceModel(m_model);
    order->setSortRole(CounterPairModel::sortRole);
    m_table->setModel(order);
    m_table->setAccessibleName(tr("Counters of the two"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(CounterPairModel::figure, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(CounterPairModel::figure, 280);
    const QString names[] = {tr("Text"), tr("PTX"), tr("SASS"), tr("Counters")};
    for (int view = 0; view < counters; ++view)
        m_views->addTab(m_diffs[view], names[view]);
    m_views->addTab(m_table, names[counters]);

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_heading, 1);
    head->addWidget(m_swap, 0, Qt::AlignTop);
    head->addWidget(m_back, 0, Qt::AlignTop);
    auto* found = new QWidget;
    auto* foundLayout = new QVBoxLayout(found);
    foundLayout->setContentsMargins(8, 8, 8, 0);
    foundLayout->setSpacing(8);
    foundLayout->addLayout(head);
    foundLayout->addWidget(m_sentences);
    foundLayout->addWidget(m_step);
    foundLayout->addWidget(m_views, 1);
    m_empty->setTexts(tr("Nothing is compared"),
                      tr("Select two kernels in the Archive panel, or one and put another on the bench, and choose "
                         "\"Compare\" in their menu."));
    m_empty->setAction(tr("Go to the Archive panel"), tr("Choose what is to be compared"));
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(found);
}

ComparedKernel ComparePage::archived(std::uint32_t row) const {
    const archive::KernelTable& table = *m_with.archive.table();
    ComparedKernel kernel;
    kernel.key = QStringLiteral("archive:") + QString::fromStdString(table.label(row));
    kernel.title = QString::fromStdString(table.name[row]);
    kernel.row = table.id[row];
    if (table.runtime[row] > 0) kernel.archivedMs = table.runtime[row];
    return kernel;
}

std::optional<ComparedKernel> ComparePage::archivedNumber(qint64 id) const {
    const auto& table = m_with.archive.table();
    if (!table) return std::nullopt;
    const auto place = std::lower_bound(table->id.begin(), table->id.end(), id);
    if (place == table->id.end() || *place != id) return std::nullopt;
    return archived(std::uint32_t(place - table->id.begin()));
}

void ComparePage::compare(ComparedKernel a, ComparedKernel b) {
    m_a = std::move(a);
    m_b = std::move(b);
    m_archive = m_with.archive.path();
    begin();
}

void ComparePage::begin() {
    m_isChosen = true;
    m_refusal.clear();
    nameChangeButton();
    for (DiffView* diff : m_diffs)
        diff->nameSides(tr("A: %1").arg(m_a.title), tr("B: %1").arg(m_b.title));
    m_desk->start(m_a, m_b, m_with.place.target(), m_archive);
}

/// Rows stay those of the archive that they were chosen in, whichever is open by now.
void ComparePage::swapSides() {
    if (!m_isChosen) return;
    std::swap(m_a, m_b);
    begin();
}

/// Where the text at the right is the one that is edited, a change can be taken from the left.
void ComparePage::nameChangeButton() {
    for (int view = 0; view < counters; ++view) {
        const bool canTake = view == texts && m_b.isOnBench;
        for (auto* button : m_diffs[view]->findChildren<QToolButton*>()) {
            if (!button->defaultAction() || m_diffs[view]->actions().value(2) != button->defaultAction()) continue;
            button->defaultAction()->setText(tr("Take this change from A"));
            button->defaultAction()->setEnabled(canTake);
            button->setVisible(canTake);
        }
    }
}

void ComparePage::takeChange(const QString& text) {
    if (!m_b.isOnBench) return;
    if (m_with.bench.source() != m_b.source || m_with.bench.kernel().key != m_b.key) {
        m_refusal = tr("The change was not taken: B is not the text on the bench any more. Compare the two again.");
    } else {
        m_refusal.clear();
        m_with.bench.takeHunk({m_a.key, m_a.title, 0}, text); // the next attempt names both
        m_b.source = text;
    }
    refresh();
}

/// The reader is left alone while other parts are found.
void ComparePage::show(View view, const QString& a, const QString& b) {
    std::pair both(a, b);
    if (both == m_shown[view]) return;
    m_shown[view] = std::move(both);
    m_diffs[view]->setTexts(a, b);
}

void ComparePage::focusFirst() {
    if (m_stack->currentIndex() == 0)
        m_empty->setFocus(Qt::ShortcutFocusReason);
    else
        m_views->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

QString ComparePage::sentences() const {
    return m_sentences->text();
}

void ComparePage::refresh() {
    const CompareState& state = m_desk->state();
    m_stack->setCurrentIndex(m_isChosen ? 1 : 0);
    m_heading->setText(tr("A: %1\nB: %2").arg(m_a.title, m_b.title));
    QStringList steps;
    if (!m_refusal.isEmpty()) steps << m_refusal;
    if (isBusy(state.stage)) steps << tr("%1…").arg(state.step);
    if (state.stage == Stage::failed) steps << QString::fromStdString(state.error.text());
    if (state.stage == Stage::cancelled) steps << tr("The comparison was cancelled.");
    if (state.found && m_b.isOnBench && state.found->b.source != m_b.source)
        steps << tr("A change was taken since: PTX, SASS, counters and times are of B as it was before.");
    m_step->setText(steps.join(QLatin1Char('\n')));
    m_step->setVisible(!steps.isEmpty());
    if (!state.found) {
        m_sentences->clear();
        m_sentences->hide();
        m_model->setPairs({});
        return;
    }
    const Comparison& found = *state.found;
    m_sentences->setText(timeSentences(found).join(QLatin1Char('\n')));
    m_sentences->setVisible(!m_sentences->text().isEmpty());
    if (m_b.row != 0) m_b.source = found.b.source;
    show(texts, found.a.source, m_b.source); // with the changes that were taken meanwhile
    show(ptx, found.a.ptx, found.b.ptx);
    show(sass, found.a.sass.isEmpty() ? found.a.sassProblem : found.a.sass,
         found.b.sass.isEmpty() ? found.b.sassProblem : found.b.sass);
    if (!found.counters.empty() && m_model->rowCount() == 0) m_model->setPairs(found.counters);
}

} // namespace kernelarium::ui
