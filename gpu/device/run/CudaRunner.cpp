// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/run/CudaRunner.h"

#include "gpu/device/run/CudaBackend.h"
#include "gpu/emulator/code/HiddenInputs.h"
#include "gpu/emulator/decode/ProductRegisters.h"
#include "gpu/host/backend/ContraryOrder.h"
#include "gpu/host/run/HostSession.h"
#include "gpu/host/run/LaunchedInputs.h"

namespace kernelarium::device {

namespace {

constexpr std::size_t faultsPerKind = 8;

/// A GPU is not asked for what only the emulator can tell.
Result<void> checkOffered(const verify::RunRequest& request) {
    const char* asked = request.counters      ? "counters"
                        : request.profile     ? "profiles"
                        : request.watch       ? "the last writer of an element"
                        : request.sampleAbove ? "shares of a launch's blocks"
                        : request.recording   ? "recordings of steps"
                                              : nullptr;
    if (!asked) return {};
    return Error{"unsupported", std::string("The cuda backend has no ") + asked + ".", "Use --backend emulator."};
}

verify::RunResult ended(verify::RunEnd end, std::string reason) {
    verify::RunResult result;
    result.end = end;
    result.reason = std::move(reason);
    return result;
}

} // namespace

CudaRunner::CudaRunner(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, CudaProgram program,
                       CudaSettings settings)
    : m_context(std::move(context))
    , m_pool(std::move(pool))
    , m_program(std::move(program))
    , m_settings(settings)
    , m_hostCode(emulator::Module::parse(m_program.host.ptx))
    , m_products(host::matrixProducts(m_program.host.ptx))
    , m_atomics(host::atomicUse(m_program.host.ptx))
    , m_hiddenInputs(m_hostCode ? emulator::hiddenInputs((*m_hostCode)->parsed()) : std::vector<verify::HiddenInput>())
    , m_textFaults(m_hostCode ? emulator::productRegisterFaults((*m_hostCode)->parsed()) : std::vector<verify::Fault>())
    , m_prints(m_program.kernelPtx.find("vprintf") != std::string::npos) {}

Result<verify::RunResult> CudaRunner::run(const verify::RunRequest& request) {
    if (auto offered = checkOffered(request); !offered) return offered.error();
    if (!m_program.host.definesModule && !m_program.host.isProgram)
        return ended(verify::RunEnd::import_error, host::noModuleReason);
    if (m_context->isLost())
        return ended(verify::RunEnd::crashed, "The GPU's context was lost before: " + m_context->lostReason());
    if (auto current = m_context->makeCurrent(); !current) return current.error();
    Result<verify::RunResult> result = runOnGpu(request);
    if (!result) return result;
    result->tensorCoreTypes = host::tensorCoreTypes(m_products);
    if (std::string said = host::productsText(m_products, result->launches); !said.empty())
        result->remarks.push_back(std::move(said));
    result->usesAtomics = m_atomics.global;
    result->usesSharedAtomics = m_atomics.shared;
    result->hiddenInputs = host::launchedInputs(m_hiddenInputs, result->launches);
    const std::vector<verify::Fault> shown = host::launchedFaults(m_textFaults, result->launches);
    if (request.checks) result->faults.insert(result->faults.end(), shown.begin(), shown.end());
    return result;
}

Result<verify::RunResult> CudaRunner::runOnGpu(const verify::RunRequest& request) {
    if (!m_hostCode) return m_hostCode.error();
    emulator::DeviceMemory hostMemory(m_settings.hostCapacity);
    auto program = emulator::Program::place(*m_hostCode, hostMemory);
    if (!program) {
        if (program.error().code != "unsupported") return program.error();
        return ended(verify::RunEnd::unsupported, program.error().message);
    }
    auto module = DeviceModule::load(m_context, m_program.cubin, m_program.kernelPtx);
    if (!module) return module.error();
    host::RunLog log;
    host::HostSession::Settings session;
    session.function = m_program.host.function;
    session.isProgram = m_program.host.isProgram;
    session.memoryLimit = m_settings.hostCapacity;
    session.keeper = m_settings.keeper;
    const emulator::RunOptions options =
        host::runOptions(request, m_context->info().limits, m_settings.jobs, faultsPerKind);
    CudaBackend::Settings settings;
    settings.memory = {request.guardBytes, request.poison, request.addressSalt, m_settings.deviceCapacity};
    settings.skipLaunches = request.skipLaunches;
    settings.prints = m_prints;
    settings.deadline = options.deadline;
    settings.stop = request.stop;
    settings.print = [&log](std::string_view text) { log.print(text); };
    CudaBackend cuda(m_context, m_pool, **module, **program, std::move(settings));
    host::ContraryOrder contrary(cuda);
    host::Backend& backend = request.contraryStreams ? static_cast<host::Backend&>(contrary) : cuda;
    std::optional<RunOperators> operators;
    if (m_settings.operators.machine && m_settings.operators.library)
        session.operators = &operators.emplace(m_settings.operators, backend, RunMachine::Listener(), request.stop);
    if ((*module)->usedPtx())
        log.remark("the driver compiled the kernels from PTX itself: what was compiled before is for another GPU");
    host::HostSession one(**program, backend, log, options, session, request);
    return one.execute(request, {});
}

} // namespace kernelarium::device
