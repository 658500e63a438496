// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/occupancy/OccupancyPage.h"

#include "ui/desks/CompileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/widgets/PageHead.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <algorithm>

namespace kernelarium::ui {

namespace {

using perf::BlockNeed;

/// What stands in the fields while nothing is known of a kernel.
constexpr perf::BlockNeeds anyBlock{256, 32, 0, 0};

/// The launches that are known, those of the text as it stands before others, and the text that they are of.
struct KnownLaunches {
    std::vector<verify::Launch> launches;
    quint64 generation = 0;
};
KnownLaunches knownLaunches(const RunDesk& runner, quint64 generation) {
    std::vector<KnownLaunches> all;
    if (const ProfileState& state = runner.profileState(); state.answer)
        all.push_back({protocol::launchesOf(*state.answer), state.answered});
    if (const RunState& state = runner.runState(); state.answer)
        all.push_back({state.answer->launches, state.answered});
    if (const VerifyState& state = runner.verifyState(); state.answer)
        all.push_back({state.answer->launches, state.answered});
    std::erase_if(all, [](const KnownLaunches& known) { return known.launches.empty(); });
    const auto current = std::find_if(all.begin(), all.end(),
                                      [&](const KnownLaunches& known) { return known.generation == generation; });
    return current != all.end() ? *current : all.empty() ? KnownLaunches() : all.front();
}

} // namespace

OccupancyPage::OccupancyPage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_head(new PageHead(theme))
    , m_hint(new WrappedLabel)
    , m_next(new QPushButton)
    , m_kernels(new QComboBox)
    , m_archs(new QComboBox)
    , m_reset(new QPushButton(tr("As the kernel has it")))
    , m_table(new QTableWidget)
    , m_oneMore(new WrappedLabel) {
    setObjectName(QStringLiteral("occupancy")); // the help page's name, too
    for (const BlockNeed need : perf::blockNeeds) {
        m_fields[std::size_t(need)] = new QSpinBox;
        m_charts[std::size_t(need)] = new ChartPlot(theme);
    }
    build();
    m_pause.setSingleShot(true);
    m_pause.setInterval(0);
    connect(&m_pause, &QTimer::timeout, this, &OccupancyPage::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, [this] {
        forgetTried();
        m_chosen.clear();
        refreshSoon();
    });
    connect(&around.compiler, &CompileDesk::changed, this, &OccupancyPage::refreshSoon);
    for (auto signal : {&RunDesk::profileChanged, &RunDesk::runChanged, &RunDesk::verifyChanged})
        connect(&around.runner, signal, this, &OccupancyPage::refreshSoon);
    connect(&around.place, &Place::changed, this, &OccupancyPage::refreshSoon);
    connect(m_head, &PageHead::backRequested, this, &OccupancyPage::backRequested);
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_with.bench.kernel().isEmpty())
            Q_EMIT chooseRequested();
        else
            Q_EMIT countRequested();
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        forgetTried();
        refresh();
    });
    connect(m_kernels, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling) return;
        m_chosen = m_kernels->currentText();
        forgetTried();
        refresh();
    });
    connect(m_archs, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling) return;
        const QString arch = m_archs->currentData().toString();
        m_triedArch = arch == m_with.place.target().arch ? QString() : arch;
        refresh();
    });
    for (const BlockNeed need : perf::blockNeeds) {
        connect(&field(need), &QSpinBox::valueChanged, this, [this, need](int value) { tryValue(need, value); });
        PlotCanvas& canvas = chart(need).canvas();
        connect(&canvas, &PlotCanvas::markActivated, this,
                [this, need](int mark) { tryValue(need, int(valueOfPoint(need, chart(need).plot().point(mark)))); });
    }
    refresh();
}

void OccupancyPage::focusFirst() {
    m_fields.front()->setFocus(Qt::ShortcutFocusReason);
}

QString OccupancyPage::headline() const {
    return m_head->headline().text();
}
QString OccupancyPage::subline() const {
    return m_head->subline().text();
}
QString OccupancyPage::hint() const {
    return m_hint->text();
}

void OccupancyPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_pause.start(); // the page is seen first: three charts at once take longer than a frame
}

void OccupancyPage::refreshSoon() {
    if (isVisible()) m_pause.start();
}

void OccupancyPage::forgetTried() {
    m_tried = {};
    m_triedArch.clear();
}

void OccupancyPage::tryValue(BlockNeed need, int value) {
    if (m_filling) return;
    m_tried[std::size_t(need)] = std::uint32_t(value);
    refresh();
}

const verify::LaunchedBlock* OccupancyPage::chosen() const {
    const int at = m_kernels->currentData().toInt();
    return at >= 0 && at < int(m_blocks.size()) ? &m_blocks[std::size_t(at)] : nullptr;
}

QString OccupancyPage::archNow() const {
    return m_triedArch.isEmpty() ? m_with.place.target().arch : m_triedArch;
}

