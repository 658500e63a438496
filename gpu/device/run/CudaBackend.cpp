// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/run/CudaBackend.h"

#include "gpu/device/driver/DeviceEvent.h"
#include "gpu/device/driver/KernelStart.h"
#include "gpu/device/driver/OutputCapture.h"
#include "gpu/host/backend/CudaErrors.h"
#include "gpu/host/cuda/RunLog.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace kernelarium::device {

namespace {

using emulator::LaunchEnd;
using host::KernelReport;

/// What the runtime refuses before the driver is asked, with its own code for it; the driver would only say that a
/// value is invalid. 0 where the launch is in order.
int refusedConfiguration(const host::KernelLaunch& launch, const emulator::DeviceLimits& limits) {
    const std::uint64_t threads = std::uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
    bool right = threads > 0 && threads <= limits.multiprocessor.threadsPerBlock;
    for (std::size_t d = 0; d < 3; ++d)
        right =
            right && launch.block[d] <= limits.maxBlock[d] && launch.grid[d] > 0 && launch.grid[d] <= limits.maxGrid[d];
    return right ? host::cudaSuccess : host::cudaErrorInvalidConfiguration;
}

void refuseLaunch(KernelReport& report, int code) {
    report.end = LaunchEnd::refused;
    report.cudaError = code;
    report.reason = host::cudaErrorText(code);
}

/// The verifier's name for a fault that ended a kernel.
std::string_view faultKind(int code) {
    switch (code) {
    case host::cudaErrorIllegalAddress: return "illegal_address";
    case host::cudaErrorMisalignedAddress: return "misaligned";
    default: return "trap";
    }
}

} // namespace

CudaBackend::CudaBackend(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                         const DeviceModule& module, const emulator::Program& program, Settings settings)
    : CudaMemory(std::move(context), std::move(pool), settings.memory)
    , m_module(module)
    , m_program(program)
    , m_settings(std::move(settings)) {
    adoptSymbols();
}

/// The module's variables are memory that host code may copy to and from.
void CudaBackend::adoptSymbols() {
    for (const emulator::SymbolInfo& variable : m_program.symbols()) {
        const auto found = m_module.symbol(variable.name);
        if (!found || found->bytes == 0) continue;
        m_symbols.emplace(variable.name, *found);
        adopt(found->address, found->bytes, "variable " + variable.name);
    }
}

std::optional<int> CudaBackend::attribute(int which) const {
    return deviceAttribute(context().driver(), context().info().ordinal, which);
}

std::optional<host::KernelFacts> CudaBackend::kernel(std::string_view mangled) const {
    if (const auto known = m_facts.find(mangled); known != m_facts.end()) return known->second;
    const auto index = m_program.functionByName(mangled);
    const FunctionHandle function = index ? m_module.function(mangled) : nullptr;
    if (!function || !m_program.functions()[*index].isKernel) return {};
    const emulator::FunctionInfo& info = m_program.functions()[*index];
    host::KernelFacts facts;
    facts.parameterBytes = info.parameterBytes;
    for (const emulator::ParameterInfo& p : info.parameters)
        facts.parameters.push_back({p.offset, p.bytes});
    facts.staticSharedBytes = std::uint32_t(m_module.attribute(function, functionSharedBytes));
    facts.localBytes = std::uint32_t(m_module.attribute(function, functionLocalBytes));
    facts.registers = std::uint32_t(m_module.attribute(function, functionRegisters));
    return m_facts.emplace(std::string(mangled), std::move(facts)).first->second;
}

/// A variable that no kernel uses is not in the module; host code may copy to it and back all the same.
std::optional<host::DeviceSymbol> CudaBackend::placeUnused(const emulator::SymbolInfo& variable) {
    std::vector<std::byte> initial(variable.bytes);
    if (m_module.mentions(variable.name) || !m_program.memory().read(variable.address, initial)) return {};
    const Result<std::uint64_t> address = allocate(variable.bytes, "variable " + variable.name);
    if (!address || !write(*address, initial)) return {};
    return host::DeviceSymbol{*address, variable.bytes};
}

std::optional<host::DeviceSymbol> CudaBackend::symbol(std::string_view mangled) {
    if (const auto known = m_symbols.find(mangled); known != m_symbols.end()) return known->second;
    for (const emulator::SymbolInfo& variable : m_program.symbols()) {
        if (variable.name != mangled) continue;
        const std::optional<host::DeviceSymbol> placed = placeUnused(variable);
        if (placed) m_symbols.emplace(variable.name, *placed);
        return placed;
    }
    return {};
}

KernelReport CudaBackend::launch(const host::KernelLaunch& launch) {
    KernelReport report;
    const std::optional<host::KernelFacts> facts = kernel(launch.kernel);
    if (!facts) {
        refuseLaunch(report, host::cudaErrorInvalidDeviceFunction);
    } else if (m_settings.skipLaunches) {
        return report;
    } else if (const int code = refusedConfiguration(launch, limits()); code != host::cudaSuccess) {
        refuseLaunch(report, code);
    } else {
        run(launch, m_module.function(launch.kernel), *facts, report);
    }
    return report;
}

