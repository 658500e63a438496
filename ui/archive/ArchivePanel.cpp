// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/ArchivePanel.h"

#include "core/archive/search/Condition.h"
#include "ui/archive/ArchiveButton.h"
#include "ui/archive/KernelRowMenu.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SearchField.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"

#include <QDataStream>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>
#include <set>

namespace kernelarium::ui {

namespace {
/// Verdicts come a few times a second while an audit runs; a list that is narrowed by them follows this often.
constexpr int verdictsPauseMs = 400;
} // namespace

ArchivePanel::ArchivePanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_filters(new FilterBar(theme, around.session))
    , m_model(new KernelTableModel(theme, this))
    , m_table(new KernelTableView(*m_model, theme))
    , m_archiveButton(new ArchiveButton(around.archive, theme))
    , m_status(new QLabel)
    , m_empty(new WrappedLabel)
    , m_emptyButton(new QPushButton)
    , m_eachButton(new QPushButton(tr("Look for each word"))) {
    m_status->setProperty("role", "muted");
    m_status->setFont(theme.captionFont());
    m_status->setContentsMargins(8, 4, 8, 4);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_status->setAccessibleName(tr("What the table shows"));
    auto* emptyPage = new QWidget;
    buildEmptyPage(emptyPage);
    auto* pages = new QWidget;
    m_stack = new QStackedLayout(pages);
    m_stack->addWidget(m_table);
    m_stack->addWidget(emptyPage);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filters);
    layout->addWidget(pages, 1);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(0);
    foot->addWidget(m_archiveButton);
    foot->addWidget(m_status, 1);
    layout->addLayout(foot);

    m_soon.setSingleShot(true); // several changes at once are one query
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, [this] { query(); });
    connect(m_filters, &FilterBar::changed, this, [this] {
        m_soon.start();
        Q_EMIT stateChanged();
    });
    connect(m_filters, &FilterBar::leftForTable, this, &ArchivePanel::focusTable);
    connect(m_filters, &FilterBar::saveWanted, this, [this](const QString& name) {
        session::SavedSearch search = m_filters->saved();
        search.name = name.toStdString();
        for (const auto& info : archive::sortColumns)
            if (info.column == m_sort) search.sort = info.word;
        search.descending = m_descending;
        m_with.session.saveSearch(search);
    });
    connect(m_filters, &FilterBar::savedRemoved, this, [this](const QString& name) {
        m_with.notices.post(tr("The search \"%1\" was deleted. Saved, Undo brings it back.").arg(name));
    });
    connect(m_filters, &FilterBar::savedChosen, this, &ArchivePanel::applySaved);
    connectTable();
    connect(&around.archive, &ArchiveDesk::changed, this, &ArchivePanel::archiveChanged);
    connect(&around.archive, &ArchiveDesk::arrivingChanged, this, &ArchivePanel::archiveChanged);
    connect(&around.bench, &Bench::kernelChanged, this, &ArchivePanel::followSelection);
    m_verdictsSoon.setSingleShot(true);
    m_verdictsSoon.setInterval(verdictsPauseMs);
    connect(&m_verdictsSoon, &QTimer::timeout, this, [this] { query(true); });
    connect(&around.verdicts, &VerdictDesk::changed, this, &ArchivePanel::takeVerdicts);
    m_filters->field().setVerdictWords([this](bool reasons) {
        std::set<std::string> known;
        for (const auto& verdict : m_with.verdicts.verdicts()) {
            const auto& words = reasons ? verdict.reasons : verdict.remarks;
            known.insert(words.begin(), words.end());
        }
        QStringList words;
        for (const std::string& word : known)
            words << QString::fromStdString(word);
        return words;
    });
    connect(m_table, &KernelTableView::filterRequested, this,
            [this](int column) { m_filters->field().beginField(KernelTableModel::searchField(column)); });
    archiveChanged();
}

void ArchivePanel::buildEmptyPage(QWidget* page) {
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->addStretch(1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "muted");
    layout->addWidget(m_empty);
    layout->addWidget(m_eachButton, 0, Qt::AlignHCenter);
    layout->addWidget(m_emptyButton, 0, Qt::AlignHCenter);
    m_eachButton->setToolTip(
        tr("Kernels with all of these words, in any order, in their names or code (all: in the search)"));
    connect(m_eachButton, &QPushButton::clicked, this, [this] { m_filters->setText(m_filters->searchForEachWord()); });
    layout->addStretch(2);
    connect(m_emptyButton, &QPushButton::clicked, this, [this] {
        if (m_with.archive.table() && m_filters->isFiltering())
            m_filters->reset();
        else
            Q_EMIT getRequested();
    });
}

