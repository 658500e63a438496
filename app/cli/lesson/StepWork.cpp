// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lesson/StepWork.h"

#include "core/task/Card.h"
#include "gpu/protocol/Trial.h"

namespace kernelarium::cli {

StepWork::StepWork(const RunPlace& place)
    : m_compiler(makeCompiler())
    , m_runner(makeRunner(place)) {}

Result<protocol::DeviceSummary> StepWork::useGpu(int ordinal) {
    Result<protocol::DeviceList> list = m_runner.devices(shown());
    if (!list) return list.error();
    const protocol::DeviceSummary* gpu = list->gpu(ordinal);
    if (!gpu)
        return list->missing.value_or(
            Error{"missing_component", "There is no GPU here.", "Use --backend emulator, which models times."});
    m_arch = gpu->arch;
    m_gpu = true;
    return *gpu;
}

Result<protocol::KernelClient::Unit> StepWork::compile(const std::string& text) {
    protocol::CompileParameters parameters;
    parameters.source = text;
    parameters.arch = m_arch;
    parameters.texts = {"ptx", "log"};
    if (m_gpu) parameters.texts.insert("cubin");
    protocol::CallOptions call = shown();
    call.compileLimit = protocol::compileLimit;
    return m_compiler.compile(parameters, call);
}

Result<protocol::RunParameters> StepWork::prepareAnyway(const lesson::StepKernel& kernel, const std::string& text,
                                                        const std::string& size) {
    protocol::RunParameters run;
    run.size = size;
    run.arguments = kernel.arguments;
    if (kernel.task > 0) {
        Result<task::Card> card = task::loadCard(kernel.level, kernel.task);
        if (!card) return card.error();
        run.card = std::make_shared<const task::Card>(std::move(*card));
    }
    if (!kernel.reference.empty()) {
        Result<protocol::KernelClient::Unit> reference = compile(kernel.reference);
        if (!reference) return reference.error();
        if (!(*reference)->ok)
            return Error{"bad_input", "The lesson's reference does not compile (" + (*reference)->failedStage + ").",
                         "Whoever wrote the lesson has to mend it.", protocol::errorsText(**reference)};
        run.referenceUnit = std::move(*reference);
        run.referenceName = "the lesson's reference";
    }
    Result<protocol::KernelClient::Unit> unit = compile(text);
    if (!unit) return unit.error();
    run.unit = std::move(*unit);
    return run;
}

Result<protocol::RunParameters> StepWork::prepare(const lesson::StepKernel& kernel, const std::string& text,
                                                  const std::string& size) {
    Result<protocol::RunParameters> run = prepareAnyway(kernel, text, size);
    if (!run || run->unit->ok) return run;
    return Error{"bad_input", "The kernel does not compile (" + run->unit->failedStage + ").", "",
                 protocol::errorsText(*run->unit)};
}

Result<protocol::VerdictAnswer> StepWork::verify(protocol::RunParameters run) {
    return m_runner.verify(run, shown());
}

Result<protocol::ProfileSummary> StepWork::profile(protocol::RunParameters run, const std::string& device) {
    run.backend = "emulator";
    protocol::ProfileParameters parameters;
    parameters.run = std::move(run);
    parameters.device = device;
    return m_runner.profile(parameters, shown());
}

Result<protocol::TimeSummary> StepWork::measure(protocol::RunParameters run, double sampleSeconds,
                                                const protocol::KernelClient::Unit& against) {
    run.backend = "cuda";
    run.referenceUnit = {};
    protocol::TimeParameters parameters;
    parameters.run = std::move(run);
    parameters.run.timeLimit = std::chrono::seconds(120);
    parameters.sampleSeconds = sampleSeconds;
    parameters.energy = false;
    parameters.against = against;
    parameters.againstName = against ? "the starter" : "";
    return m_runner.time(parameters, shown());
}

} // namespace kernelarium::cli
