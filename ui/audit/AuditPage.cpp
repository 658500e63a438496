// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/AuditPage.h"

#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditFilter.h"
#include "ui/audit/FacetTree.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"

#include <QApplication>
#include <QClipboard>
#include <QDataStream>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelarium::ui {

namespace {
/// Rows are shown as they come, counts and sentences a little later.
constexpr int refreshPauseMs = 60;
/// From this width on the facets stand beside the table.
constexpr int wideEnough = 720;
} // namespace

AuditPage::AuditPage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_desk(new AuditDesk({around.archive, around.verdicts, around.notices, around.paths}, this))
    , m_model(new AuditModel(theme, this))
    , m_filter(new AuditFilter(*m_model, this))
    , m_bar(new AuditBar(theme))
    , m_headline(new WrappedLabel)
    , m_subline(new WrappedLabel)
    , m_clear(new QPushButton(tr("Show all")))
    , m_facets(new FacetTree(theme))
    , m_table(new QTableView)
    , m_split(new QSplitter)
    , m_empty(new EmptyState(theme, QStringLiteral("verify"))) {
    buildTable();
    build();
    m_pause.setSingleShot(true);
    m_pause.setInterval(refreshPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &AuditPage::refreshRows);
    connect(&around.archive, &ArchiveDesk::changed, this, &AuditPage::archiveChanged);
    connect(&around.archive, &ArchiveDesk::shownChanged, this, &AuditPage::refreshSentences);
    connect(&around.verdicts, &VerdictDesk::changed, &m_pause, qOverload<>(&QTimer::start));
    connect(m_desk, &AuditDesk::changed, this, [this] {
        m_bar->setState(m_desk->state());
        holdOrder();
        refreshEmpty();
    });
    connect(m_bar, &AuditBar::startRequested, this, [this] { start(m_bar->onlyShown()); });
    connect(m_bar, &AuditBar::pauseRequested, this, &AuditPage::pause);
    connect(m_bar, &AuditBar::stateChanged, this, &AuditPage::stateChanged);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_with.archive.table())
            start(false);
        else
            Q_EMIT openRequested();
    });
    connect(m_facets, &FacetTree::choiceChanged, this, [this] {
        m_filter->setChoice(m_facets->choice());
        refreshSentences();
    });
    connect(m_clear, &QPushButton::clicked, m_facets, &FacetTree::clearChoice);
    archiveChanged();
}

void AuditPage::build() {
    m_headline->setFont(m_theme.headingFont());
    m_subline->setProperty("role", "muted");
    m_subline->setFont(m_theme.captionFont());
    for (QLabel* label : {m_headline, m_subline}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_clear->setToolTip(tr("Untick every word and show every judged kernel"));
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    auto* sentences = new QVBoxLayout;
    sentences->setSpacing(4);
    sentences->addWidget(m_headline);
    sentences->addWidget(m_subline);
    head->addLayout(sentences, 1);
    head->addWidget(m_clear, 0, Qt::AlignBottom);

    m_split->setOrientation(Qt::Vertical);
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_facets);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 3);
    auto* pages = new QWidget;
    m_stack = new QStackedLayout(pages);
    m_stack->addWidget(m_split);
    m_stack->addWidget(m_empty);

    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(8, 8, 8, 8);
    topLayout->setSpacing(8);
    topLayout->addLayout(head);
    topLayout->addWidget(m_bar);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(top);
    layout->addWidget(pages, 1);
}

void AuditPage::buildTable() {
    m_table->setModel(m_filter);
    m_table->setAccessibleName(tr("Judged kernels"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(AuditModel::task, Qt::AscendingOrder);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    const int widths[] = {52, 120, 100, 96, 130, 72};
    for (int i = 0; i < AuditModel::columnCount_; ++i)
        header->resizeSection(i, widths[i]);
    // What was found and why comes first: the panel is narrow, and the claim is the archive's.
    header->moveSection(AuditModel::verdict, AuditModel::claim);
    header->moveSection(header->visualIndex(AuditModel::reasons), AuditModel::claim + 1);
    connect(header, &QHeaderView::sectionResized, this, &AuditPage::stateChanged);
    connect(m_table, &QTableView::activated, this, &AuditPage::openRow); // Return, and a double click on most systems
    // As in the Archive panel; Ctrl and Shift choose.
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_table->selectionModel()->selectedRows().size() == 1) openRow(index);
    });
    auto* copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &AuditPage::copyChosen);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &AuditPage::showRowMenu);
    m_table->viewport()->installEventFilter(this);
}

