// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/KernelJob.h"

#include "app/cli/kernel/TaskCardText.h"
#include "gpu/worker/CompileMessages.h"
#include "gpu/worker/TorchBaselines.h"
#include "gpu/worker/Trial.h"

namespace kernelarium::cli {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(std::int64_t(seconds * 1000));
}

} // namespace

KernelJob::KernelJob(const JobOptions& options)
    : m_options(options)
    , m_compiler(makeCompiler())
    , m_runner(makeRunner(options.place)) {}

Result<KernelSource> KernelJob::readSource() const {
    if (!m_options.kernelId.empty()) return readArchivedKernel(m_options.archive, m_options.kernelId);
    return readKernelFile(m_options.file);
}

Result<void> KernelJob::chooseTarget() {
    if (m_options.backend == "cuda") {
        Result<worker::DeviceList> list = devicesOf(m_runner);
        if (!list) return list.error();
        const worker::DeviceSummary* gpu = list->gpu(m_options.place.gpu);
        if (!gpu)
            return list->missing.value_or(
                Error{"missing_component", "There is no GPU here.", "Use --backend emulator."});
        if (m_options.arch.empty()) m_options.arch = gpu->arch;
    }
    if (m_options.arch.empty()) m_options.arch = "sm_90";
    return {};
}

Result<compile::CompiledUnit> KernelJob::compileText(const std::string& text) {
    worker::CompileParameters parameters;
    parameters.source = text;
    parameters.arch = m_options.arch;
    parameters.fastMath = m_options.fastMath;
    parameters.emit = {"ptx", "log"};
    if (m_options.backend == "cuda") parameters.emit.insert("cubin");
    return compileInChild(m_compiler, parameters);
}

std::optional<worker::TimeClaim> KernelJob::claimOf(const KernelSource& source) const {
    if (m_options.claimedMilliseconds > 0)
        return worker::TimeClaim{m_options.claimedMilliseconds, m_options.claimedDevice, "--claimed-ms"};
    return worker::archivesClaim(source.archivedMilliseconds);
}

Result<PreparedJob> KernelJob::prepare() {
    if (Result<void> target = chooseTarget(); !target) return target.error();
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
    p.backend = m_options.backend;
    p.size = m_options.size;
    p.arguments = m_options.arguments;
    p.seed = m_options.seed;
    p.checks = !m_options.noChecks;
    p.mayLeaveBlocksOut = !m_options.everyBlock;
    p.counters = m_options.counters;
    p.jobs = m_options.jobs;
    p.gpuBytes = m_options.gpuMegabytes << 20;
    p.timeLimit = milliseconds(m_options.timeLimit);
    p.claim = claimOf(job.source);
    Result<nlohmann::json> card = cardFor(job);
    if (!card) return card.error();
    p.card = std::move(*card);
    if (Result<void> reference = addReference(job); !reference) return reference.error();
    const auto start = std::chrono::steady_clock::now();
    Result<compile::CompiledUnit> unit = compileText(job.source.text);
    if (!unit) return unit.error();
    job.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    job.unit = std::move(*unit);
    return job;
}

Result<nlohmann::json> KernelJob::cardFor(const PreparedJob& job) const {
    if (!m_options.card.empty()) {
        const Result<task::Card> card = worker::readCardFile(m_options.card);
        if (!card) return card.error();
        return nlohmann::json::parse(task::writeCard(*card));
    }
    if (!job.task || !m_options.arguments.empty()) return nlohmann::json(nullptr);
    if (!m_options.task.empty() || !job.source.row) return taskCard(*job.task);
    Result<nlohmann::json> card = rowCard(*job.source.row, m_options.python);
    if (card || m_options.reference.empty()) return card;
    Error error = card.error(); // the reference gives results, but not what to call the kernel with
    error.action = "Give the arguments of forward with --arg.";
    return error;
}

Result<KernelJob::NamedUnit> KernelJob::compileFile(const std::string& file, const std::string& role) {
    Result<KernelSource> source = readKernelFile(file);
    if (!source) return source.error();
    Result<compile::CompiledUnit> unit = compileText(source->text);
    if (!unit) return unit.error();
    if (!unit->ok)
        return Error{"bad_input", "The " + role + " " + file + " does not compile (" + unit->failedStage + ").",
                     "Choose another " + role + ".", worker::errorsText(*unit)};
    return NamedUnit{std::move(*unit), source->label};
}

Result<void> KernelJob::addReference(PreparedJob& job) {
    if (m_options.reference.empty()) return {};
    Result<NamedUnit> reference = compileFile(m_options.reference, "reference");
    if (!reference) return reference.error();
    job.parameters.referenceUnit = std::move(reference->unit);
    job.parameters.referenceName = reference->name;
    return {};
}

Result<nlohmann::json> KernelJob::callRunner(const char* method, const PreparedJob& job, const nlohmann::json& more,
                                             const std::function<void(const nlohmann::json&)>& partial) {
    worker::RunParameters parameters = job.parameters;
    parameters.unit = job.unit;
    worker::WorkerClient::CallOptions call;
    call.timeLimit = worker::childLimit(method, parameters.timeLimit);
    call.progress = showStage;
    call.partial = partial;
    nlohmann::json sent = worker::toJson(parameters);
    sent.update(more);
    return m_runner.call(method, sent, call);
}

Result<verify::Verdict> KernelJob::verify(const PreparedJob& job) {
    Result<verify::Verdict> verdict = job.unit.ok ? worker::verdictOf(callRunner("verify", job), job.parameters)
                                                  : worker::refusedVerdict(job.unit, job.parameters);
    if (!verdict) return verdict;
    verdict->fastMath = m_options.fastMath;
    verdict->seconds["compile"] = job.compileSeconds;
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

Result<worker::TimeSummary> KernelJob::time(const PreparedJob& job) {
    worker::TimeParameters timed;
    timed.run = job.parameters;
    timed.run.unit = job.unit;
    timed.mode = m_options.timeMode;
    timed.rate = m_options.requestRate;
    timed.requests = m_options.requests;
    timed.sampleSeconds = m_options.sampleSeconds;
    timed.energy = !m_options.noEnergy;
    timed.baselines = m_options.baselines;
    timed.python = m_options.python;
    if (!m_options.against.empty()) {
        Result<NamedUnit> other = compileFile(m_options.against, "kernel to compare with");
        if (!other) return other.error();
        timed.against = std::move(other->unit);
        timed.againstName = other->name;
    }
    worker::WorkerClient::CallOptions call;
    call.timeLimit = worker::childLimit("time", timed.run.timeLimit) + worker::baselineLimit(timed.baselines);
    call.progress = showStage;
    Result<nlohmann::json> answer = m_runner.call("time", worker::toJson(timed), call);
    if (!answer) return answer.error();
    return worker::timeSummaryFromJson(*answer);
}

Result<std::shared_ptr<const recording::Recording>> KernelJob::record(const PreparedJob& job) {
    worker::RecordingReader reader;
    Result<void> pages;
    Result<nlohmann::json> answer =
        callRunner("record", job, worker::toJson(m_options.record), [&](const nlohmann::json& page) {
            if (pages) pages = reader.addPage(page);
        });
    if (!answer) return answer.error();
    if (!pages) return pages.error();
    return reader.finish(*answer);
}

} // namespace kernelarium::cli
