// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "core/archive/store/Search.h"
#include "core/audit/AuditPlan.h"
#include "core/audit/VerdictStore.h"

#include <nlohmann/json.hpp>
#include <string>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// --verdicts FILE; empty stands for the archive's own file.
void addVerdictsOption(CLI::App& command, std::filesystem::path& path);
[[nodiscard]] std::filesystem::path verdictsOf(const std::filesystem::path& archive,
                                               const std::filesystem::path& named);

/// Our verdicts beside the archive's claims, where there are any. A file that cannot be read is said on standard error
/// and counts as none: the archive is shown all the same.
class StoredVerdicts {
public:
    StoredVerdicts(const std::filesystem::path& archive, const std::filesystem::path& named);

    [[nodiscard]] const audit::StoredVerdict* of(const archive::KernelSummary& kernel);
    /// "verified", "wrong (values)", "verified, stale"; "-" where there is none.
    [[nodiscard]] std::string wordOf(const archive::KernelSummary& kernel);
    /// The verdict without its evidence and whether it is stale, or null.
    [[nodiscard]] nlohmann::json jsonOf(const archive::KernelSummary& kernel);

private:
    [[nodiscard]] bool isStale(const audit::StoredVerdict& verdict);

    std::optional<audit::VerdictStore> m_store;
    std::map<audit::VerdictKey, std::optional<audit::StoredVerdict>> m_read;
    audit::TodaysVersions m_today;
};

/// All of our verdicts on an archive's kernels; null where there is no such file. Errors: those of VerdictStore.
Result<archive::OwnVerdictsPointer> ownVerdictsOf(const std::filesystem::path& archive,
                                                  const std::filesystem::path& named);
/// Gives a query our verdicts where it asks for them. Errors: those of VerdictStore.
Result<void> giveVerdicts(archive::SearchQuery& query, const std::filesystem::path& archive,
                          const std::filesystem::path& named);

/// What the archive says of a kernel: "correct", at which stage it failed, "-" when it says nothing.
[[nodiscard]] std::string claimWord(const archive::KernelSummary& kernel);
/// The kernel's values with our verdict beside them.
[[nodiscard]] nlohmann::json withVerdict(const archive::KernelSummary& kernel, StoredVerdicts& verdicts);

} // namespace kernelarium::cli
