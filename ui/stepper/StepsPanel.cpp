// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/StepsPanel.h"

#include "ui/desks/StepDesk.h"
#include "ui/stepper/AccessModel.h"
#include "ui/stepper/LaneStrip.h"
#include "ui/stepper/RegisterModel.h"
#include "ui/stepper/SharedModel.h"
#include "ui/stepper/StepControls.h"
#include "ui/stepper/StepTargetBar.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Trials.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
enum StepPage { emptyStepPage, recordedStepPage };

QString stepPlaceText(const recording::Place& p) {
    return QStringLiteral("(%1, %2, %3)").arg(p[0]).arg(p[1]).arg(p[2]);
}
} // namespace

StepsPanel::StepsPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_registers(new RegisterModel(m_walk, theme, this))
    , m_shared(new SharedModel(m_walk, theme, this))
    , m_accesses(new AccessModel(m_walk, this))
    , m_bar(new StepTargetBar)
    , m_controls(new StepControls(m_walk, theme))
    , m_lanes(new LaneStrip(m_walk, theme))
    , m_registerView(table(m_registers, tr("Registers")))
    , m_sharedView(table(m_shared, tr("Shared memory")))
    , m_accessView(table(m_accesses, tr("Memory accesses of the step")))
    , m_notice(new WrappedLabel)
    , m_instruction(new QLabel)
    , m_memory(new QLabel)
    , m_empty(new EmptyState(theme, QStringLiteral("next")))
    , m_pages(new QStackedWidget) {
    build();
    connect(m_bar, &StepTargetBar::recordRequested, this, &StepsPanel::record);
    connect(m_empty, &EmptyState::actionRequested, this, &StepsPanel::record);
    connect(&m_walk, &StepWalk::moved, this, &StepsPanel::refreshStep);
    connect(&around.stepper, &StepDesk::changed, this, &StepsPanel::refresh);
    connect(&around.stepper, &StepDesk::recorded, this, &StepsPanel::takeRecording);
    connect(&around.trials, &Trials::busyChanged, this, &StepsPanel::refresh);
    connect(&around.bench, &Bench::sourceChanged, this, &StepsPanel::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, &StepsPanel::refresh);
    refresh();
}

QTableView* StepsPanel::table(QAbstractItemModel* model, const QString& name) {
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setTabKeyNavigation(false);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->verticalHeader()->setDefaultSectionSize(20);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setHighlightSections(false);
    return view;
}

void StepsPanel::build() {
    m_pages->addWidget(m_empty);
    m_pages->addWidget(stepsPage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_pages, 1);
}

QWidget* StepsPanel::stepsPage() {
    for (QLabel* label : {m_notice, m_instruction, m_memory}) {
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(8, 2, 8, 2);
    }
    m_instruction->setFont(m_theme.codeFont());
    m_instruction->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_instruction->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_memory->setProperty("role", "muted");
    m_memory->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_registerView->horizontalHeader()->setStretchLastSection(true);
    m_registerView->horizontalHeader()->resizeSection(RegisterModel::name, 88);
    m_registerView->horizontalHeader()->resizeSection(RegisterModel::type, 48);
    m_registerView->horizontalHeader()->resizeSection(RegisterModel::value, 128);
    m_accessView->horizontalHeader()->setStretchLastSection(true);
    m_accessView->horizontalHeader()->resizeSection(AccessModel::lane, 48);
    m_accessView->horizontalHeader()->resizeSection(AccessModel::where, 176);
    m_sharedView->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_sharedView->verticalHeader()->show();
    m_sharedView->horizontalHeader()->setDefaultSectionSize(68);
    m_sharedView->setFont(m_theme.captionFont());

    auto* memory = new QSplitter(Qt::Vertical);
    memory->addWidget(m_accessView);
    memory->addWidget(m_sharedView);
    auto* split = new QSplitter;
    split->addWidget(m_registerView);
    split->addWidget(memory);
    for (QSplitter* s : {memory, split}) {
        s->setHandleWidth(1);
        s->setChildrenCollapsible(false);
    }
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_controls);
    layout->addWidget(m_notice);
    layout->addWidget(m_instruction);
    auto* strip = new QHBoxLayout;
    strip->setContentsMargins(8, 2, 8, 2);
    strip->addWidget(m_lanes);
    layout->addLayout(strip);
    layout->addWidget(m_memory);
    layout->addWidget(split, 1);
    return page;
}

