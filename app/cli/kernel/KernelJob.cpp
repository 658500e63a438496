// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/KernelJob.h"

#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/CubinFile.h"
#include "app/cli/kernel/RowCardExport.h"
#include "core/text/Utf8.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>

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
        Result<protocol::DeviceList> list = m_runner.devices(shown());
        if (!list) return list.error();
        const protocol::DeviceSummary* gpu = list->gpu(m_options.place.gpu);
        if (!gpu)
            return list->missing.value_or(
                Error{"missing_component", "There is no GPU here.", "Use --backend emulator."});
        if (m_options.arch.empty()) m_options.arch = gpu->arch;
    }
    if (m_options.arch.empty()) m_options.arch = "sm_90";
    return {};
}

Result<protocol::KernelClient::Unit> KernelJob::compileText(const std::string& text) {
    protocol::CompileParameters parameters;
    parameters.source = text;
    parameters.arch = m_options.arch;
    parameters.fastMath = m_options.fastMath;
    parameters.settings = m_settings;
    parameters.texts = {"ptx", "log"};
    if (m_options.backend == "cuda") parameters.texts.insert("cubin");
    protocol::CallOptions call = shown();
    call.compileLimit = protocol::compileLimitBeside(milliseconds(m_options.timeLimit));
    return m_compiler.compile(parameters, call);
}

std::optional<protocol::TimeClaim> KernelJob::claimOf(const KernelSource& source) const {
    if (m_options.claimedMilliseconds > 0)
        return protocol::TimeClaim{m_options.claimedMilliseconds, m_options.claimedDevice, "--claimed-ms"};
    return protocol::archivesClaim(source.archivedMilliseconds);
}

Result<void> checkSize(const std::string& size, const task::Card* card) {
    if (size == "small" || size == "full") return {};
    if (!card)
        return Error{"bad_usage", "Without a task's card there is no size '" + size + "', only small and full.",
                     "Use --task or --card without --arg, or leave --size out."};
    const Result<task::Symbols> symbols = card->size(size);
    return symbols ? Result<void>() : Result<void>(symbols.error());
}

Result<PreparedJob> KernelJob::prepare() {
    Result<text::CompilerSettings> settings = compilerSettings(m_options.compilerWords);
    if (!settings) return settings.error();
    m_settings = std::move(*settings);
    if (Result<void> target = chooseTarget(); !target) return target.error();
    PreparedJob job;
    Result<KernelSource> source = readSource();
    if (!source) return source.error();
    job.source = std::move(*source);
    addOwnFolder(job.source, m_settings);
    job.task = job.source.task;
    if (!m_options.task.empty()) {
        Result<TaskName> task = parseTaskName(m_options.task);
        if (!task) return task.error();
        job.task = *task;
    }
    protocol::RunParameters& p = job.parameters;
    p.backend = m_options.backend;
    p.size = m_options.size;
    p.function = m_options.function;
    p.arguments = m_options.arguments;
    p.outputs = m_options.outputs;
    std::sort(p.outputs.begin(), p.outputs.end());
    p.outputs.erase(std::unique(p.outputs.begin(), p.outputs.end()), p.outputs.end());
    p.programArguments = m_options.programArguments;
    p.programArguments.insert(p.programArguments.begin(),
                              "./" + text::asUtf8(std::filesystem::path(job.source.label).stem().string()));
    p.seed = m_options.seed;
    p.checks = !m_options.noChecks;
    p.mayLeaveBlocksOut = !m_options.everyBlock;
    p.counters = m_options.counters;
    p.exactSums = m_options.exactSums;
    p.jobs = m_options.jobs;
    p.gpuBytes = m_options.gpuMegabytes << 20;
    p.timeLimit = milliseconds(m_options.timeLimit);
    p.claim = claimOf(job.source);
    Result<std::shared_ptr<const task::Card>> card = cardFor(job);
    if (!card) return card.error();
    p.card = std::move(*card);
    if (p.size != "both") // before anything is compiled
        if (Result<void> size = checkSize(p.size, p.card.get()); !size) return size.error();
    if (Result<void> reference = addReference(job); !reference) return reference.error();
    Result<protocol::KernelClient::Unit> unit = compileText(job.source.text);
    if (!unit) return unit.error();
    p.unit = std::move(*unit);
    if (Result<void> taken = takeNativeCode(job); !taken) return taken.error();
    if (p.unit->isProgram && !m_options.timeLimitGiven) p.timeLimit = protocol::programTimeLimit;
    return job;
}

