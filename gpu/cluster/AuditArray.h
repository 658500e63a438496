// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"
#include "gpu/cluster/NewArray.h"
#include "gpu/cluster/Work.h"

namespace kernelarium::cluster {

inline constexpr const char* auditWork = "audit";

struct AuditWish {
    std::string title;
    std::vector<std::string>
        arguments;                  ///< of `audit`, without shard, outputs and jobs, and without what makes more due
    std::filesystem::path verdicts; ///< where they are brought together
    audit::AuditPlan plan;          ///< of the whole
    std::string backend;
};

/// Makes the array of an audit. A task's part is a file of verdicts, which begins with those of its kernels that are
/// not due, and the lines of those that it judges: the task is `audit ... --shard I/N --verdicts PART --out LINES`.
/// Errors: those of makeArray() and of VerdictStore.
[[nodiscard]] Result<Book> makeAuditArray(const AuditWish& audit, const Engine& engine, ArrayWish wish);

[[nodiscard]] Result<std::unique_ptr<Work>> makeAuditWork(const Plan& plan, const std::filesystem::path& folder);

} // namespace kernelarium::cluster
