// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/Trial.h"

#include "core/verify/Verifier.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::protocol {

namespace {

constexpr std::chrono::milliseconds verifyGrace{60000};
constexpr std::chrono::milliseconds runGrace{15000};

} // namespace

std::chrono::milliseconds compileLimitBeside(std::chrono::milliseconds runs) {
    constexpr std::chrono::seconds least(10); // a busy machine starts the compiler slowly
    return std::max<std::chrono::milliseconds>(runs, least);
}

std::chrono::milliseconds childLimit(std::string_view method, std::chrono::milliseconds runs) {
    if (method == "tensors") return 3 * runs + verifyGrace; // its run, the reference, and a run that watches
    return method == "verify" ? 2 * runs + verifyGrace : runs + runGrace;
}

std::chrono::milliseconds baselineLimit(std::string_view baselines) {
    constexpr std::chrono::minutes products(2), looking(4);
    if (baselines == "none") return std::chrono::milliseconds(0);
    return baselines == "libraries" ? products : products + looking + torchLimit;
}

bool canBeTimed(verify::VerdictKind kind) {
    using verify::VerdictKind;
    return kind != VerdictKind::compile_error && kind != VerdictKind::launch_error &&
           kind != VerdictKind::unsupported && kind != VerdictKind::timeout && kind != VerdictKind::fault;
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

verify::Verdict inReplyTo(const RunParameters& parameters, verify::Verdict verdict) {
    verdict.backend = parameters.backend;
    verdict.size = parameters.size;
    verdict.seed = parameters.seed;
    verdict.fastMath = parameters.unit->fastMath;
    verdict.compilerOptions = lineOf(parameters.unit->settings);
    verdict.seconds["compile"] = parameters.unit->seconds.total;
    return verdict;
}

verify::Verdict refusedVerdict(const RunParameters& parameters) {
    const compile::CompiledUnit& unit = *parameters.unit;
    return inReplyTo(parameters, verify::compileErrorVerdict(unit.failedStage, errorsText(unit)));
}

verify::Verdict timeoutVerdict(const Error& error, const RunParameters& parameters) {
    verify::Verdict verdict;
    verdict.kind = verify::VerdictKind::timeout;
    verdict.reasons = {"timeout"};
    verdict.message = error.message;
    return inReplyTo(parameters, std::move(verdict));
}

} // namespace kernelarium::protocol
