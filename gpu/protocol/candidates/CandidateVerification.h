// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/candidates/Candidates.h"
#include "core/superopt/search/GraphFile.h"
#include "gpu/protocol/KernelClient.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// How the files of candidates are verified.
struct CandidateVerification {
    std::vector<std::string> sizes{"small", "odd"}; ///< of the card; those that it lacks are passed over
    std::string arch = "sm_90";
    RunParameters run; ///< backend, seed, limits: unit, card and size are filled in
};

/// Has a file compiled and verified, as any kernel is, at each of the sizes. Errors: those of KernelClient.
[[nodiscard]] Result<std::vector<superopt::Verified>>
verifyFile(KernelClient& compiler, KernelClient& runner, const std::shared_ptr<const task::Card>& card,
           const std::string& text, const CandidateVerification& how, const CallOptions& call = {});
/// What that is as a rung of a found graph's ladder: a time limit and what the emulator lacks say nothing.
[[nodiscard]] superopt::RungVerdict fileVerdict(const std::vector<superopt::Verified>& verified);

/// Has a candidate's file compiled and verified, as any kernel is, and keeps what was found in Candidate::verified in
/// place of what stood there for the same size and backend. Errors: those of KernelClient.
[[nodiscard]] Result<void> verifyCandidate(KernelClient& compiler, KernelClient& runner,
                                           const std::shared_ptr<const task::Card>& card,
                                           superopt::Candidate& candidate, const CandidateVerification& how,
                                           const CallOptions& call = {});

} // namespace kernelarium::protocol
