// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditSummary.h"
#include "core/audit/Auditor.h"

#include <chrono>
#include <string>

namespace kernelarium::cli {

/// What an audit found, for people.
[[nodiscard]] std::string auditText(const audit::AuditSummary& summary);

/// The progress of an audit on standard error: one line rewritten in place on a terminal, else one every ten seconds.
class AuditProgressLine {
public:
    AuditProgressLine();
    void show(const audit::Candidate& candidate, const audit::JudgedKernel& kernel,
              const audit::AuditProgress& progress);
    void end() const; ///< clears the line

private:
    bool m_terminal;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace kernelarium::cli
