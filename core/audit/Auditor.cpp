// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/Auditor.h"

#include "core/archive/store/Archive.h"
#include "core/audit/LongFirst.h"
#include "core/threads/FanOut.h"

#include <chrono>
#include <limits>
#include <mutex>
#include <new>

namespace kernelarium::audit {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the threads of an audit share, and what one of them does with it.
class Crew {
public:
    Crew(archive::Archive& archive, VerdictStore& store, const std::vector<Candidate>& due, const AuditOptions& options,
         std::stop_token stop)
        : m_archive(archive)
        , m_store(store)
        , m_due(longFirst(due, options.jobs,
                          [&archive](const Candidate& candidate) {
                              auto code = archive.text(candidate.id, archive::TextKind::cudaCode);
                              return code ? std::move(*code).value_or("") : std::string(); // take() says what is wrong
                          }))
        , m_options(options)
        , m_relay(stop, [this] { m_stop.request_stop(); }) {}

    Result<std::int64_t> run() {
        threads::together(std::min<std::size_t>(std::max(1U, m_options.jobs), m_due.size()),
                          [this](std::size_t) { work(); });
        if (!m_error.code.empty()) return m_error;
        return m_done;
    }

private:
    struct Taken {
        const Candidate* candidate;
        std::string code;
        Versions versions;
    };

    void work() {
        try {
            const std::unique_ptr<Judge> judge = m_options.makeJudge();
            while (const std::optional<Taken> taken = take())
                if (!settle(*taken, *judge)) return;
        } catch (const std::bad_alloc&) {
            fail({"out_of_memory", "There is not enough memory to continue the audit.", "Use fewer jobs."});
        } catch (const std::exception& failure) {
            fail({"internal", std::string("The audit failed unexpectedly: ") + failure.what() + "."});
        }
    }

    /// The next kernel that is due; nothing when there is none or the audit ends.
    std::optional<Taken> take() {
        const std::lock_guard lock(m_mutex);
        if (m_stop.stop_requested()) {
            if (m_next < m_due.size() && m_error.code.empty()) m_error = cancelled();
            return std::nullopt;
        }
        if (m_next == m_due.size()) return std::nullopt;
        const Candidate& candidate = *m_due[m_next++];
        Result<std::optional<std::string>> code = m_archive.text(candidate.id, archive::TextKind::cudaCode);
        if (!code) {
            m_error = code.error();
            m_stop.request_stop();
            return std::nullopt;
        }
        return Taken{&candidate, std::move(*code).value_or(""), m_today.of(candidate.key.level, candidate.key.task)};
    }

    /// Judges one and stores what came out. False when the audit is over for this thread.
    bool settle(const Taken& taken, Judge& judge) {
        const VerdictKey& key = taken.candidate->key;
        const Clock::time_point start = Clock::now();
        Result<verify::Verdict> verdict =
            judge.judge(*taken.candidate, taken.code, m_options.settings, m_stop.get_token());
        if (!verdict && verdict.error().code == "cancelled") return fail(cancelled());
        if (!verdict && endsAudit(verdict.error())) return fail(verdict.error());
        JudgedKernel kernel = verdict ? judged(key, *verdict, m_options.settings, taken.versions)
                                      : failed(key, verdict.error(), m_options.settings, taken.versions);
        kernel.verdict.seconds = secondsSince(start);
        kernel.verdict.timeMs = nowMs();
        const std::lock_guard lock(m_mutex);
        if (const Result<void> kept = m_store.put(kernel); !kept) {
            m_error = kept.error();
            m_stop.request_stop();
            return false;
        }
        ++m_done;
        if (m_options.judged)
            m_options.judged(*taken.candidate, kernel, {m_done, std::int64_t(m_due.size()), secondsSince(m_start)});
        return true;
    }

    bool fail(Error error) {
        const std::lock_guard lock(m_mutex);
        // The first error that is not a mere consequence of the end is what the audit ended with.
        if (m_error.code.empty() || m_error.code == "cancelled") m_error = std::move(error);
        m_stop.request_stop();
        return false;
    }

    static Error cancelled() { return {"cancelled", "The audit was stopped; verdicts so far are kept."}; }

    archive::Archive& m_archive;
    VerdictStore& m_store;
    const std::vector<const Candidate*> m_due;
    const AuditOptions& m_options;
    const Clock::time_point m_start = Clock::now();
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_relay;
    std::mutex m_mutex; ///< guards what follows, the archive and the store
    TodaysVersions m_today;
    std::size_t m_next = 0;
    std::int64_t m_done = 0;
    Error m_error;
};

} // namespace

bool endsAudit(const Error& error) {
    return error.code == "missing_component" || error.code == "protocol";
}

double AuditProgress::secondsLeft() const {
    if (done <= 0) return std::numeric_limits<double>::quiet_NaN();
    return seconds / double(done) * double(total - done);
}

Result<std::int64_t> runAudit(const std::filesystem::path& archivePath, const std::filesystem::path& verdicts,
                              const std::vector<Candidate>& due, const AuditOptions& options,
                              const std::stop_token& stop) {
    Result<archive::Archive> archive = archive::Archive::open(archivePath);
    if (!archive) return archive.error();
    Result<VerdictStore> store = VerdictStore::open(verdicts);
    if (!store) return store.error();
    if (due.empty()) return std::int64_t(0);
    try {
        Crew crew(*archive, *store, due, options, stop);
        return crew.run();
    } catch (const std::bad_alloc&) {
        return Error{"out_of_memory", "There is not enough memory to begin the audit.", "Audit fewer kernels at once."};
    }
}

} // namespace kernelarium::audit