void StepsPanel::record() {
    if (m_with.bench.kernel().isEmpty()) return;
    m_with.trials.stepThrough(m_bar->target());
}

void StepsPanel::takeRecording() {
    const RecordingState& state = m_with.stepper.state();
    m_walk.setRecording(state.answer, state.answer->lineStep, state.target.lane);
    m_bar->setTarget(state.target);
    refresh();
}

bool StepsPanel::isShowingSteps() const {
    return m_pages->currentIndex() == recordedStepPage;
}

QString StepsPanel::notice() const {
    return m_notice->text();
}

void StepsPanel::refresh() {
    const RecordingState& state = m_with.stepper.state();
    const bool hasKernel = !m_with.bench.kernel().isEmpty();
    const bool busy = isBusy(state.stage);
    m_bar->setUsable(hasKernel && !busy, hasKernel ? tr("a recording is being made") : tr("choose a kernel first"));
    if (!state.answer && !m_walk.isEmpty()) {
        m_walk.setRecording(nullptr, std::nullopt, 0);
        m_with.bench.setStepLine(0);
    }
    m_pages->setCurrentIndex(state.answer && !m_walk.isEmpty() ? recordedStepPage : emptyStepPage);
    QStringList notes;
    if (busy)
        notes << (state.step.isEmpty() ? tr("Recording… (Escape cancels)")
                                       : tr("Recording: %1… (Escape cancels)").arg(state.step));
    if (state.stage == Stage::failed) notes << QString::fromStdString(state.error.text());
    if (state.stage == Stage::cancelled) notes << tr("The recording was cancelled.");
    m_empty->setTexts(
        tr("Step through a block"),
        notes.isEmpty()
            ? tr("What every lane of a warp did, instruction by instruction, forward and back. Choose a launch, a "
                 "block and a warp, or start at a fault of the verdict or at a line of the source (F6).")
            : notes.join(QLatin1Char('\n')));
    m_empty->setAction(hasKernel && !busy ? tr("Record the block") : QString(),
                       tr("Run the kernel and record this block step by step"));
    if (state.answer) {
        const recording::Recording& r = *state.answer;
        if (state.answered != m_with.bench.generation()) notes << tr("The text was edited since.");
        notes << tr("Launch %1: %2, block %3 of grid %4.")
                     .arg(r.launch + 1)
                     .arg(QString::fromStdString(r.kernel), stepPlaceText(r.block), stepPlaceText(r.grid));
        if (r.line > 0 && !r.lineStep)
            notes << tr("Line %1 was not reached in these steps: try another block or warp.").arg(r.line);
        if (r.steps.empty()) notes << tr("This warp executed nothing.");
        m_notice->setText(notes.join(QLatin1Char(' ')));
    }
    refreshStep();
}

void StepsPanel::refreshStep() {
    if (m_walk.isEmpty()) return;
    const recording::Instruction& i = m_walk.instruction();
    QString text = QString::fromStdString(i.text);
    for (const recording::StepFault& f : m_walk.step().faults)
        text += tr("   × %1: %2")
                    .arg(QString::fromStdString(f.kind).replace(QLatin1Char('_'), QLatin1Char(' ')),
                         QString::fromStdString(f.message));
    m_instruction->setText(text);
    m_instruction->setToolTip(
        tr("PTX line %1 of %2").arg(i.textLine).arg(QString::fromStdString(m_walk.recording().functions[i.function])));
    m_instruction->setStyleSheet(
        m_walk.step().faults.empty() ? QString() : QStringLiteral("color: %1").arg(m_theme.colours().wrong.name()));
    m_memory->setText(m_accesses->summary());
    if (const int row = m_registers->changedRow(); row >= 0) m_registerView->scrollTo(m_registers->index(row, 0));
    if (const QModelIndex marked = m_shared->firstMarked(); marked.isValid()) m_sharedView->scrollTo(marked);
    // Of an edited text the lines are others.
    const bool isOfThisText = m_with.stepper.state().answered == m_with.bench.generation();
    m_with.bench.setStepLine(isOfThisText ? i.line : 0);
}

} // namespace kernelarium::ui
