// SPDX-License-Identifier: GPL-3.0-or-later
// What a search is asked, where its times come from, and how it goes.
#include "core/sass/proof/ProofText.h"
#include "core/schedule/Call.h"
#include "gpu/protocol/schedules/MeasuredKernel.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/MeasureChoice.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/widgets/PageHead.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

namespace kernelarium::ui {

SchedulePage::TimesSource SchedulePage::timesOf(const Kernel& kernel) const {
    TimesSource times{{}, m_with.place.targetFor(kernel), m_with.assignment.card(), kernel.arguments};
    times.whyModelled =
        whyModelled(kernel, times.target, times.card.get(), m_unit && m_unit->isProgram, m_with.place.obstacle());
    return times;
}

bool SchedulePage::TimesSource::operator==(const TimesSource& other) const {
    const Target &own = target, &its = other.target;
    return whyModelled == other.whyModelled && card == other.card && arguments == other.arguments &&
           own.isSamePlace(its) && own.compilesAs(its) && own.device == its.device && own.seed == its.seed;
}

bool SchedulePage::isMeasuring() const {
    return m_desk->subject() && m_desk->subject()->question.gpu;
}

ScheduleQuestion SchedulePage::question() const {
    const Target& target = m_times.target;
    ScheduleQuestion question;
    question.from = m_kernel;
    question.source = m_source;
    question.options = m_options;
    question.code = m_code->state().answer;
    question.kernel = m_kernels->currentIndex();
    question.folder = m_with.searches.toStdString();
    question.settings.steps = std::uint64_t(m_steps->value());
    question.settings.seed = std::uint64_t(m_seed->value());
    question.settings.worsen = m_worsen->value();
    schedule::Call call;
    call.file = m_kernel.title.toStdString();
    if (const auto settings = text::settingsFromLine(target.compilerOptions.toStdString()))
        call.compilerWords = text::wordsOf(*settings);
    call.fastMath = target.fastMath;
    if (m_kernel.task) call.task = std::to_string(m_kernel.task->level) + "/" + std::to_string(m_kernel.task->task);
    call.function = m_kernel.function.toStdString();
    for (const QString& argument : m_kernel.arguments)
        call.arguments.push_back(argument.toStdString());
    call.device = target.device.toStdString();
    if (m_times.whyModelled.isEmpty()) {
        RunJob job;
        job.unit = m_unit;
        if (m_unit->cubin.empty()) { // it was assembled afterwards
            auto unit = std::make_shared<compile::CompiledUnit>(*m_unit);
            unit->cubin = question.code->cubin;
            job.unit = std::move(unit);
        }
        job.card = m_times.card;
        job.arguments = m_kernel.arguments;
        job.function = m_kernel.function;
        job.title = m_kernel.title;
        job.size = m_measuring->size();
        job.target = target;
        auto gpu = std::make_shared<ScheduleGpu>();
        gpu->program = m_with.program;
        gpu->target = target;
        gpu->run = parametersOf(job);
        gpu->run.checks = false;
        gpu->timing = m_measuring->timing().toStdString();
        call.size = gpu->run.size;
        call.timing = gpu->timing;
        call.device = target.gpu.toStdString();
        call.card = protocol::cardDigest(gpu->run.card.get());
        question.settings.mode = schedule::Mode::measured;
        question.gpu = std::move(gpu);
    }
    question.call = fieldsOf(call);
    return question;
}

/// What the button does now, and whether times are measured or modelled.
void SchedulePage::refreshStart() {
    const bool running = m_desk->isRunning(), paused = m_desk->state().paused, measures = isMeasuring();
    const bool begun = !m_desk->steps().empty();
    const ScheduleResultPointer result = m_desk->result();
    const bool done = begun && !running && result && result->history.looked() >= std::uint64_t(m_steps->value()) &&
                      result->history.unconfirmed().empty();
    m_start->setText(running ? (paused ? tr("Go on") : tr("Pause"))
                     : done  ? tr("Searched")
                     : begun ? (measures ? tr("Resume measuring") : tr("Resume modelling"))
                             : (measures ? tr("Start measuring") : tr("Start modelling")));
    const bool steps = m_desk->state().part == SearchPart::steps; // nothing else can be held
    m_start->setEnabled(m_desk->subject() && (running ? steps : !done && !m_desk->isTaken()));
    m_start->setToolTip(
        running    ? (paused ? tr("Go on with the next step") : tr("Hold the search after its step"))
        : done     ? tr("All steps are done; more steps or another seed make another search")
        : measures ? tr("Search for a faster order of the instructions on the GPU; each step is kept at once")
                   : tr("Search for a faster order of the instructions by a model of one warp; each step is kept at "
                        "once"));
}

void SchedulePage::refreshBar() {
    const bool running = m_desk->isRunning(), taken = m_desk->isTaken();
    refreshStart();
    const bool hadFocus = m_cancel->hasFocus();
    m_cancel->setVisible(taken);
    m_cancel->setToolTip(running ? tr("End the search; its steps stay, and Resume goes on")
                                 : tr("End what is timed or counted; the search stays as it is"));
    if (hadFocus && !taken) m_start->setFocus();
    m_undo->setEnabled(m_accepted->rowCount() > 0 && !taken);
    for (QWidget* one :
         {static_cast<QWidget*>(m_kernels), static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_seed),
          static_cast<QWidget*>(m_worsen), static_cast<QWidget*>(m_measuring)})
        one->setEnabled(!taken && m_unit && m_kernels->count() > 0);
    m_measuring->setVisible(isMeasuring());
    const schedule::ScheduleProgress& p = m_desk->state().progress;
    m_progress->setVisible(running);
    m_progress->setValue(p.total > 0 ? int(1000 * std::min<double>(1, double(p.steps) / double(p.total))) : 0);
    m_mode->setText(
        isMeasuring()
            ? tr("● measured in pairs with the original on %1").arg(placeText(m_desk->subject()->question.gpu->target))
        : m_times.whyModelled.isEmpty() ? QString()
                                        : tr("◌ modelled: %1").arg(m_times.whyModelled));
    m_mode->setToolTip(isMeasuring()
                           ? tr("Original and candidate run in turn in a process of their own, and every bit of the "
                                "outputs has to agree; the best is timed once more, cold and hot, in processes that "
                                "have timed nothing else")
                           : tr("Times are cycles of one warp by a model, and no promise about a GPU. Where kernels "
                                "run on a GPU (Kernel, Target) they are measured there"));
    m_said->setText(progressText());
    m_said->setVisible(!m_said->text().isEmpty());
    // The page was gone to before it could begin.
    if (m_wantsStart && m_start->isEnabled()) {
        m_wantsStart = false;
        if (m_head->back().hasFocus()) m_start->setFocus(Qt::OtherFocusReason);
    }
    const bool mayWrite = !running && m_desk->mayWrite();
    m_keep->setEnabled(mayWrite);
    m_export->setEnabled(mayWrite);
}