DriverStatus CudaBackend::start(const host::KernelLaunch& launch, FunctionHandle function,
                                const host::KernelFacts& facts) const {
    const DriverApi& api = context().api();
    if (launch.sharedOptInBytes > 0) {
        const DriverStatus set = api.cuFuncSetAttribute(function, functionDynamicShared, int(launch.sharedOptInBytes));
        if (set != driverSuccess) return set;
    }
    // GPUs without clusters know nothing to forbid.
    const DriverStatus set = api.cuFuncSetAttribute(function, functionNonPortableCluster, launch.nonPortableCluster);
    if (set != driverSuccess && launch.nonPortableCluster) return set;
    std::vector<std::byte> values = launch.parameters;
    values.resize(std::max<std::size_t>(values.size(), facts.parameterBytes));
    std::vector<void*> parameters;
    for (const emulator::ParameterInfo& range : facts.parameters)
        parameters.push_back(values.data() + range.offset);
    const KernelStart how{launch.grid, launch.block, launch.dynamicSharedBytes, launch.cooperative, launch.cluster};
    return startKernel(api, function, how, nullptr, parameters.data());
}

Result<std::array<std::byte, emulator::tensorMapBytes>> CudaBackend::tensorMap(const emulator::TensorMap& map) {
    struct alignas(64) Bytes {
        std::array<std::byte, emulator::tensorMapBytes> all{};
    } bytes;
    const DriverStatus status = context().api().cuTensorMapEncodeTiled(
        bytes.all.data(), int(map.type), map.rank, map.address, map.extent.data(), map.stride.data() + 1,
        map.box.data(), map.elementStride.data(), int(map.interleave), int(map.swizzle), int(map.promotion),
        int(map.fillsNan));
    if (status != driverSuccess)
        return Error{"invalid_value", "cuTensorMapEncodeTiled: " + context().driver().statusText(status)};
    return bytes.all;
}

void CudaBackend::run(const host::KernelLaunch& launch, FunctionHandle function, const host::KernelFacts& facts,
                      KernelReport& report) {
    DeviceEvent begin(context()), end(context());
    if (!begin.record() || !end.isValid()) return noteFailure(begin.status(), report);
    std::optional<OutputCapture> printed;
    if (m_settings.prints) printed.emplace();
    const DriverStatus started = start(launch, function, facts);
    if (started == driverSuccess) {
        if (end.record())
            wait(report, end.handle());
        else
            noteFailure(end.status(), report);
        if (report.end == LaunchEnd::finished) report.seconds = DeviceEvent::secondsBetween(begin, end);
    } else if (losesContext(started)) {
        noteFailure(started, report);
    } else {
        refuseLaunch(report, started);
    }
    // What kernels printed only comes when the whole context is waited for.
    if (printed && report.end == LaunchEnd::finished) (void)synchronize();
    if (printed && m_settings.print) m_settings.print(printed->finish(host::RunLog::printedLimit));
}

void CudaBackend::wait(KernelReport& report, EventHandle done) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    constexpr auto spinning = std::chrono::microseconds(200), longest = std::chrono::microseconds(2000);
    constexpr int share = 16; // of a kernel's time may be slept through behind its end
    for (;;) {
        const DriverStatus status = context().api().cuEventQuery(done);
        if (status == driverSuccess) return;
        if (status != driverNotReady) return noteFailure(status, report);
        const Clock::time_point now = Clock::now();
        if (now > m_settings.deadline || m_settings.stop.stop_requested()) break;
        if (now - begin < spinning) continue;
        std::this_thread::sleep_for(std::min<Clock::duration>(longest, (now - begin) / share));
    }
    const bool cancelled = m_settings.stop.stop_requested();
    report.end = cancelled ? LaunchEnd::cancelled : LaunchEnd::timeout;
    report.reason = cancelled ? "cancelled" : "the time limit was reached";
    context().lose("a kernel was still running when the run ended, and a GPU cannot be told to stop one");
}

void CudaBackend::noteFailure(DriverStatus status, KernelReport& report) const {
    report.end = LaunchEnd::trapped;
    report.cudaError = status; // both libraries have one numbering from 100 on
    report.reason = fmt::format("{} ({})", host::cudaErrorText(status), host::cudaErrorName(status));
    (void)context().check(status, "Running a kernel");
    context().lose("a kernel ended with " + context().driver().statusText(status));
    verify::Fault fault;
    fault.kind = faultKind(status);
    fault.message = fmt::format("The GPU ended the kernel: {}.", host::cudaErrorText(status));
    fault.leavesAllocation = status == host::cudaErrorIllegalAddress;
    report.faults.push_back(std::move(fault));
    report.remarks.emplace_back(
        "A GPU does not say which thread and line were at fault; the emulator does (--backend emulator).");
}

Result<void> CudaBackend::synchronize() {
    if (context().isLost()) return context().lostError();
    return context().check(context().api().cuCtxSynchronize(), "Waiting for the GPU");
}

} // namespace kernelarium::device
