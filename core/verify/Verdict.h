// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Comparison.h"
#include "core/verify/ErrorMap.h"
#include "core/verify/Runner.h"
#include "core/verify/ShareOfBlocks.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// In the order of core/verify/VERIFIER.md: the first that holds is the verdict.
enum class VerdictKind {
    compile_error, ///< NVRTC, ptxas or the import of the module: `stage` says which
    launch_error,  ///< a launch is outside CUDA's limits
    unsupported,   ///< needs something that the backend does not have: `message` names it
    timeout,
    wrong,
    fault,
    suspicious,
    unverifiable, ///< there is no reference
    verified,
};

[[nodiscard]] std::string_view name(VerdictKind kind);
[[nodiscard]] std::optional<VerdictKind> parseVerdictKind(std::string_view name);

/// What a check came to.
enum class CheckState {
    passed,
    failed,   ///< it gave the verdict, or would have
    remarked, ///< something a reader should know; the verdict does not depend on it
    skipped,  ///< not run; `detail` says why
};

[[nodiscard]] std::string_view name(CheckState state);

/// One check and its evidence.
struct CheckReport {
    std::string name;
    CheckState state = CheckState::passed;
    std::string detail;
    double seconds = 0;
    int runs = 0; ///< of the kernel, made for this check
};

/// A name that stands among a verdict's reasons, of verdicts of this kind, or, without one, among its remarks.
struct Reason {
    std::optional<VerdictKind> kind;
    std::string_view name;
    std::string_view meaning; ///< in words for a reader; empty where the name says enough
};

struct Verdict;
/// Whether a check that failed is why nothing could be decided (there is no reference, say): no fault of the kernel.
[[nodiscard]] bool leftOpen(const Verdict& verdict, const CheckReport& check);

/// What verification found out about a kernel. Reasons and remarks are machine-readable names, each told by a check
/// (everyReason() in Explanation.h has them all); `message` is for people. What speaks for another kind of verdict than
/// the one given is among the remarks.
struct Verdict {
    VerdictKind kind = VerdictKind::verified;
    std::string stage; ///< of a compile_error: "nvrtc", "ptxas" or "import"
    std::string message;
    std::vector<std::string> reasons;
    std::vector<std::string> remarks;

    // The worst of the compared runs. Absent when nothing was compared.
    std::optional<double> maxAbsoluteError;
    std::optional<double> maxRelativeError; ///< relative to max(|expected|, RMS of the reference)
    std::optional<double> rmsError;
    std::optional<double> referenceRms;
    std::optional<double> mismatchShare; ///< of elements beyond the legacy tolerance, 0 to 1
    std::optional<Mismatch> firstMismatch;
    /// Who wrote that element last, of a wrong verdict, where the backend can tell and there was time for another run.
    std::optional<WriterInfo> lastWriter;
    std::optional<ErrorMap> errorMap; ///< of the first output with an element beyond the legacy tolerance
    Tolerance tolerance;
    std::optional<ComparedShare> share; ///< where blocks were left out

    std::vector<Fault> faults;
    std::vector<CheckReport> checks;
    std::vector<Launch> launches; ///< of the first run
    LeftUnsaid unsaid;            ///< of that run
    std::vector<std::string> libraryCalls;
    std::vector<std::string> notes; ///< what the backend says of how it ran, a sentence each
    std::string printed;
    std::string backend;
    std::string size;      ///< "small", "full", "both"; "given": that of arguments without a task
    std::string reference; ///< what it was compared with
    std::uint64_t seed = 0;
    bool fastMath = false;
    std::vector<std::string> functions; ///< of the module, where it has several
    std::string compilerOptions; ///< that the kernel asked for besides: "-U__CUDA_NO_HALF_OPERATORS__"; may be empty
    std::map<std::string, double> seconds; ///< by stage: compile, inputs, reference, run, checks, total
};

} // namespace kernelarium::verify