Result<std::shared_ptr<const task::Card>> KernelJob::cardFor(const PreparedJob& job) const {
    const auto shared = [](Result<task::Card> card) -> Result<std::shared_ptr<const task::Card>> {
        if (!card) return card.error();
        return std::make_shared<const task::Card>(std::move(*card));
    };
    if (!m_options.card.empty()) return shared(audit::readCardFile(m_options.card));
    if (!job.task || !m_options.arguments.empty()) return std::shared_ptr<const task::Card>();
    if (!m_options.task.empty() || !job.source.row) return shared(task::loadCard(job.task->level, job.task->task));
    Result<std::shared_ptr<const task::Card>> card = rowCard(*job.source.row, m_options.python);
    if (card || m_options.reference.empty()) return card;
    Error error = card.error(); // the reference gives results, but not what to call the kernel with
    error.action = "Give the arguments of forward with --arg.";
    return error;
}

Result<KernelJob::NamedUnit> KernelJob::compileFile(const std::string& file, const std::string& role) {
    Result<KernelSource> source = readKernelFile(file);
    if (!source) return source.error();
    Result<protocol::KernelClient::Unit> unit = compileText(source->text);
    if (!unit) return unit.error();
    if (!(*unit)->ok)
        return Error{"bad_input", "The " + role + " " + file + " does not compile (" + (*unit)->failedStage + ").",
                     "Choose another " + role + ".", protocol::errorsText(**unit)};
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

Result<void> KernelJob::takeNativeCode(PreparedJob& job) const {
    if (m_options.nativeCode.empty() || !job.unit().ok) return {};
    if (m_options.backend != "cuda")
        return Error{"bad_usage", "Native code runs on a GPU only.", "Give --backend cuda with --native-code."};
    const Result<sass::Cubin> cubin = readCubin(m_options.nativeCode);
    if (!cubin) return cubin.error();
    for (const compile::KernelResources& kernel : job.unit().kernels)
        if (!cubin->find(kernel.mangled))
            return Error{"bad_input", m_options.nativeCode + " does not have the kernel " + kernel.name + ".",
                         "Give a cubin that was made from this very text."};
    auto unit = std::make_shared<compile::CompiledUnit>(job.unit());
    unit->cubin = cubin->bytes();
    job.parameters.unit = std::move(unit);
    return {};
}

Result<protocol::VerdictAnswer> KernelJob::verify(const PreparedJob& job) {
    return m_runner.verify(job.parameters, shown());
}

Result<protocol::RunSummary> KernelJob::run(const PreparedJob& job) {
    return m_runner.run(job.parameters, shown());
}

Result<tensorview::Answer> KernelJob::tensors(const PreparedJob& job, const tensorview::Query& query) {
    return m_runner.tensors(job.parameters, query, shown());
}

Result<protocol::ProfileSummary> KernelJob::profile(const PreparedJob& job) {
    protocol::ProfileParameters profiled;
    profiled.run = job.parameters;
    profiled.device = m_options.device;
    return m_runner.profile(profiled, shown());
}

Result<protocol::TimeSummary> KernelJob::time(const PreparedJob& job) {
    protocol::TimeParameters timed;
    timed.run = job.parameters;
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
    return m_runner.time(timed, shown());
}

Result<std::shared_ptr<const recording::Recording>> KernelJob::record(const PreparedJob& job) {
    return m_runner.record({job.parameters, m_options.record}, shown());
}

} // namespace kernelarium::cli