void OccupancyPage::readBench() {
    m_blocks.clear();
    m_areOfEarlierText = false;
    const CompileState& compiled = m_with.compiler.state();
    if (m_with.bench.kernel().isEmpty() || !compiled.answer || !compiled.answer->ok) return;
    const KnownLaunches known = knownLaunches(m_with.runner, m_with.bench.generation());
    m_areOfEarlierText = !known.launches.empty() && known.generation != m_with.bench.generation();
    m_blocks = verify::launchedBlocks(protocol::kernelNeedsOf(*compiled.answer), known.launches);
}

void OccupancyPage::fillKernels() {
    const QScopedValueRollback quiet(m_filling, true);
    m_kernels->clear();
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const verify::LaunchedBlock& block = m_blocks[i];
        const QString name = QString::fromStdString(block.kernel);
        const bool several = std::count_if(m_blocks.begin(), m_blocks.end(),
                                           [&](const auto& other) { return other.kernel == block.kernel; }) > 1;
        m_kernels->addItem(several ? tr("%1, grid of %2").arg(name, gridText(block.grid)) : name, int(i));
    }
    if (m_blocks.empty()) m_kernels->addItem(tr("None: numbers to try"), -1);
    m_kernels->setEnabled(!m_blocks.empty());
    if (const int again = m_kernels->findText(m_chosen); again >= 0) m_kernels->setCurrentIndex(again);
    const QString arch = archNow();
    m_archs->setCurrentIndex(m_archs->findData(arch));
}

void OccupancyPage::refresh() {
    m_pause.stop();
    readBench();
    fillKernels();
    const QString arch = archNow();
    const perf::MultiprocessorLimits* limits = perf::limitsOf(arch.toStdString());
    if (!limits) { // of an architecture that is newer than this program: another one is to be chosen
        limits = perf::limitsOf("sm_90");
        const QScopedValueRollback quiet(m_filling, true);
        m_triedArch = QStringLiteral("sm_90");
        m_archs->setCurrentIndex(m_archs->findData(m_triedArch));
    }
    m_block.limits = *limits;
    m_block.own = chosen() ? chosen()->needs : perf::BlockNeeds{};
    m_block.tried = chosen() ? m_block.own : anyBlock;
    if (m_block.tried.threads == 0) m_block.tried.threads = anyBlock.threads;
    for (const BlockNeed need : perf::blockNeeds)
        if (const auto value = m_tried[std::size_t(need)]) m_block.tried = perf::with(m_block.tried, need, *value);
    fillFields();
    fillTable();
    for (const BlockNeed need : perf::blockNeeds)
        chart(need).setData(occupancyChart(need, m_block));
    m_head->headline().setText(headWords());
    m_head->subline().setText(originWords());
    m_head->subline().setVisible(!m_head->subline().text().isEmpty());
    m_reset->setEnabled(!m_triedArch.isEmpty() ||
                        std::any_of(m_tried.begin(), m_tried.end(), [](const auto& t) { return t.has_value(); }));
    sayWhatNext();
}

void OccupancyPage::fillFields() {
    const QScopedValueRollback quiet(m_filling, true);
    for (const BlockNeed need : perf::blockNeeds) {
        const std::uint32_t value = perf::valueOf(m_block.tried, need);
        QSpinBox& box = field(need);
        box.setMaximum(int(std::max(value, perf::mostOf(need, m_block.limits))));
        box.setValue(int(value));
    }
}

void OccupancyPage::fitColumns() {
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(4, QHeaderView::Stretch);
}

void OccupancyPage::fillTable() {
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed); // else all cells are measured for each one
    const auto rows = resourceRows(m_block.tried, m_block.limits);
    m_table->setRowCount(int(rows.size()));
    for (int r = 0; r < int(rows.size()); ++r) {
        const ResourceRow& row = rows[std::size_t(r)];
        const QString cells[] = {row.name,  row.taken,
                                 row.there, row.limits ? tr("%1, the limit").arg(row.blocks) : row.blocks,
                                 row.next,  row.room};
        for (int c = 0; c < m_table->columnCount(); ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            QFont font = m_table->font();
            font.setBold(row.limits && c <= 3);
            item->setFont(font);
            item->setToolTip(cells[c]);
            m_table->setItem(r, c, item);
        }
    }
    fitColumns();
    const int height = m_table->horizontalHeader()->sizeHint().height() +
                       int(rows.size()) * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth();
    m_table->setFixedHeight(height);
    const perf::Occupancy o = perf::occupancyOf(m_block.tried, m_block.limits);
    const bool single = !perf::gainsOf(m_block.tried, m_block.limits).empty();
    m_oneMore->setText(single ? QString() : QString::fromStdString(o.oneMore));
    m_oneMore->setVisible(!m_oneMore->text().isEmpty());
}

} // namespace kernelarium::ui
