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

Result<std::vector<superopt::Verified>> verifyFile(KernelClient& compiler, KernelClient& runner,
                                                   const std::shared_ptr<const task::Card>& card,
                                                   const std::string& text, const CandidateVerification& how,
                                                   const CallOptions& call) {
    CompileParameters compiled;
    compiled.source = text;
    compiled.arch = how.arch;
    compiled.texts = {"ptx", "log"};
    if (how.run.backend == "cuda") compiled.texts.insert("cubin");
    CallOptions own = call;
    own.compileLimit = compileLimitBeside(how.run.timeLimit);
    Result<KernelClient::Unit> unit = compiler.compile(compiled, own);
    if (!unit) return unit.error();
    std::vector<superopt::Verified> all;
    for (const std::string& size : how.sizes) {
        if (!card->size(size)) continue;
        RunParameters run = how.run;
        run.unit = *unit;
        run.card = card;
        run.size = size;
        const Result<VerdictAnswer> answer = runner.verify(run, call);
        if (!answer) return answer.error();
        all.push_back(verifiedOf(answer->verdict, size, run.backend));
    }
    return all;
}

Result<void> verifyCandidate(KernelClient& compiler, KernelClient& runner,
                             const std::shared_ptr<const task::Card>& card, superopt::Candidate& candidate,
                             const CandidateVerification& how, const CallOptions& call) {
    Result<std::vector<superopt::Verified>> verified =
        verifyFile(compiler, runner, card, candidate.file.text, how, call);
    if (!verified) return verified.error();
    for (superopt::Verified& one : *verified) {
        std::erase_if(candidate.verified,
                      [&](const superopt::Verified& v) { return v.size == one.size && v.backend == one.backend; });
        candidate.verified.push_back(std::move(one));
    }
    return {};
}

superopt::RungVerdict fileVerdict(const std::vector<superopt::Verified>& verified) {
    using Standing = superopt::RungVerdict::Standing;
    superopt::RungVerdict said{std::string(superopt::fileRung), Standing::stood, {}};
    for (const superopt::Verified& one : verified) {
        said.evidence += fmt::format("{}{} at {} ({}){}{}", said.evidence.empty() ? "" : "; ", one.verdict, one.size,
                                     one.backend, one.summary.empty() ? "" : ": ", one.summary);
        const auto kind = verify::parseVerdictKind(one.verdict);
        const bool saysNothing = kind == verify::VerdictKind::timeout || kind == verify::VerdictKind::unsupported ||
                                 kind == verify::VerdictKind::unverifiable;
        if (!one.passed && !saysNothing) said.standing = Standing::fell;
        if (saysNothing && said.standing == Standing::stood) said.standing = Standing::undecided;
    }
    if (verified.empty()) said = {said.name, Standing::undecided, "The card has none of the sizes to verify it at."};
    return said;
}

} // namespace kernelarium::protocol
