// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/KernelJob.h"

#include "app/cli/TaskCardText.h"
#include "app/cli/Workers.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "gpu/worker/CompileMessages.h"

#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

using Milliseconds = std::chrono::milliseconds;

/// What the run child may take on top of the runs themselves: inputs, references, comparisons.
constexpr Milliseconds verifyGrace{60000};
constexpr Milliseconds runGrace{15000};

Milliseconds milliseconds(double seconds) { return Milliseconds(std::int64_t(seconds * 1000)); }

verify::Verdict timeoutVerdict(const PreparedJob& job, const Error& error) {
    verify::Verdict verdict;
    verdict.kind = verify::VerdictKind::timeout;
    verdict.reasons = {"timeout"};
    verdict.message = error.message;
    verdict.backend = "emulator";
    verdict.size = job.parameters.size;
    verdict.seed = job.parameters.seed;
    return verdict;
}

} // namespace

KernelJob::KernelJob(const JobOptions& options)
    : m_options(options)
    , m_compiler(makeWorker("compile"))
    , m_runner(makeWorker("run")) {}

Result<KernelSource> KernelJob::readSource() const {
    if (!m_options.kernelId.empty()) return readArchivedKernel(m_options.archive, m_options.kernelId);
    return readKernelFile(m_options.file);
}

Result<compile::CompiledUnit> KernelJob::compileText(const std::string& text) {
    worker::CompileParameters parameters;
    parameters.source = text;
    parameters.arch = m_options.arch;
    parameters.fastMath = m_options.fastMath;
    parameters.emit = {"ptx", "log"};
    return compileInChild(m_compiler, parameters);
}

std::optional<worker::TimeClaim> KernelJob::claimOf(const KernelSource& source) const {
    if (m_options.claimedMilliseconds > 0)
        return worker::TimeClaim{m_options.claimedMilliseconds, m_options.claimedDevice, "--claimed-ms"};
    if (source.archivedMilliseconds)
        return worker::TimeClaim{*source.archivedMilliseconds, worker::archivesDevice, "the archive"};
    return std::nullopt;
}

Result<PreparedJob> KernelJob::prepare() {
    PreparedJob job;
    Result<KernelSource> source = readSource();
    if (!source) return source.error();
    job.source = std::move(*source);
    job.task = job.source.task;
    if (!m_options.task.empty()) {
        Result<TaskName> task = parseTaskName(m_options.task);
        if (!task) return task.error();
        job.task = *task;
    }
    worker::RunParameters& p = job.parameters;
    p.size = m_options.size;
    p.arguments = m_options.arguments;
    p.seed = m_options.seed;
    p.checks = !m_options.noChecks;
    p.counters = m_options.counters;
    p.jobs = m_options.jobs;
    p.timeLimit = milliseconds(m_options.timeLimit);
    p.claim = claimOf(job.source);
    if (job.task && m_options.arguments.empty()) {
        Result<nlohmann::json> card = taskCard(*job.task);
        // An archived kernel may belong to a task without a card; asking for one by name is another thing.
        if (!card && !(m_options.task.empty() && !m_options.reference.empty())) return card.error();
        if (card) p.card = std::move(*card);
    }
    if (Result<void> reference = addReference(job); !reference) return reference.error();
    const auto start = std::chrono::steady_clock::now();
    Result<compile::CompiledUnit> unit = compileText(job.source.text);
    if (!unit) return unit.error();
    job.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    job.unit = std::move(*unit);
    return job;
}

Result<void> KernelJob::addReference(PreparedJob& job) {
    if (m_options.reference.empty()) return {};
    Result<KernelSource> source = readKernelFile(m_options.reference);
    if (!source) return source.error();
    Result<compile::CompiledUnit> unit = compileText(source->text);
    if (!unit) return unit.error();
    if (!unit->ok)
        return Error{"bad_input", "The reference " + m_options.reference + " does not compile (" + unit->failedStage + ").",
                     "Choose another reference.", diagnosticsText(*unit)};
    job.parameters.referenceUnit = std::move(*unit);
    job.parameters.referenceName = source->label;
    return {};
}

Result<nlohmann::json> KernelJob::callRunner(const char* method, const PreparedJob& job, const nlohmann::json& more) {
    worker::RunParameters parameters = job.parameters;
    parameters.unit = job.unit;
    worker::WorkerClient::CallOptions call;
    const bool once = std::string_view(method) != "verify";
    call.timeLimit = once ? parameters.timeLimit + runGrace : 2 * parameters.timeLimit + verifyGrace;
    call.progress = showStage;
    nlohmann::json sent = worker::toJson(parameters);
    sent.update(more);
    return m_runner.call(method, sent, call);
}

Result<verify::Verdict> KernelJob::verify(const PreparedJob& job) {
    verify::Verdict verdict;
    if (!job.unit.ok) {
        verdict = verify::compileErrorVerdict(job.unit.failedStage, diagnosticsText(job.unit));
        verdict.backend = m_options.backend;
        verdict.size = m_options.size;
        verdict.seed = m_options.seed;
    } else {
        Result<nlohmann::json> answer = callRunner("verify", job);
        if (!answer && answer.error().code != "timeout") return answer.error();
        Result<verify::Verdict> read =
            answer ? verify::verdictFromJson(*answer) : Result<verify::Verdict>(timeoutVerdict(job, answer.error()));
        if (!read) return read.error();
        verdict = std::move(*read);
    }
    verdict.fastMath = m_options.fastMath;
    verdict.seconds["compile"] = job.compileSeconds;
    return verdict;
}

Result<worker::RunSummary> KernelJob::run(const PreparedJob& job) {
    Result<nlohmann::json> answer = callRunner("run", job);
    if (!answer) return answer.error();
    return worker::runSummaryFromJson(*answer);
}

Result<worker::ProfileSummary> KernelJob::profile(const PreparedJob& job) {
    Result<nlohmann::json> answer = callRunner("profile", job, {{"device", m_options.device}});
    if (!answer) return answer.error();
    return worker::profileSummaryFromJson(*answer);
}

std::string diagnosticsText(const compile::CompiledUnit& unit) {
    std::string text;
    for (const compile::Diagnostic& d : unit.diagnostics) {
        if (d.severity != compile::Severity::error) continue;
        if (!text.empty()) text += "\n";
        text += d.line > 0 ? fmt::format("{}:{}:{}: error: {}", d.file, d.line, d.column, d.text)
                           : fmt::format("{}: error: {}", d.file, d.text);
    }
    return text.empty() ? unit.log : text;
}

} // namespace kernelarium::cli