QModelIndexList AuditPage::chosenIndexes() const {
    QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    std::sort(chosen.begin(), chosen.end(),
              [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    if (chosen.isEmpty() && m_table->currentIndex().isValid()) chosen << m_table->currentIndex();
    return chosen;
}

void AuditPage::copyChosen() const {
    QStringList lines;
    for (const QModelIndex& index : chosenIndexes()) {
        QStringList cells{index.data(AuditModel::labelRole).toString()};
        for (int i = 0; i < AuditModel::columnCount_; ++i)
            cells << index.siblingAtColumn(i).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty()) QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void AuditPage::showRowMenu(const QPoint& position) {
    const QModelIndex index = m_table->indexAt(position);
    if (!index.isValid()) return;
    const QModelIndexList chosen = chosenIndexes();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const QPersistentModelIndex row(index);
    menu->addAction(tr("&Open"), this, [this, row] { openRow(row); })
        ->setToolTip(tr("Open this kernel with its verdict (Return)"));
    QAction* copy = menu->addAction(tr("&Copy"), this, &AuditPage::copyChosen);
    copy->setShortcut(QKeySequence::Copy);
    copy->setToolTip(tr("Copy the selected rows as a table, tabs between the columns"));
    menu->addSeparator();
    std::vector<std::uint32_t> rows;
    std::vector<std::int64_t> kernels, listed;
    for (const QModelIndex& each : chosen) {
        rows.push_back(each.data(AuditModel::tableRowRole).toUInt());
        kernels.push_back(each.data(AuditModel::idRole).toLongLong());
    }
    for (int i = 0; i < m_filter->rowCount(); ++i)
        listed.push_back(m_filter->index(i, 0).data(AuditModel::idRole).toLongLong());
    const QString obstacle = this->obstacle();
    QAction* again = menu->addAction(chosen.size() > 1 ? tr("&Judge the %1 selected kernels again").arg(chosen.size())
                                                       : tr("&Judge this kernel again"),
                                     this, [this, rows] { startRows(rows, true); });
    again->setEnabled(obstacle.isEmpty());
    again->setToolTip(obstacle.isEmpty() ? tr("Verify them once more; the new verdicts take the place of these")
                                         : tr("Not now: %1").arg(obstacle));
    menu->addSeparator();
    menu->addAction(tr("Export the &selection…"), this,
                    [this, kernels, listed] { Q_EMIT exportRequested(kernels, listed, true); })
        ->setToolTip(tr("Write the selected kernels and their verdicts as CSV, JSON lines or .cu files"));
    menu->addAction(tr("Export &all listed…"), this,
                    [this, kernels, listed] { Q_EMIT exportRequested(kernels, listed, false); })
        ->setToolTip(tr("Write every kernel of this list with its verdict, in this order"));
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

/// Verdicts come while the reader's mouse is on its way to a row: the list keeps its order until the audit is done and
/// the mouse has left.
void AuditPage::holdOrder() {
    if (m_desk->isRunning())
        m_filter->holdOrder(true);
    else if (!m_table->viewport()->underMouse())
        m_filter->holdOrder(false);
}

bool AuditPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Leave)
        QMetaObject::invokeMethod(this, &AuditPage::holdOrder, Qt::QueuedConnection); // once it has left
    return QWidget::eventFilter(watched, event);
}

void AuditPage::openRow(const QModelIndex& index) {
    if (index.isValid()) m_with.past.openJudged(index.data(AuditModel::idRole).toLongLong());
}

void AuditPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Qt::Orientation fitting = width() >= wideEnough ? Qt::Horizontal : Qt::Vertical;
    if (m_split->orientation() == fitting) return;
    m_split->setOrientation(fitting);
    const int space = fitting == Qt::Horizontal ? width() : m_split->height();
    const int facets = fitting == Qt::Horizontal ? 220 : std::max(160, space / 3);
    m_split->setSizes({facets, std::max(1, space - facets)});
}

QString AuditPage::obstacle() const {
    if (m_desk->isRunning()) return tr("an audit is running");
    const ArchiveDesk& archive = m_with.archive;
    if (!archive.table()) return tr("no archive is open");
    return archive.table()->size() == 0 ? tr("the archive is empty") : QString();
}

QString AuditPage::obstacle(bool onlyShown) const {
    if (const QString any = obstacle(); !any.isEmpty()) return any;
    const ArchiveDesk& archive = m_with.archive;
    if (onlyShown && (!archive.shown() || archive.shown()->rows.empty()))
        return tr("the Archive panel shows no kernel");
    return {};
}

void AuditPage::start(bool onlyShown) {
    if (!obstacle(onlyShown).isEmpty()) return;
    m_bar->setOnlyShown(onlyShown);
    const ArchiveDesk& archive = m_with.archive;
    std::vector<std::uint32_t> rows;
    if (onlyShown) {
        rows = archive.shown()->rows;
    } else {
        rows.resize(archive.table()->size());
        std::iota(rows.begin(), rows.end(), 0U);
    }
    startRows(std::move(rows));
}

void AuditPage::startRows(std::vector<std::uint32_t> rows, bool again) {
    if (!obstacle().isEmpty()) return;
    AuditRequest request;
    request.rows = std::move(rows);
    request.plan = m_bar->plan();
    request.plan.again = request.plan.again || again;
    request.jobs = m_bar->jobs();
    m_desk->start(std::move(request));
}

void AuditPage::archiveChanged() {
    m_facets->clearChoice();
    m_model->setTable(m_with.archive.table());
    refreshRows();
}

void AuditPage::refreshRows() {
    m_model->update(m_with.verdicts);
    refreshSentences();
    refreshEmpty();
}

void AuditPage::refreshSentences() {
    const auto& shown = m_with.archive.shown();
    m_bar->setKernels(std::int64_t(m_model->kernels()), shown ? std::int64_t(shown->rows.size()) : 0);
    m_facets->setCounts(audit::countFacets(m_model->facetRows(), m_facets->choice()));
    m_clear->setVisible(!m_facets->choice().isEmpty());
    const audit::ClaimCount claims = m_model->claims();
    if (claims.tried > 0)
        m_headline->setText(
            tr("%1 of the kernels that the archive calls correct stand: %2 of %3 tried.")
                .arg(percentText(claims.shareStanding()), wholeText(claims.standing), wholeText(claims.tried)));
    else
        m_headline->setText(m_model->rowCount() > 0 ? tr("The archive calls none of the tried kernels correct.")
                                                    : tr("How much of the archive stands?"));
    QStringList facts{tr("%1 of %2 kernels have a verdict")
                          .arg(wholeText(m_model->rowCount()), wholeText(std::int64_t(m_model->kernels())))};
    if (claims.claimed > 0) facts << tr("%1 are archived as correct").arg(wholeText(claims.claimed));
    if (claims.refuted > 0) facts << tr("%1 of these do not stand").arg(wholeText(claims.refuted));
    if (claims.undecided > 0) facts << tr("%1 are undecided").arg(wholeText(claims.undecided));
    if (const int stale = m_model->staleCount(); stale > 0) facts << tr("stale verdicts: %1").arg(wholeText(stale));
    if (!m_facets->choice().isEmpty()) facts << tr("%1 are listed").arg(wholeText(m_filter->rowCount()));
    m_subline->setText(facts.join(QStringLiteral(" · ")));
}

void AuditPage::refreshEmpty() {
    if (m_model->rowCount() > 0) {
        m_stack->setCurrentIndex(0);
        return;
    }
    m_stack->setCurrentIndex(1);
    if (!m_with.archive.table()) {
        m_empty->setTexts(tr("No archive is open"),
                          tr("An audit verifies every kernel of an archive and shows which of its claims stand."));
        m_empty->setAction(tr("Open an archive…"), tr("Open a Kernelarium archive, or import one from JSON lines"));
    } else if (m_desk->isRunning()) {
        m_empty->setTexts(tr("Waiting for the first verdicts"), tr("Kernels are listed here as they are judged."));
        m_empty->setAction({}, {});
    } else {
        m_empty->setTexts(
            tr("No kernel of this archive has been tried"),
            tr("An audit compiles and runs every kernel against its task's reference, stores the verdicts beside the "
               "archive, and shows here which of the archive's claims hold. It can be paused at any time."));
        m_empty->setAction(tr("Audit the archive"), tr("Verify every kernel of the open archive"));
    }
}

QString AuditPage::headline() const {
    return m_headline->text();
}

QString AuditPage::subline() const {
    return m_subline->text();
}

QByteArray AuditPage::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_table->horizontalHeader()->saveState() << m_bar->saveState();
    return state;
}

void AuditPage::restoreState(const QByteArray& state) {
    QByteArray header, bar;
    QDataStream in(state);
    in >> header >> bar;
    if (in.status() != QDataStream::Ok) return;
    m_table->horizontalHeader()->restoreState(header);
    m_bar->restoreState(bar);
}

} // namespace kernelarium::ui
