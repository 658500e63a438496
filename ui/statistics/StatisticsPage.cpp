// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/StatisticsPage.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/statistics/StatisticsSection.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <cmath>

namespace kernelarium::ui {

StatisticsPage::StatisticsPage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_desk(new StatisticsDesk(around.archive, around.verdicts, this))
    , m_headline(new LinkedLabel)
    , m_subline(new LinkedLabel)
    , m_back(new QToolButton)
    , m_scope(new QComboBox)
    , m_again(new QPushButton(tr("Compute again")))
    , m_list(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_body(new QStackedWidget)
    , m_empty(new EmptyState(theme, QStringLiteral("statistics")))
    , m_fastOf(new QComboBox) {
    setObjectName(QStringLiteral("statistics")); // the help page's name, too
    buildSections();
    build();
    connect(m_desk, &StatisticsDesk::changed, this, &StatisticsPage::refresh);
    connect(m_back, &QToolButton::clicked, this, &StatisticsPage::backRequested);
    connect(m_again, &QPushButton::clicked, m_desk, &StatisticsDesk::again);
    connect(m_scope, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_desk->setScope(index == 0 ? StatisticsDesk::Scope::archive : StatisticsDesk::Scope::shown);
        Q_EMIT stateChanged();
    });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row < 0) return;
        fill(Section(row));
        m_stack->setCurrentIndex(row);
        Q_EMIT stateChanged();
    });
    connect(m_fastOf, &QComboBox::currentIndexChanged, this, [this] {
        m_outdated[fast] = true;
        if (m_list->currentRow() == fast) fill(fast);
    });
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_with.archive.table())
            m_desk->again();
        else
            Q_EMIT openRequested();
    });
    connect(&theme, &Theme::changed, this, [this] { m_back->setIcon(m_theme.icon(QStringLiteral("back"))); });
    m_list->setCurrentRow(overview);
    refresh();
}

FigureView* StatisticsPage::newTable() {
    auto* view = new FigureView(m_theme);
    connect(view, &FigureView::drilled, this, &StatisticsPage::follow);
    connect(view, &FigureView::kernelRequested, this, [this](qint64 id) { m_with.past.openJudged(id); });
    return view;
}

ChartPlot* StatisticsPage::newChart() {
    auto* plot = new ChartPlot(m_theme);
    connect(plot, &ChartPlot::drilled, this, &StatisticsPage::follow);
    return plot;
}

void StatisticsPage::buildSections() {
    const std::array<std::pair<QString, QString>, sectionCount> texts{{
        {tr("Overview"),
         tr("Kernels by level and by what their operator mostly computes. Correctness and speed-ups "
            "are the archive's claims; \"solved\" "
            "is the share of tasks with a correct kernel, of those with a claim. Click a number to see its kernels.")},
        {tr("Tasks"),
         tr("Every task, and below the kernels of the chosen one in the order of their archived speed-up.")},
        {tr("fast_p"), tr("KernelBench's fast_p: the share that is correct and more than p times as fast. With many "
                          "kernels of a task, its best one counts.")},
        {tr("Speed-ups"), tr("Correct kernels by archived speed-up, ten bins to a power of ten.")},
        {tr("Errors"), tr("Where the kernels failed that the archive does not call correct.")},
        {tr("Names"),
         tr("Words in kernel names, and how kernels with them compare with the other correct kernels of their task, so "
            "that easy tasks do not favour a word. Words of fewer than three kernels are left out.")},
        {tr("Profiles"), QString()},
        {tr("Contradictions"),
         tr("Archived as correct, and refuted by a verdict of ours. Both are shown; neither is hidden by the other.")},
        {tr("Kernels"), tr("Click a number anywhere: kernels that a search cannot name are listed here.")},
    }};
    m_list->setAccessibleName(tr("Sections of the statistics"));
    for (int i = 0; i < sectionCount; ++i) {
        const auto& [title, sentence] = texts[std::size_t(i)];
        m_list->addItem(title);
        m_pages[std::size_t(i)] = new StatisticsSection(m_theme, title, sentence);
        m_stack->addWidget(m_pages[std::size_t(i)]);
        connect(m_pages[std::size_t(i)], &StatisticsSection::drilled, this, &StatisticsPage::follow);
        connect(m_pages[std::size_t(i)], &StatisticsSection::failed, this,
                [this](const QString& text) { m_with.notices.post(text, true); });
    }
    const auto addTable = [this](Section section, const QString& heading, int stretch = 1) {
        m_tables[section].push_back(newTable());
        m_pages[section]->addTable(m_tables[section].back(), heading, stretch);
    };
    const auto addChart = [this](Section section) {
        m_charts[section] = newChart();
        m_pages[section]->addChart(m_charts[section]);
    };
    addTable(overview, {});
    addTable(tasks, {}, 3);
    addTable(tasks, tr("Ranks"), 2);
    addChart(fast);
    addChart(speedups);
    addTable(errors, {});
    addChart(words);
    addTable(words, {});
    addTable(profiles, tr("Fast and slow kernels of a task"), 3);
    addTable(profiles, tr("clang-tidy warnings"), 2);
    addTable(profiles, tr("Rules of Nsight Compute"), 2);
    addTable(contradictions, {});
    addTable(kernels, {});
    m_tables[profiles][1]->setEmptyText(tr("No kernel has an archived warning of clang-tidy."));
    m_tables[profiles][2]->setEmptyText(tr("No kernel has an archived rule of Nsight Compute that warned."));
    m_tables[contradictions][0]->setEmptyText(tr("No verdict of ours contradicts the archive."));
    m_tables[kernels][0]->setEmptyText(tr("Nothing is listed yet: click a number in another section."));
    m_fastOf->addItems({tr("Tasks"), tr("Kernels")});
    m_fastOf->setAccessibleName(tr("Share of"));
    m_fastOf->setToolTip(tr("Of tasks, by their best kernel, or of kernels"));
    m_pages[fast]->addControl(m_fastOf);
    connect(m_tables[tasks][0], &FigureView::rowEntered, this, [this](int row) {
        if (row < 0) return;
        m_rankLevel = m_tables[tasks][0]->rowAt(row).level;
        m_rankTask = m_tables[tasks][0]->rowAt(row).task;
        refreshRanks();
    });
}