void ArchivePanel::connectTable() {
    auto* menu =
        new KernelRowMenu({m_with.bench, m_with.trials, m_with.archive, *m_filters, *m_model, *m_table}, *this);
    connect(menu, &KernelRowMenu::exportRequested, this, &ArchivePanel::exportRequested);
    connect(menu, &KernelRowMenu::auditRequested, this, &ArchivePanel::auditRequested);
    connect(menu, &KernelRowMenu::likeRequested, this, &ArchivePanel::likeRequested);
    connect(menu, &KernelRowMenu::compareRequested, this, &ArchivePanel::compareRequested);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &ArchivePanel::sortBy);
    connect(m_table, &KernelTableView::columnsChanged, this, &ArchivePanel::stateChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ArchivePanel::rowChosen);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ArchivePanel::shownChanged);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (m_model->isUnfolded(index.row()))
            m_model->foldAgain(index.row());
        else
            m_model->unfold(index.row());
    });
}

void ArchivePanel::sortBy(int column, Qt::SortOrder order) {
    m_sort = KernelTableModel::sortColumn(column);
    m_descending = order == Qt::DescendingOrder;
    m_soon.start();
    Q_EMIT stateChanged();
}

void ArchivePanel::applySaved(const session::SavedSearch& search) {
    if (const auto sort = archive::sortColumnFromWord(search.sort))
        if (const int column = KernelTableModel::columnOf(*sort); column >= 0)
            m_table->horizontalHeader()->setSortIndicator(column,
                                                          search.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_filters->apply(search);
    focusTable();
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

QString ArchivePanel::status() const {
    return m_status->text();
}

void ArchivePanel::showEmpty(const QString& text, const QString& button, const QString& tip) {
    m_stack->setCurrentIndex(1);
    m_empty->setText(text);
    m_emptyButton->setText(button);
    m_emptyButton->setToolTip(tip);
    m_emptyButton->setVisible(!button.isEmpty());
    m_eachButton->hide();
}

void ArchivePanel::showNone() {
    const QString each = m_filters->searchForEachWord();
    const QString text =
        each.isEmpty()
            ? tr("No kernel matches.")
            : tr("No kernel matches. The words were searched for as one phrase, in this order and with these spaces.");
    showEmpty(text, m_filters->isFiltering() ? tr("Show every kernel") : QString(),
              tr("Clear the search and the filters"));
    m_eachButton->setVisible(!each.isEmpty());
}

void ArchivePanel::archiveChanged() {
    const ArchiveDesk& desk = m_with.archive;
    if (const auto& table = desk.arriving() ? desk.arriving() : desk.table()) {
        m_filters->setTable(*table);
        if (desk.table() && !m_pendingFilters.isEmpty()) m_filters->restoreState(std::exchange(m_pendingFilters, {}));
        query();
        return;
    }
    m_status->clear();
    if (isBusy(desk.stage())) {
        showEmpty(tr("Opening %1…").arg(desk.path()), {}, {});
        return;
    }
    const QString state = desk.stage() == Stage::failed
                              ? QString::fromStdString(desk.error().text())
                              : tr("The kernels of an archive are listed here, to search, sort and open.");
    showEmpty(state + tr("\n\nGet the published archive, or drop Parquet, JSON lines or .sqlite files here."),
              tr("Get the archive…"), tr("Download the published archive of 30,000 kernels and import it"));
}

void ArchivePanel::query(bool again) {
    m_soon.stop();
    auto query = m_filters->query();
    if (!query) return; // what was found before stays, beside what is wrong
    query->kernels.sort = m_sort;
    query->kernels.descending = m_descending;
    // An order by verdicts is not made anew with every verdict: rows would wander below the mouse.
    m_asksForVerdicts = query->condition && query->condition->asksForVerdicts();
    query->verdicts = m_with.verdicts.own();
    m_keepsPlace = again;
    m_with.archive.find(
        std::move(*query), [this](const ArchiveDesk::Answer& part) { showFound(part); },
        [this](Result<ArchiveDesk::Answer> found) {
            if (found)
                showFound(*found);
            else if (found.error().code == "bad_input")
                m_filters->showProblem(QString::fromStdString(found.error().text()), {});
            else if (found.error().code != "cancelled")
                m_status->setText(QString::fromStdString(found.error().text()));
        });
}

void ArchivePanel::takeVerdicts() {
    m_model->setVerdicts(m_with.verdicts.own());
    if (m_asksForVerdicts && !m_verdictsSoon.isActive()) m_verdictsSoon.start();
}

void ArchivePanel::showFound(const ArchiveDesk::Answer& found) {
    m_following = true; // a reset takes the selection away, which is not the user's doing
    const int place = m_table->verticalScrollBar()->value();
    m_model->show(found);
    m_model->setVerdicts(m_with.verdicts.own());
    if (m_with.archive.arriving() || m_keepsPlace) m_table->verticalScrollBar()->setValue(place);
    m_following = false;
    refreshStatus(*found);
    const bool none = found->rows.empty() && found->complete;
    m_stack->setCurrentIndex(none ? 1 : 0);
    if (none && found->table->size() == 0)
        showEmpty(tr("This archive is empty."), tr("Get the archive…"),
                  tr("Download the published archive and import it"));
    else if (none)
        showNone();
    followSelection();
    Q_EMIT shownChanged();
}

void ArchivePanel::refreshStatus(const ArchiveDesk::Found& found) {
    const auto number = [](std::size_t count) { return wholeText(std::int64_t(count)); };
    const std::size_t shown = found.rows.size() + found.foldedCount, all = found.table->size();
    QString text =
        shown == all ? tr("%1 kernels").arg(number(all)) : tr("%1 of %2 kernels").arg(number(shown), number(all));
    if (found.foldedCount > 0)
        text += tr(" as %1, %2 folded under others with the same code")
                    .arg(number(found.rows.size()), number(found.foldedCount));
    if (!found.complete) text += tr(", searching…");
    if (m_with.archive.arriving())
        text += found.codeSearched ? tr(" so far; their code opens when the import is done")
                                   : tr(" so far, searched by name only until the import is done");
    m_status->setText(text);
    m_status->setToolTip(text);
}

void ArchivePanel::followSelection() {
    const Kernel& kernel = m_with.bench.kernel();
    const ArchiveDesk& desk = m_with.archive;
    const qint64 tableRow =
        kernel.row && !desk.arriving() ? desk.rowOfLabel(QString::fromStdString(kernel.row->label())) : -1;
    const int row = tableRow < 0 ? -1 : m_model->rowOfTableRow(std::uint32_t(tableRow));
    m_following = true;
    if (row < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else if (!m_table->selectionModel()->isRowSelected(row)) { // one of several stays so
        m_table->setCurrentIndex(m_model->index(row, KernelTableModel::name));
        m_table->scrollTo(m_model->index(row, KernelTableModel::name));
    }
    m_following = false;
}

void ArchivePanel::rowChosen(const QModelIndex& index) {
    if (m_following || !index.isValid()) return;
    if (m_with.archive.arriving()) return; // said in the status line
    if (m_table->isChoosingSeveral()) return;
    int line = 0;
    if (const auto* place = m_model->place(index.row())) line = int(place->line);
    m_with.bench.openArchived(m_model->id(index.row()), line);
}

bool ArchivePanel::hasChosen() const {
    return !m_with.archive.arriving() &&
           (m_table->selectionModel()->hasSelection() || m_table->currentIndex().isValid());
}

std::vector<std::int64_t> ArchivePanel::chosenKernels() const {
    std::vector<std::int64_t> kernels;
    if (m_with.archive.arriving()) return kernels;
    for (const int row : m_table->chosenRows())
        kernels.push_back(m_model->id(row));
    return kernels;
}

std::vector<std::uint32_t> ArchivePanel::chosenRows() const {
    std::vector<std::uint32_t> rows;
    if (m_with.archive.arriving()) return rows;
    for (const int row : m_table->chosenRows())
        rows.push_back(m_model->rowOfTable(row));
    return rows;
}

std::vector<std::int64_t> ArchivePanel::shownKernels() const {
    std::vector<std::int64_t> kernels;
    const auto& shown = m_with.archive.shown();
    if (!shown || m_with.archive.arriving()) return kernels;
    for (const auto row : shown->rows)
        kernels.push_back(shown->table->id[row]);
    return kernels;
}

QByteArray ArchivePanel::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_table->saveHeader() << (m_pendingFilters.isEmpty() ? m_filters->saveState() : m_pendingFilters);
    return state;
}

void ArchivePanel::restoreState(const QByteArray& state) {
    QByteArray header, filters;
    QDataStream in(state);
    in >> header >> filters;
    if (in.status() != QDataStream::Ok) return;
    m_table->restoreHeader(header);
    if (m_with.archive.table())
        m_filters->restoreState(filters);
    else
        m_pendingFilters = filters;
}

} // namespace kernelarium::ui
