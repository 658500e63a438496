// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/Trial.h"

#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"

#include <fmt/format.h>

namespace kernelarium::worker {

namespace {

constexpr std::chrono::milliseconds verifyGrace{60000};
constexpr std::chrono::milliseconds runGrace{15000};

verify::Verdict dressed(verify::Verdict verdict, const RunParameters& parameters) {
    verdict.backend = parameters.backend;
    verdict.size = parameters.size;
    verdict.seed = parameters.seed;
    return verdict;
}

verify::Verdict timeoutVerdict(const Error& error, const RunParameters& parameters) {
    verify::Verdict verdict;
    verdict.kind = verify::VerdictKind::timeout;
    verdict.reasons = {"timeout"};
    verdict.message = error.message;
    return dressed(std::move(verdict), parameters);
}

} // namespace

std::chrono::milliseconds childLimit(std::string_view method, std::chrono::milliseconds runs) {
    return method == "verify" ? 2 * runs + verifyGrace : runs + runGrace;
}

bool canBeTimed(verify::VerdictKind kind) {
    using verify::VerdictKind;
    return kind != VerdictKind::compile_error && kind != VerdictKind::unsupported && kind != VerdictKind::timeout &&
           kind != VerdictKind::fault;
}

std::string errorsText(const compile::CompiledUnit& unit) {
    std::string text;
    for (const compile::Diagnostic& d : unit.diagnostics) {
        if (d.severity != compile::Severity::error) continue;
        if (!text.empty()) text += "\n";
        text += d.line > 0 ? fmt::format("{}:{}:{}: error: {}", d.file, d.line, d.column, d.text)
                           : fmt::format("{}: error: {}", d.file, d.text);
    }
    return text.empty() ? unit.log : text;
}

std::optional<TimeClaim> archivesClaim(std::optional<double> milliseconds) {
    if (!milliseconds) return std::nullopt;
    return TimeClaim{*milliseconds, archivesDevice, "the archive"};
}

verify::Verdict refusedVerdict(const compile::CompiledUnit& unit, const RunParameters& parameters) {
    return dressed(verify::compileErrorVerdict(unit.failedStage, errorsText(unit)), parameters);
}

Result<verify::Verdict> verdictOf(const Result<nlohmann::json>& answer, const RunParameters& parameters) {
    if (answer) return verify::verdictFromJson(*answer);
    if (answer.error().code == "timeout") return timeoutVerdict(answer.error(), parameters);
    return answer.error();
}

} // namespace kernelarium::worker