QWidget* StatisticsPage::buildHead() {
    m_headline->setFont(m_theme.headingFont());
    m_subline->setProperty("role", "muted");
    m_subline->setFont(m_theme.captionFont());
    for (LinkedLabel* label : {m_headline, m_subline})
        connect(label, &LinkedLabel::drilled, this, &StatisticsPage::follow);
    m_back->setIcon(m_theme.icon(QStringLiteral("back")));
    m_back->setText(tr("Editor"));
    m_back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_back->setToolTip(tr("Back to the kernel (Alt+0)"));
    m_back->setAutoRaise(true);
    m_back->setFocusPolicy(Qt::TabFocus);
    m_scope->addItems({tr("The whole archive"), tr("What the Archive panel shows")});
    m_scope->setAccessibleName(tr("What the statistics cover"));
    m_scope->setToolTip(tr("The whole archive, or the kernels that match the filters of the Archive panel"));
    m_again->setToolTip(tr("Compute what was cancelled or failed"));
    m_again->hide();
    auto* sentences = new QVBoxLayout;
    sentences->setSpacing(4);
    sentences->addWidget(m_headline);
    sentences->addWidget(m_subline);
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_back, 0, Qt::AlignTop);
    layout->addLayout(sentences, 1);
    layout->addWidget(m_again, 0, Qt::AlignTop);
    layout->addWidget(m_scope, 0, Qt::AlignTop);
    return head;
}

void StatisticsPage::build() {
    auto* split = new QSplitter;
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    m_list->setMinimumWidth(128);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // "Contradictions 17" fits
    m_list->setProperty("role", "sections");
    split->addWidget(m_list);
    split->addWidget(m_stack);
    split->setStretchFactor(1, 1);
    split->setSizes({124, 800});
    m_body->addWidget(split);
    m_body->addWidget(m_empty);
    auto* line = new QFrame;
    line->setProperty("role", "hairline");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(line);
    layout->addWidget(m_body, 1);
}

void StatisticsPage::focusFirst() {
    QWidget* const places[] = {m_list, m_empty->button(), m_back};
    for (QWidget* place : places)
        if (place->isVisibleTo(this)) return place->setFocus(Qt::ShortcutFocusReason);
}

void StatisticsPage::showSection(Section section) {
    m_list->setCurrentRow(section);
}

FigureView* StatisticsPage::table(Section section, int place) {
    fill(section);
    return m_tables[section][std::size_t(place)];
}

ChartPlot* StatisticsPage::chart(Section section) {
    fill(section);
    return m_charts[section];
}

QString StatisticsPage::headline() const {
    return m_headline->sentence();
}
QString StatisticsPage::subline() const {
    return m_subline->sentence();
}

void StatisticsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_desk->setWanted(true);
}

void StatisticsPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_desk->setWanted(false);
}

/// The Archive panel shows what a search can say; the rest is listed here.
void StatisticsPage::follow(const DrillPointer& drill) {
    if (drill->search) {
        Q_EMIT searchRequested(*drill->search);
        return;
    }
    m_pages[kernels]->setSentence(tr("%1: listing…").arg(drill->title));
    showSection(kernels);
    m_tables[kernels][0]->setFocus(Qt::OtherFocusReason);
    m_desk->list(drill, [this, drill, of = m_shown](Result<std::shared_ptr<FigureTable>> listed) {
        if (!listed || of != m_shown) return; // replaced, or of other numbers by now
        const auto count = std::int64_t((*listed)->rows.size());
        m_tables[kernels][0]->setTable(std::move(**listed));
        m_pages[kernels]->setSentence(
            tr("%1: %2 kernels. Double click or Return opens one.").arg(drill->title, wholeText(count)));
    });
}

QByteArray StatisticsPage::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(m_list->currentRow()) << qint32(m_scope->currentIndex()) << qint32(m_fastOf->currentIndex());
    return state;
}

void StatisticsPage::restoreState(const QByteArray& state) {
    qint32 section = 0, scope = 0, fastOf = 0;
    QDataStream in(state);
    in >> section >> scope >> fastOf;
    if (in.status() != QDataStream::Ok) return;
    if (section >= 0 && section < kernels) m_list->setCurrentRow(section);
    m_scope->setCurrentIndex(scope == 1 ? 1 : 0);
    m_fastOf->setCurrentIndex(fastOf == 1 ? 1 : 0);
}

} // namespace kernelarium::ui
