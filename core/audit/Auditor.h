// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"
#include "core/audit/VerdictStore.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace kernelarium::audit {

/// Finds out the truth about one kernel at a time, blocking. Each of an audit's threads has one of its own.
class Judge {
public:
    virtual ~Judge() = default;
    /// Error "cancelled" when it was stopped; any other error is of this kernel, which could not be judged, unless
    /// endsAudit() says that the next one would meet it as well.
    virtual Result<verify::Verdict> judge(const Candidate& kernel, const std::string& code, const Settings& settings,
                                          const std::stop_token& stop) = 0;
};

/// Whether an error is of the installation and not of the kernel: "missing_component", "protocol".
[[nodiscard]] bool endsAudit(const Error& error);

/// What an audit says while it goes on.
struct AuditProgress {
    std::int64_t done = 0;
    std::int64_t total = 0;
    double seconds = 0; ///< since it began

    [[nodiscard]] double perSecond() const { return seconds > 0 ? double(done) / seconds : 0; }
    /// At the rate so far; NaN while nothing is done.
    [[nodiscard]] double secondsLeft() const;
};

/// How an audit is made, and who hears of it.
struct AuditOptions {
    Settings settings;
    unsigned jobs = 1;
    std::function<std::unique_ptr<Judge>()> makeJudge;
    /// A kernel is judged, and its verdict is in the store. One call at a time, from any of the threads.
    std::function<void(const Candidate&, const JudgedKernel&, const AuditProgress&)> judged;
};

/// Judges what is due, `jobs` kernels at a time, and puts each verdict into the store as it comes: when the process
/// dies, what was running is lost and nothing else. Returns how many were judged. Errors: those of the archive and of
/// the store, "cancelled" (what is done is kept), and a judge's that ends the audit.
Result<std::int64_t> runAudit(const std::filesystem::path& archive, const std::filesystem::path& verdicts,
                              const std::vector<Candidate>& due, const AuditOptions& options,
                              const std::stop_token& stop);

} // namespace kernelarium::audit
