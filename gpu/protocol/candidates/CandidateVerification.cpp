// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/candidates/CandidateVerification.h"

#include "gpu/protocol/Trial.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::protocol {

namespace {

superopt::Verified verifiedOf(const verify::Verdict& verdict, const std::string& size, const std::string& backend) {
    superopt::Verified out{size, backend, std::string(verify::name(verdict.kind)), verdict.message, false};
    out.passed = verdict.kind == verify::VerdictKind::verified;
    if (out.summary.empty() && verdict.maxRelativeError)
        out.summary = fmt::format("largest relative error {:.2g}", *verdict.maxRelativeError);
    for (const std::string& reason : verdict.reasons)
        out.summary += (out.summary.empty() ? "" : "; ") + reason;
    return out;
}

} // namespace

Result<void> verifyCandidate(KernelClient& compiler, KernelClient& runner,
                             const std::shared_ptr<const task::Card>& card, superopt::Candidate& candidate,
                             const CandidateVerification& how, const CallOptions& call) {
    CompileParameters compiled;
    compiled.source = candidate.file.text;
    compiled.arch = how.arch;
    compiled.texts = {"ptx", "log"};
    if (how.run.backend == "cuda") compiled.texts.insert("cubin");
    CallOptions own = call;
    own.compileLimit = compileLimitBeside(how.run.timeLimit);
    Result<KernelClient::Unit> unit = compiler.compile(compiled, own);
    if (!unit) return unit.error();
    for (const std::string& size : how.sizes) {
        if (!card->size(size)) continue;
        RunParameters run = how.run;
        run.unit = *unit;
        run.card = card;
        run.size = size;
        const Result<VerdictAnswer> answer = runner.verify(run, call);
        if (!answer) return answer.error();
        std::erase_if(candidate.verified,
                      [&](const superopt::Verified& v) { return v.size == size && v.backend == run.backend; });
        candidate.verified.push_back(verifiedOf(answer->verdict, size, run.backend));
    }
    return {};
}

} // namespace kernelarium::protocol