QString SchedulePage::progressText() const {
    const ScheduleSearchState& state = m_desk->state();
    if (!m_desk->subject()) return {};
    QStringList said;
    const schedule::ScheduleProgress& p = state.progress;
    if (m_desk->isRunning()) {
        if (state.part == SearchPart::original) return tr("running the kernel as compiled, to see what it launches");
        if (state.part == SearchPart::finals)
            return tr("timing the best beside the original in processes that have timed nothing else, cold and hot");
        said << tr("step %1 of %2").arg(wholeText(std::int64_t(p.steps)), wholeText(std::int64_t(p.total)));
        if (p.best)
            said << tr("best %1% of the original's time (%2)")
                        .arg(numberText(*p.best, 5), isMeasuring() ? tr("measured") : tr("modelled"));
        if (p.current) said << tr("now %1%").arg(numberText(*p.current, 5));
        if (p.noiseFloor) said << tr("noise ±%1%").arg(numberText(*p.noiseFloor));
        said << tr("temperature %1%").arg(numberText(p.temperature));
        if (state.paused)
            said << tr("paused");
        else if (p.secondsLeft)
            said << tr("%1 left").arg(timeLeftText(*p.secondsLeft));
    } else if (state.stage == Stage::failed) {
        said << QString::fromStdString(state.error.text());
    } else if (state.stage == Stage::cancelled) {
        said << tr("cancelled: Resume goes on");
    } else if (m_desk->resultState().stage == Stage::failed) {
        said << QString::fromStdString(m_desk->resultState().error.text());
    } else if (state.stage == Stage::finished) {
        using Why = schedule::ScheduleEnd::Why;
        said << (state.answer.why == Why::nothingMoves ? tr("no legal move is left to try")
                 : state.answer.why == Why::faults
                     ? tr("ended after three faults of proved schedules: please report it")
                     : tr("all %1 steps are done").arg(wholeText(std::int64_t(p.steps))));
    }
    return said.join(QStringLiteral(" · "));
}

void SchedulePage::refreshWords() {
    const ScheduleSubjectPointer& subject = m_desk->subject();
    if (!subject) return;
    const ScheduleResultPointer result = m_desk->result();
    const schedule::Expectation& e = m_desk->state().expectation ? *m_desk->state().expectation : subject->expectation;
    if (result && result->best && !m_desk->isRunning()) {
        m_head->headline().setText(
            tr("%1: %2").arg(m_kernels->currentText(), QString::fromStdString(schedule::resultWords(result->history))));
        m_head->subline().setText(QString::fromStdString(sass::proofLine(result->best->proof)));
    } else {
        m_head->headline().setText(e.isWorthIt ? tr("%1: a search may find something").arg(m_kernels->currentText())
                                               : tr("%1: not worth searching").arg(m_kernels->currentText()));
        m_head->subline().setText(QString::fromStdString(e.words));
    }
    m_head->subline().show();
}

} // namespace kernelarium::ui
