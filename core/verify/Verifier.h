// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Evidence.h"
#include "core/verify/Verdict.h"

namespace kernelarium::verify {

/// Runs a kernel against its reference and every check of core/verify/VERIFIER.md that the runner allows, and gives the
/// verdict: the gravest finding in the order of VerdictKind. `reference` may be null: the kernel is then at best
/// unverifiable.
///
/// Checks that need runs of their own are left out when the kernel is already known to be wrong, faulty or not to run,
/// when `options.checks` is off (the second seed is always tried), or when the time limit leaves no room; each then
/// says so.
///
/// Errors: "cancelled", and whatever the runner itself fails with; never for what the kernel did.
Result<Verdict> verify(Runner& runner, Reference* reference, const InputPlan& plan, const VerifyOptions& options);

/// The verdict on a source that never came to run. `stage` is "nvrtc" or "ptxas", or "unsupported" for one that
/// uses what is missing here: then that is the verdict.
[[nodiscard]] Verdict compileErrorVerdict(const std::string& stage, const std::string& message);

} // namespace kernelarium::verify
