// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/OwnVerdicts.h"
#include "core/audit/Versions.h"
#include "core/verify/Verdict.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::audit {

/// What makes a kernel the same in every archive file, whatever its row's number there.
struct VerdictKey {
    int level = 0;
    int task = 0;
    std::string name;
    files::Digest codeHash{};
    auto operator<=>(const VerdictKey&) const = default;
    /// "L1/T1/name@1a2b3c4d"
    [[nodiscard]] std::string label() const { return archive::kernelLabel(level, task, name, codeHash); }
};

/// The word that stands in a verdict's place where there is none: the kernel could not be judged (the child died on
/// it twice, it needs more memory than there is). The reason is then the error's code.
inline constexpr std::string_view failedWord = "failed";

/// How a kernel was tried. A verdict found under other settings answers another question.
struct Settings {
    std::string size = "small"; ///< which of the card's sizes
    std::uint64_t seed = 1;
    bool fastMath = false;
    double timeLimit = 60;            ///< seconds for all runs of one kernel together
    std::string backend = "emulator"; ///< where kernels run: or "cuda"
};

/// Our verdict on an archived kernel's text, without the evidence.
struct StoredVerdict {
    VerdictKey key;
    std::string verdict; ///< verify::name(VerdictKind), or failedWord
    std::string stage;   ///< of a compile_error
    std::string message;
    std::vector<std::string> reasons;
    std::vector<std::string> remarks;
    std::optional<double> maxAbsoluteError;
    std::optional<double> maxRelativeError;
    std::string backend; ///< empty of a failure under older programs
    Settings settings;
    double seconds = 0;      ///< wall time of compilation and verification
    std::int64_t timeMs = 0; ///< when it was found, milliseconds since 1970 (UTC)
    Versions versions;

    [[nodiscard]] bool isFailure() const { return verdict == failedWord; }
};

/// The same with the evidence.
struct JudgedKernel {
    StoredVerdict verdict;
    std::string evidence; ///< verify::toJson of the whole verdict; empty where there is none
};

/// What a store keeps of a verdict. `seconds` and `timeMs` are the caller's.
[[nodiscard]] JudgedKernel judged(const VerdictKey& key, const verify::Verdict& verdict, const Settings& settings,
                                  const Versions& versions);
/// With the evidence as it was written before.
[[nodiscard]] JudgedKernel judged(const VerdictKey& key, const verify::Verdict& verdict, std::string evidence,
                                  const Settings& settings, const Versions& versions);
/// Likewise of a kernel that could not be judged.
[[nodiscard]] JudgedKernel failed(const VerdictKey& key, const Error& error, const Settings& settings,
                                  const Versions& versions);

/// Whether the verdict is today's answer under these settings.
enum class Standing {
    current,
    stale, ///< of other versions or settings, or a timeout under a shorter limit
};
[[nodiscard]] Standing standingOf(const StoredVerdict& verdict, const Versions& today, const Settings& settings);
/// Under whatever settings it was found: only versions count.
[[nodiscard]] bool isOfToday(const StoredVerdict& verdict, const Versions& today);

/// Right at the small size, and nobody has tried the published one (verify::smallSizeOnly of a verdict).
[[nodiscard]] bool smallSizeOnly(const StoredVerdict& verdict);

/// What rows are searched, sorted and exported by; the one way from a stored verdict to it.
[[nodiscard]] archive::OwnVerdict ownVerdict(const StoredVerdict& verdict, TodaysVersions& today);
[[nodiscard]] std::shared_ptr<archive::OwnVerdicts> ownVerdicts(const std::vector<StoredVerdict>& verdicts);

[[nodiscard]] std::int64_t nowMs();

} // namespace kernelarium::audit
