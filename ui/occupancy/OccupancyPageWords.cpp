// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is put together, and what it says.
#include "core/perf/DeviceSpec.h"
#include "ui/desks/CompileDesk.h"
#include "ui/occupancy/OccupancyPage.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/PageHead.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

using perf::BlockNeed;

constexpr int wideEnough = 720;  ///< logical pixels for three charts side by side
constexpr int chartHeight = 220; ///< the least

void keepToPlainText(QLabel& label) {
    label.setTextFormat(Qt::PlainText);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.setWordWrap(true);
}

} // namespace

void OccupancyPage::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(8, 8, 8, 8);
    topLayout->setSpacing(8);
    topLayout->addWidget(buildHead());
    topLayout->addWidget(buildFields());
    auto* line = new QFrame;
    line->setProperty("role", "hairline");
    layout->addWidget(top);
    layout->addWidget(line);
    layout->addWidget(buildBody(), 1);
}

QWidget* OccupancyPage::buildHead() {
    m_hint->setProperty("role", "muted");
    m_hint->setFont(m_theme.captionFont());
    keepToPlainText(*m_hint);
    m_head->headline().setAccessibleName(tr("Occupancy"));
    m_next->setToolTip(tr("Fetch what is missing for the kernel's own numbers"));
    auto* nextRow = new QWidget; // a widget: a layout of hidden ones would hold the others narrow
    auto* next = new QHBoxLayout(nextRow);
    next->setContentsMargins(0, 0, 0, 0);
    next->setSpacing(8);
    next->addWidget(m_hint, 1);
    next->addWidget(m_next);
    m_head->addRow(nextRow);
    return m_head;
}

QWidget* OccupancyPage::buildFields() {
    auto* fields = new QWidget;
    auto* grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    int column = 0;
    const auto add = [&](const QString& title, const QString& tip, QWidget* field, int stretch) {
        auto* label = new QLabel(title);
        label->setBuddy(field);
        field->setAccessibleName(title);
        field->setToolTip(tip);
        grid->addWidget(label, 0, column);
        grid->addWidget(field, 1, column);
        grid->setColumnStretch(column++, stretch);
    };
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(12);
    add(tr("Kernel"), tr("Which kernel of the text, and which of its launches"), m_kernels, 3);
    for (const perf::ArchitectureLimits& a : perf::architectureLimits()) {
        const QString arch = QString::fromUtf8(a.arch.data(), qsizetype(a.arch.size()));
        m_archs->addItem(arch, arch);
    }
    add(tr("Architecture"), tr("Whose multiprocessor holds the blocks; the target's at first"), m_archs, 1);
    const QString titles[] = {tr("Threads"), tr("Registers"), tr("Shared memory")};
    for (const BlockNeed need : perf::blockNeeds) {
        QSpinBox& box = field(need);
        box.setMinimum(need == BlockNeed::threads ? 1 : 0);
        box.setKeyboardTracking(true);
        add(titles[std::size_t(need)], titleOf(need), &box, 1);
    }
    field(BlockNeed::threads).setSingleStep(int(perf::lanesOfWarp));
    field(BlockNeed::registers).setSpecialValueText(tr("unknown"));
    field(BlockNeed::sharedBytes).setSingleStep(1024);
    field(BlockNeed::sharedBytes).setSuffix(tr(" bytes"));
    m_reset->setToolTip(tr("Take back the numbers that were tried"));
    grid->addWidget(m_reset, 1, column);
    return fields;
}

