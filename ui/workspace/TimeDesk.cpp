// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TimeDesk.h"

#include "gpu/worker/MeasuredTiming.h"
#include "gpu/worker/TorchBaselines.h"
#include "gpu/worker/Trial.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/RunDesk.h"

namespace kernelarium::ui {

namespace {

constexpr std::chrono::milliseconds timingLimit{120000}; ///< of all calls together, as of the command line

worker::TimeParameters timeParametersOf(const RunJob& job, const Rival& rival, const QString& python) {
    worker::TimeParameters parameters;
    parameters.run = parametersOf(job);
    parameters.run.referenceUnit.reset();
    parameters.run.claim.reset();
    parameters.run.timeLimit = timingLimit;
    parameters.mode = job.target.timeMode.toStdString();
    parameters.rate = job.target.rate;
    if (job.target.baselines) parameters.baselines = "all";
    if (job.target.host.isEmpty()) parameters.python = python.toStdString(); // another machine has its own
    if (rival.unit) {
        parameters.against = *rival.unit;
        parameters.againstName = rival.name.toStdString();
    }
    return parameters;
}

QString earlyText(const worker::TimeSummary& summary) {
    const auto figure = [](double seconds) { return numberText(seconds * 1e3, 4); };
    return TimeDesk::tr("%1 ms (%2 to %3) by the first %4 samples")
        .arg(figure(summary.summary.median), figure(summary.summary.confidentFrom), figure(summary.summary.confidentTo))
        .arg(summary.summary.count);
}

} // namespace

TimeDesk::TimeDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void TimeDesk::time(const RunJob& job, const Rival& rival) {
    const auto ticket = m_work.begin(job.generation);
    m_early.clear();
    Q_EMIT changed();
    auto card = std::make_shared<nlohmann::json>(); // for the work done; both run on the child's thread
    ChildQueue::Job<TimedAttempt> child;
    child.method = "time";
    child.tag = "time";
    child.timeLimit =
        worker::childLimit("time", timingLimit) + worker::baselineLimit(job.target.baselines ? "all" : "none");
    child.parameters = [job, rival, card, python = m_python] {
        const worker::TimeParameters parameters = timeParametersOf(job, rival, python);
        *card = parameters.run.card;
        return worker::toJson(parameters);
    };
    child.convert = [card](const nlohmann::json& json) -> Result<TimedAttempt> {
        auto summary = worker::timeSummaryFromJson(json);
        if (!summary) return summary.error();
        session::Timing timing = worker::measuredTiming(*summary, *card);
        return TimedAttempt{std::make_shared<const worker::TimeSummary>(std::move(*summary)), std::move(timing)};
    };
    child.progress = [this, ticket](const QString& step) { hear(ticket, step); };
    child.partial = [this, ticket](const nlohmann::json& part) {
        const auto summary = worker::timeSummaryFromJson(part);
        if (summary && summary->summary.count > 0)
            deliver(this, [this, ticket, text = earlyText(*summary)] { hearEarly(ticket, text); });
    };
    child.ended = [this, ticket](Result<TimedAttempt> result) { end(ticket, std::move(result)); };
    m_child.submit(std::move(child));
}

void TimeDesk::hear(quint64 ticket, const QString& step) {
    if (m_work.progress(ticket, m_early.isEmpty() ? step : tr("%1; refining it, %2").arg(m_early, step)))
        Q_EMIT changed();
}

void TimeDesk::hearEarly(quint64 ticket, const QString& early) {
    if (!m_work.progress(ticket, tr("%1; refining it").arg(early))) return;
    m_early = early;
    Q_EMIT changed();
}

void TimeDesk::end(quint64 ticket, Result<TimedAttempt> result) {
    using Summary = Result<std::shared_ptr<const worker::TimeSummary>>;
    if (!m_work.end(ticket, result ? Summary(result->summary) : Summary(result.error()))) return;
    Q_EMIT changed();
    if (result) Q_EMIT timed(*result, state().generation);
}

void TimeDesk::clear() {
    m_child.cancel("time");
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
