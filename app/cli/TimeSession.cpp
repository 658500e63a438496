// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/TimeCommand.h"

#include "core/session/SessionStore.h"
#include "core/task/Cost.h"
#include "core/verify/VerdictJson.h"

namespace kernelarium::cli {

namespace {

/// What cannot be put into columns: enough to judge the time later without the device.
std::string detailOf(const worker::TimeSummary& s) {
    nlohmann::json j = worker::toJson(s);
    for (const char* own : {"end", "reason", "size"}) j.erase(own); // the attempt has them
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void addWork(session::Timing& timing, const PreparedJob& job, const std::string& size) {
    if (job.parameters.card.is_null()) return;
    const Result<task::Card> card = task::parseCard(job.parameters.card.dump());
    if (!card) return;
    const Result<task::Symbols> symbols = card->size(size);
    if (!symbols) return;
    const Result<task::Cost> cost = task::costOf(*card, *symbols);
    if (!cost) return;
    timing.flops = cost->flops;
    timing.bytes = cost->compulsoryBytes;
    timing.byteSource = "compulsory";
}

session::Timing timingOf(const PreparedJob& job, const worker::TimeSummary& s) {
    session::Timing timing;
    timing.origin = session::Timing::Origin::measured;
    timing.milliseconds = s.summary.median * 1e3;
    timing.device = s.device;
    timing.size = s.size;
    timing.relativeNoise = s.summary.relativeNoise;
    timing.detailJson = detailOf(s);
    addWork(timing, job, s.size);
    return timing;
}

Result<std::int64_t> currentSession(session::SessionStore& store) {
    Result<std::vector<session::SessionInfo>> sessions = store.sessions();
    if (!sessions) return sessions.error();
    if (!sessions->empty()) return sessions->front().id;
    Result<session::SessionInfo> made = store.createSession("");
    if (!made) return made.error();
    return made->id;
}

} // namespace

Result<std::int64_t> keepTiming(const std::filesystem::path& file, const PreparedJob& job, const JobOptions& options,
                                const std::optional<verify::Verdict>& verdict, const worker::TimeSummary& summary) {
    Result<session::SessionStore> store = session::SessionStore::open(file);
    if (!store) return store.error();
    Result<std::int64_t> current = currentSession(*store);
    if (!current) return current.error();
    session::Attempt attempt;
    attempt.session = *current;
    attempt.kernelKey = options.file.empty() ? job.source.label : "file:" + std::filesystem::absolute(options.file).string();
    attempt.kernelTitle = job.source.label;
    if (job.task) {
        attempt.level = job.task->level;
        attempt.task = job.task->task;
    }
    attempt.source = job.source.text;
    attempt.optionsJson = nlohmann::json{{"arch", job.unit.arch}, {"fast_math", job.unit.fastMath}}.dump();
    if (verdict) {
        attempt.verdict = verify::name(verdict->kind);
        attempt.verdictJson = verify::toJson(*verdict).dump();
    }
    attempt.timings.push_back(timingOf(job, summary));
    return store->addAttempt(attempt);
}

} // namespace kernelarium::cli