QWidget* OccupancyPage::buildBody() {
    m_table->setColumnCount(6);
    m_table->setHorizontalHeaderLabels(
        {tr("Resource"), tr("A block takes"), tr("There are"), tr("Blocks that fit"), tr("Next step"), tr("Room")});
    m_table->setAccessibleName(tr("What a block takes of a multiprocessor"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    fitColumns();
    keepToPlainText(*m_oneMore);
    m_oneMore->setContentsMargins(8, 4, 8, 4);
    m_chartRow = new QBoxLayout(QBoxLayout::LeftToRight);
    m_chartRow->setSpacing(1);
    for (ChartPlot* chart : m_charts) {
        chart->setMinimumHeight(chartHeight);
        m_chartRow->addWidget(chart, 1);
    }
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table);
    layout->addWidget(m_oneMore);
    layout->addLayout(m_chartRow, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

void OccupancyPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_chartRow->setDirection(width() >= wideEnough ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

QString OccupancyPage::headWords() const {
    const perf::Occupancy o = perf::occupancyOf(m_block.tried, m_block.limits);
    if (o.blocks == 0) return tr("No block fits on a multiprocessor of %1").arg(m_archs->currentText());
    QStringList limits;
    for (const perf::OccupancyLimit limit : o.limits())
        limits << nameOf(limit);
    return tr("%1 resident on a multiprocessor of %2: %3 of %4 warps (%5), limited by %6")
        .arg(o.blocks == 1 ? tr("1 block") : tr("%1 blocks").arg(wholeText(o.blocks)), m_archs->currentText(),
             wholeText(o.warps), wholeText(m_block.limits.warps), percentText(o.share), limits.join(tr(" and ")));
}

QString OccupancyPage::originWords() const {
    const verify::LaunchedBlock* block = chosen();
    if (!block) return {};
    QStringList words;
    if (block->launches > 0) {
        words << (block->launches == 1 ? tr("One launch of %1 blocks").arg(gridText(block->grid))
                                       : tr("%1 launches of %2 blocks each")
                                             .arg(wholeText(std::int64_t(block->launches)), gridText(block->grid)));
        const perf::DeviceSpec* device = perf::findDeviceSpec(m_with.place.target().device.toStdString());
        const double held = double(perf::residentBlocks(m_block.tried, m_block.limits));
        if (device && m_triedArch.isEmpty() &&
            perf::limitsOf(device->arch) == perf::limitsOf(archNow().toStdString()) && held > 0) {
            const double blocks = double(block->grid[0]) * block->grid[1] * block->grid[2];
            words << tr("%1 waves on %2")
                         .arg(numberText(blocks / (held * device->multiprocessors)),
                              QString::fromStdString(device->name));
        }
        if (m_areOfEarlierText) words << tr("as an earlier text launched it");
    } else if (block->needs.threads > 0) {
        words << tr("not launched yet: its launch bounds stand for the block");
    }
    const QString compiledFor = QString::fromStdString(m_with.compiler.state().answer->arch);
    if (!m_triedArch.isEmpty() && m_triedArch != compiledFor)
        words << tr("registers are those of %1: another architecture may take others").arg(compiledFor);
    if (block->needs.registers == 0) words << tr("its registers are not known, and limit nothing");
    return words.join(QStringLiteral(" · "));
}

void OccupancyPage::sayWhatNext() {
    const CompileState& compiled = m_with.compiler.state();
    QString hint, button;
    if (m_with.bench.kernel().isEmpty()) {
        hint = tr("These are numbers to try. Put a kernel on the bench to see its own.");
        button = tr("Go to the Archive panel");
    } else if (isBusy(compiled.stage) && !compiled.answer) {
        hint = tr("The kernel's own numbers come from the compiler, which is at work…");
    } else if (compiled.stage == Stage::failed) {
        hint = QString::fromStdString(compiled.error.text());
    } else if (!compiled.answer || !compiled.answer->ok) {
        hint = tr("The text does not compile: these are numbers to try. Diagnostics (Alt+4) says what is wrong.");
    } else if (m_blocks.empty()) {
        hint = tr("There is no kernel in this text: these are numbers to try.");
    } else if (chosen() && chosen()->launches == 0) {
        hint = tr("How many threads and how much dynamic shared memory its launches have is known once it ran: verify "
                  "it, or count.");
        button = tr("Count");
    }
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_next->setText(button);
    m_next->setVisible(!button.isEmpty());
}

} // namespace kernelarium::ui
