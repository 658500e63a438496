// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TimeCommand.h"

#include "core/session/SessionStore.h"
#include "gpu/protocol/MeasuredTiming.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

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
                                const std::optional<protocol::VerdictAnswer>& verdict,
                                const protocol::TimeSummary& summary) {
    Result<session::SessionStore> store = session::SessionStore::open(file);
    if (!store) return store.error();
    Result<std::int64_t> current = currentSession(*store);
    if (!current) return current.error();
    session::Attempt attempt;
    attempt.session = *current;
    attempt.kernelKey =
        options.file.empty() ? job.source.label : "file:" + std::filesystem::absolute(options.file).string();
    attempt.kernelTitle = job.source.label;
    if (job.task) {
        attempt.level = job.task->level;
        attempt.task = job.task->task;
    }
    attempt.source = job.source.text;
    nlohmann::json made{{"arch", job.unit().arch}, {"fast_math", job.unit().fastMath}};
    if (!job.unit().settings.isEmpty()) made["settings"] = lineOf(job.unit().settings);
    attempt.optionsJson = made.dump();
    if (verdict) {
        attempt.verdict = verify::name(verdict->verdict.kind);
        attempt.verdictJson = verdict->json;
    }
    attempt.timings.push_back(protocol::measuredTiming(summary, job.parameters.card.get()));
    return store->addAttempt(attempt);
}

} // namespace kernelarium::cli
