// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TimeDesk.h"

#include "gpu/worker/MeasuredTiming.h"
#include "gpu/worker/Trial.h"

namespace kernelarium::ui {

namespace {

constexpr std::chrono::milliseconds timingLimit{120000}; ///< of all calls together, as of the command line

worker::TimeParameters timeParametersOf(const RunJob& job, const Rival& rival) {
    worker::TimeParameters parameters;
    parameters.run = parametersOf(job);
    parameters.run.referenceUnit.reset();
    parameters.run.claim.reset();
    parameters.run.timeLimit = timingLimit;
    parameters.mode = job.target.timeMode.toStdString();
    parameters.rate = job.target.rate;
    if (rival.unit) {
        parameters.against = *rival.unit;
        parameters.againstName = rival.name.toStdString();
    }
    return parameters;
}

} // namespace

TimeDesk::TimeDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void TimeDesk::time(const RunJob& job, const Rival& rival) {
    const quint64 serial = ++m_serial;
    m_state = {Stage::running, job.generation, {}, {}, {}};
    Q_EMIT changed();
    auto card = std::make_shared<nlohmann::json>(); // for the work done; both run on the child's thread
    ChildQueue::Job<TimedAttempt> child;
    child.method = "time";
    child.tag = "time";
    child.timeLimit = worker::childLimit("time", timingLimit);
    child.parameters = [job, rival, card] {
        const worker::TimeParameters parameters = timeParametersOf(job, rival);
        *card = parameters.run.card;
        nlohmann::json sent = worker::toJson(parameters);
        if (job.target.baselines) sent["baselines"] = "all";
        return sent;
    };
    child.convert = [card](const nlohmann::json& json) -> Result<TimedAttempt> {
        auto summary = worker::timeSummaryFromJson(json);
        if (!summary) return summary.error();
        session::Timing timing = worker::measuredTiming(*summary, *card);
        if (json.contains("baselines")) { // also those that this version has no words for
            nlohmann::json detail = nlohmann::json::parse(timing.detailJson);
            detail["baselines"] = json.at("baselines");
            timing.detailJson = detail.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        }
        return TimedAttempt{std::make_shared<const worker::TimeSummary>(std::move(*summary)),
                            std::move(timing)};
    };
    child.progress = [this, serial](const QString& step) {
        if (serial != m_serial) return;
        m_state.step = step;
        Q_EMIT changed();
    };
    child.ended = [this, serial](Result<TimedAttempt> result) { end(serial, std::move(result)); };
    m_child.submit(std::move(child));
}

void TimeDesk::end(quint64 serial, Result<TimedAttempt> result) {
    if (serial != m_serial) return;
    m_state.step.clear();
    if (result) {
        m_state.stage = Stage::finished;
        m_state.summary = result->summary;
    } else {
        m_state.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
        m_state.error = result.error();
    }
    Q_EMIT changed();
    if (result) Q_EMIT timed(*result, m_state.generation);
}

void TimeDesk::clear() {
    m_child.cancel("time");
    ++m_serial;
    m_state = {};
    Q_EMIT changed();
}

} // namespace kernelarium::ui
