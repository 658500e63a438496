// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/TimeDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/MeasuredTiming.h"
#include "ui/desks/RunDesk.h"
#include "ui/words/Quantities.h"

namespace kernelarium::ui {

namespace {

constexpr std::chrono::milliseconds timingLimit{120000}; ///< of all calls together, as of the command line

protocol::TimeParameters timeParametersOf(const RunJob& job, const Rival& rival, const QString& python) {
    protocol::TimeParameters parameters;
    parameters.run = parametersOf(job);
    parameters.run.timeLimit = timingLimit;
    parameters.mode = job.target.timeMode.toStdString();
    parameters.rate = job.target.rate;
    if (job.target.baselines) parameters.baselines = "all";
    if (job.target.host.isEmpty()) parameters.python = python.toStdString(); // another machine has its own
    if (rival.unit) {
        parameters.against = rival.unit;
        parameters.againstName = rival.name.toStdString();
    }
    return parameters;
}

QString earlyText(const protocol::TimeSummary& summary) {
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
    ChildQueue::Call<TimedAttempt> call;
    call.tag = "time";
    call.make = [this, ticket, job, rival, python = m_python](const auto& child,
                                                              const auto& options) -> Result<TimedAttempt> {
        const protocol::TimeParameters parameters = timeParametersOf(job, rival, python);
        auto summary =
            protocol::KernelClient(child).time(parameters, options, [this, ticket](const protocol::TimeSummary& first) {
                if (first.summary.count > 0)
                    deliver(this, [this, ticket, text = earlyText(first)] { hearEarly(ticket, text); });
            });
        if (!summary) return summary.error();
        session::Timing timing = protocol::measuredTiming(*summary, parameters.run.card.get());
        return TimedAttempt{std::make_shared<const protocol::TimeSummary>(std::move(*summary)), std::move(timing)};
    };
    call.progress = [this, ticket](const QString& step) { hear(ticket, step); };
    call.ended = [this, ticket](Result<TimedAttempt> result) { end(ticket, std::move(result)); };
    m_child.submit(std::move(call));
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
    using Summary = Result<std::shared_ptr<const protocol::TimeSummary>>;
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
