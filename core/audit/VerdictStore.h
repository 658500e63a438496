// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/audit/StoredVerdict.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace kernelarium::audit {

/// Our verdicts on an archive's kernels: an SQLite file of its own, because the archive's never changes but is replaced
/// by an import. One verdict a kernel, the newest. What a call has acknowledged survives the death of the process.
/// Several processes may have the same file open; a writer waits up to five seconds for another one (then "busy").
/// One object per thread.
///
/// Errors of every call: "busy", "disk_full", "damaged_verdicts", "unwritable_file", "verdicts_failure".
class VerdictStore {
public:
    /// Opens, made when absent. A file that is damaged, of another program ("not_verdicts") or of a newer version
    /// ("newer_verdicts") is refused and left as it is.
    static Result<VerdictStore> open(const std::filesystem::path& path);
    /// For reading only; nothing where there is no such file.
    static Result<std::optional<VerdictStore>> openExisting(const std::filesystem::path& path);

    VerdictStore(VerdictStore&&) noexcept;
    VerdictStore& operator=(VerdictStore&&) noexcept;
    ~VerdictStore();

    [[nodiscard]] const std::filesystem::path& path() const;

    /// Takes the place of the kernel's earlier verdict.
    Result<void> put(const JudgedKernel& kernel);
    Result<std::vector<StoredVerdict>> all();
    Result<std::optional<StoredVerdict>> find(const VerdictKey& key);
    /// The whole verdict as JSON; empty where the kernel has none.
    Result<std::optional<std::string>> evidence(const VerdictKey& key);
    /// Every verdict with its evidence, one after another.
    Result<void> forEach(const std::function<void(JudgedKernel)>& visit);

    struct Merged {
        std::int64_t added = 0;
        std::int64_t replaced = 0; ///< by a newer one
        std::int64_t kept = 0;     ///< was as new, or newer
    };
    /// What `feed` gives, one by one, in one transaction: newer ones win. An error of `feed` changes nothing.
    Result<Merged> merge(const std::function<Result<void>(const std::function<void(const JudgedKernel&)>&)>& feed);

private:
    struct State;
    explicit VerdictStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Where an archive's verdicts are: "<archive>.verdicts" beside it. Where that folder cannot be written (an archive
/// that came with the program) and there is no such file yet: a file of the user's, kernelarium/verdicts/ in the XDG
/// data folder.
[[nodiscard]] std::filesystem::path verdictsPathFor(const std::filesystem::path& archive);

} // namespace kernelarium::audit
