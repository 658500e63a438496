// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernelarium::archive {

/// What our own verdicts are called, the best first, which is the order that a column of them is sorted in: the names
/// of verify::VerdictKind, and "failed" where a kernel could not be judged.
inline constexpr std::array<std::string_view, 10> ownVerdictWords = {
    "verified", "unverifiable", "suspicious",   "fault",         "wrong",
    "timeout",  "unsupported",  "launch_error", "compile_error", "failed"};

/// Our newest verdict on a kernel's archived text, as far as rows are searched, sorted and exported by it. Who has it
/// is core/audit: ownVerdict() of StoredVerdict.h makes it.
struct OwnVerdict {
    std::string verdict; ///< one of ownVerdictWords
    std::vector<std::string> reasons;
    std::vector<std::string> remarks;
    int checks = 0;          ///< the version of the checks that found it
    std::int64_t timeMs = 0; ///< when, milliseconds since 1970 (UTC)
    bool stale = false;      ///< another version of the program, the card or the checks found it
    bool smallOnly = false;  ///< right at the small size, and nobody has tried the published one

    [[nodiscard]] std::string reasonText() const; ///< "race, values"
    [[nodiscard]] std::string remarkText() const;
    bool operator==(const OwnVerdict&) const = default;
};

/// The column of an exported row that has it; no column of an archive.
inline constexpr const char* ownVerdictColumn = "kernelarium_verdict";

/// "2026-11-23T14:06:28Z"; empty for 0.
[[nodiscard]] std::string utcText(std::int64_t timeMs);

/// The verdicts on the kernels of an archive. They know kernels by level, task, name and code, so that they hold for
/// every file that has these kernels. Copies share the verdicts themselves.
class OwnVerdicts {
public:
    /// Takes the place of an earlier one of the same kernel.
    void put(std::int64_t level, std::int64_t task, const std::string& name, const files::Digest& code,
             OwnVerdict verdict);
    /// Null where there is none.
    [[nodiscard]] const OwnVerdict* of(const KernelTable& table, std::size_t row) const;
    [[nodiscard]] const OwnVerdict* of(const KernelSummary& kernel) const;
    [[nodiscard]] std::size_t size() const { return m_verdicts.size(); }

private:
    struct View {
        std::int64_t level;
        std::int64_t task;
        std::string_view name;
        const files::Digest& code;
    };
    struct Key {
        std::int64_t level;
        std::int64_t task;
        std::string name;
        files::Digest code;
        operator View() const { return {level, task, name, code}; }
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(const View& key) const;
        std::size_t operator()(const Key& key) const { return (*this)(View(key)); }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(const View& a, const View& b) const {
            return a.level == b.level && a.task == b.task && a.code == b.code && a.name == b.name;
        }
    };
    [[nodiscard]] const OwnVerdict* find(const View& key) const;

    std::unordered_map<Key, std::shared_ptr<const OwnVerdict>, Hash, Equal> m_verdicts;
};

using OwnVerdictsPointer = std::shared_ptr<const OwnVerdicts>;

} // namespace kernelarium::archive
