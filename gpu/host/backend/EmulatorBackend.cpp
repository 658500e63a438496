// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/EmulatorBackend.h"

#include "core/text/KernelName.h"
#include "gpu/host/backend/CudaErrors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::host {

namespace {

/// The code behind an error text that the emulator took from CUDA.
int codeOf(std::string_view reason, int otherwise) {
    constexpr std::array codes{cudaErrorInvalidConfiguration, cudaErrorMemoryAllocation,
                               cudaErrorLaunchOutOfResources, cudaErrorCooperativeLaunchTooLarge,
                               cudaErrorInvalidValue,         cudaErrorIllegalAddress,
                               cudaErrorMisalignedAddress,    cudaErrorAssert,
                               cudaErrorLaunchFailure,        cudaErrorInvalidClusterSize};
    for (int code : codes)
        if (reason.find(cudaErrorText(code)) != std::string_view::npos) return code;
    return otherwise;
}

/// Everything about a launch but the addresses among its parameters.
std::string launchKey(const KernelLaunch& launch) {
    std::string key = fmt::format("{} {} {} {} ", launch.kernel, fmt::join(launch.grid, ","),
                                  fmt::join(launch.block, ","), launch.dynamicSharedBytes);
    std::vector<std::byte> parameters = launch.parameters;
    for (std::size_t i = 0; i + 8 <= parameters.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, parameters.data() + i, 8);
        if (word >> 44 == emulator::DeviceMemory::base >> 44) std::memset(parameters.data() + i, 0, 8);
    }
    key.append(reinterpret_cast<const char*>(parameters.data()), parameters.size());
    return key;
}

} // namespace

EmulatorBackend::EmulatorBackend(const emulator::Program& program, const verify::RunRequest& request,
                                 const emulator::RunOptions& options, const Assembled& assembled,
                                 emulator::Recorder* recorder)
    : m_memory(program.memory())
    , m_program(program)
    , m_request(request)
    , m_options(options)
    , m_assembled(assembled)
    , m_recorder(recorder) {
    if (m_request.addressSalt == 0) return;
    emulator::DeviceMemory::Options unpoisoned;
    unpoisoned.poison = false;
    const std::uint64_t shift = (1 + m_request.addressSalt % 251) * 512;
    // Too small a memory to be shifted is found out at the first real allocation.
    [[maybe_unused]] const auto shifted = m_memory.allocate(shift, "address shift", unpoisoned);
}

std::optional<KernelFacts> EmulatorBackend::kernel(std::string_view mangled) const {
    const auto index = m_program.functionByName(mangled);
    if (!index || !m_program.functions()[*index].isKernel) return {};
    const emulator::FunctionInfo& info = m_program.functions()[*index];
    KernelFacts facts;
    facts.parameterBytes = info.parameterBytes;
    facts.parameters = info.parameters;
    facts.staticSharedBytes = info.staticSharedBytes;
    facts.localBytes = info.localBytes;
    if (const auto found = m_assembled.find(std::string(mangled)); found != m_assembled.end()) {
        facts.registers = found->second.registers;
        facts.globalLoads = found->second.globalLoads;
    }
    return facts;
}

std::optional<DeviceSymbol> EmulatorBackend::symbol(std::string_view mangled) {
    for (const emulator::SymbolInfo& symbol : m_program.symbols())
        if (symbol.name == mangled) return DeviceSymbol{symbol.address, symbol.bytes};
    return {};
}

KernelReport EmulatorBackend::launch(const KernelLaunch& launch) {
    KernelReport report;
    const auto index = m_program.functionByName(launch.kernel);
    if (!index) {
        report.end = emulator::LaunchEnd::refused;
        report.cudaError = cudaErrorInvalidDeviceFunction;
        report.reason = cudaErrorText(cudaErrorInvalidDeviceFunction);
        return report;
    }
    if (m_request.skipLaunches) return report;
    if (!m_request.profile) return execute(launch, *index);
    const auto [known, fresh] = m_profiled.try_emplace(launchKey(launch));
    if (fresh)
        known->second = execute(launch, *index);
    else if (known->second.counted)
        known->second.counted->sampling.repeated = true;
    return known->second;
}

/// What a block finds of the L1 when as many are resident as fit, and how many blocks of the grid are executed.
emulator::RunOptions EmulatorBackend::optionsFor(const KernelLaunch& launch) const {
    emulator::RunOptions options = m_options;
    if (m_request.sampleAbove) {
        constexpr std::uint64_t tried = 8; // blocks, to find out what one costs
        options.sample = {tried, ~std::uint64_t(0), *m_request.sampleAbove, true};
    }
    const std::optional<KernelFacts> facts = kernel(launch.kernel);
    if (!m_request.counters || !facts) return options;
    options.count.enabled = true;
    options.count.machineLoads = facts->globalLoads;
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    const std::uint64_t resident = std::max(
        1u,
        perf::occupancyOf(needsOf(*facts, threads, launch.dynamicSharedBytes), options.limits.multiprocessor).blocks);
    const std::uint64_t grid = std::uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const std::uint64_t sharing = std::clamp<std::uint64_t>(
        (grid + options.limits.multiprocessors - 1) / options.limits.multiprocessors, 1, resident);
    const std::uint64_t shared = sharing * (facts->staticSharedBytes + launch.dynamicSharedBytes);
    options.count.l1Bytes = (options.limits.l1Bytes - std::min(shared, options.limits.l1Bytes)) / sharing;
    options.count.l2Bytes =
        options.limits.l2Bytes / std::clamp<std::uint64_t>(grid, 1, sharing * options.limits.multiprocessors);
    if (!m_request.profile) return options;
    const verify::ProfileOptions& profile = *m_request.profile;
    options.sample.leastBlocks = profile.leastBlocks;
    options.sample.mostBlocks =
        std::max(profile.leastBlocks, std::uint64_t(profile.waves * double(resident) * options.limits.multiprocessors));
    options.sample.instructionBudget = profile.instructionBudget;
    return options;
}

/// Why the blocks of a cooperative launch, which wait for one another, are not all on the device at a time; empty where
/// they are.
std::string EmulatorBackend::tooLargeTogether(const KernelLaunch& launch, const KernelFacts& facts) const {
    const std::uint64_t blocks = std::uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const std::uint64_t each = perf::occupancyOf(needsOf(facts, launch.block[0] * launch.block[1] * launch.block[2],
                                                         launch.dynamicSharedBytes),
                                                 limits().multiprocessor)
                                   .blocks;
    if (blocks <= each * limits().multiprocessors) return {};
    return fmt::format("{}: {} blocks, of which {} fit on the {} multiprocessors at a time",
                       cudaErrorText(cudaErrorCooperativeLaunchTooLarge), blocks, each * limits().multiprocessors,
                       limits().multiprocessors);
}

KernelReport EmulatorBackend::execute(const KernelLaunch& launch, std::uint32_t function) {
    KernelReport report;
    emulator::LaunchConfig config;
    config.function = function;
    config.grid = launch.grid;
    config.block = launch.block;
    config.dynamicSharedBytes = launch.dynamicSharedBytes;
    config.sharedOptInBytes = launch.sharedOptInBytes;
    config.cooperative = launch.cooperative;
    config.cluster = launch.cluster;
    config.nonPortableCluster = launch.nonPortableCluster;
    config.parameters = launch.parameters;
    if (const auto facts = kernel(launch.kernel)) {
        config.registersPerThread = facts->registers;
        if (launch.cooperative) report.reason = tooLargeTogether(launch, *facts);
        if (!report.reason.empty()) {
            report.end = emulator::LaunchEnd::refused;
            report.cudaError = cudaErrorCooperativeLaunchTooLarge;
            return report;
        }
    }
    emulator::RunOptions options = optionsFor(launch);
    const std::optional<std::uint32_t> number = m_launches;
    if (m_launches) ++*m_launches;
    if (emulator::WriteWatch* watch = m_memory.watched()) watch->beginLaunch(number);
    if (m_recorder && number && m_recorder->wantsLaunch(*number, function)) {
        options.recorder = m_recorder;
        m_recordedKernel = text::kernelTitle(launch.kernel);
    }
    const emulator::LaunchResult result = emulator::launch(m_program, config, options);
    report.end = result.end;
    report.reason = result.reason;
    if (report.end == emulator::LaunchEnd::refused)
        report.cudaError = codeOf(result.reason, cudaErrorInvalidConfiguration);
    if (report.end == emulator::LaunchEnd::trapped) report.cudaError = codeOf(result.reason, cudaErrorLaunchFailure);
    report.faults = result.faults;
    report.remarks = result.remarks;
    report.warpInstructions = result.counters.warpInstructions;
    report.threadInstructions = result.counters.threadInstructions;
    report.seconds = result.counters.seconds;
    report.lanesTookTurns = result.lanesTookTurns;
    report.looseOrder = result.looseOrder;
    runLaunched(result.launched, report);
    const std::uint64_t blocks = std::uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    if (m_request.sampleAbove && result.counters.blocks < blocks) {
        report.executedBlocks = result.counters.blocks;
        if (report.end == emulator::LaunchEnd::deadlock || report.end == emulator::LaunchEnd::timeout) {
            report.end = emulator::LaunchEnd::beyond_sample;
            report.reason += "; its blocks may wait for others that were left out";
        }
    }
    if (result.counted) report.counted = *result.counted;
    return report;
}

/// Kernels that launch themselves make millions of launches; what stopped the run and what went wrong is always told.
bool EmulatorBackend::isListed(const KernelReport& ran) {
    constexpr std::size_t most = 4096; // of one launch's threads, of all levels
    const bool refused = ran.end == emulator::LaunchEnd::refused;
    if (!ran.launched.empty() || (ran.end != emulator::LaunchEnd::finished && !refused)) return true;
    if (!ran.faults.empty() || refused) return m_listedFaulty++ < most;
    return m_listed++ < most;
}

void EmulatorBackend::runLaunched(const std::vector<emulator::LaunchConfig>& configs, KernelReport& report) {
    constexpr int deepest = 24; // levels of launches from launches, as the device runtime allows
    if (configs.empty() || report.end != emulator::LaunchEnd::finished) return;
    if (m_depth >= deepest) {
        report.remarks.push_back(fmt::format("Launches more than {} levels deep were not made.", deepest));
        return;
    }
    if (m_depth++ == 0) m_listed = m_listedFaulty = 0;
    for (const emulator::LaunchConfig& config : configs) {
        KernelLaunch child;
        child.kernel = m_program.functions()[config.function].name;
        child.grid = config.grid;
        child.block = config.block;
        child.dynamicSharedBytes = config.dynamicSharedBytes;
        child.parameters = config.parameters;
        KernelReport ran = execute(child, config.function);
        const emulator::LaunchEnd end = ran.end;
        if (isListed(ran))
            report.launched.emplace_back(std::move(child), std::move(ran));
        else
            report.countUnlisted(ran);
        if (end != emulator::LaunchEnd::finished && end != emulator::LaunchEnd::refused) break;
    }
    --m_depth;
}

std::shared_ptr<const recording::Recording> EmulatorBackend::takeRecording() {
    if (!m_recorder || !m_recorder->hasStarted()) return nullptr;
    auto recording = std::make_shared<recording::Recording>(m_recorder->take());
    recording->kernel = m_recordedKernel;
    return recording;
}

Result<std::uint64_t> EmulatorBackend::allocate(std::uint64_t bytes, std::string label) {
    emulator::DeviceMemory::Options options;
    options.guard = m_request.guardBytes;
    options.pattern = m_request.poison;
    return m_memory.allocate(bytes, std::move(label), options);
}

Result<std::uint64_t> EmulatorBackend::allocateHolding(std::span<const std::byte> contents, std::string label) {
    if (contents.empty()) return allocate(1, std::move(label));
    emulator::DeviceMemory::Options options;
    options.guard = m_request.guardBytes;
    options.pattern = m_request.poison;
    options.contents = contents;
    return m_memory.allocate(contents.size(), std::move(label), options);
}

Result<std::uint64_t> EmulatorBackend::allocateManaged(std::uint64_t bytes, std::string label) {
    emulator::DeviceMemory::Options options;
    options.owner = emulator::Owner::managed;
    options.guard = m_request.guardBytes;
    options.pattern = m_request.poison;
    return m_memory.allocate(bytes, std::move(label), options);
}

Result<void> EmulatorBackend::release(std::uint64_t address) {
    if (auto owned = check(address); !owned) return owned;
    return m_memory.release(address, m_request.poison);
}

Result<void> EmulatorBackend::check(std::uint64_t address) const {
    if (holds(address)) return {};
    const emulator::Allocation* nearest = m_memory.nearest(address);
    if (nearest && !nearest->live && address >= nearest->address && address - nearest->address < nearest->bytes)
        return Error{"out_of_bounds", fmt::format("0x{:x} lies in {}, {} bytes at 0x{:x}, which was freed", address,
                                                  nearest->label, nearest->bytes, nearest->address)};
    std::string text = fmt::format("0x{:x} is not a device address", address);
    if (nearest)
        text += fmt::format("; the nearest allocation is {}, {} bytes at 0x{:x}", nearest->label, nearest->bytes,
                            nearest->address);
    return Error{"out_of_bounds", std::move(text)};
}

Result<void> EmulatorBackend::read(std::uint64_t address, std::span<std::byte> out) const {
    if (auto owned = check(address); !owned) return owned;
    return m_memory.read(address, out);
}

const std::byte* EmulatorBackend::lend(std::uint64_t address, std::uint64_t bytes) const {
    const emulator::Allocation* a = holds(address) ? m_memory.find(address) : nullptr;
    const bool inside = a && bytes <= a->address + a->bytes - address;
    return inside ? m_memory.data() + (address - emulator::DeviceMemory::base) : nullptr;
}

Result<void> EmulatorBackend::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (auto owned = check(address); !owned) return owned;
    return m_memory.write(address, bytes);
}

Result<void> EmulatorBackend::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    if (auto owned = check(address); !owned) return owned;
    return m_memory.fill(address, bytes, value);
}

Result<void> EmulatorBackend::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    if (auto owned = check(address); !owned) return owned;
    return m_memory.repeat(address, bytes, pattern);
}

Result<void> EmulatorBackend::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (auto owned = check(to); !owned) return owned;
    if (auto owned = check(from); !owned) return owned;
    return m_memory.copy(to, from, bytes);
}

std::optional<std::uint64_t> EmulatorBackend::firstUnwritten(std::uint64_t address, std::uint64_t bytes) const {
    return holds(address) ? m_memory.firstUninitialised(address, bytes) : std::nullopt;
}

bool EmulatorBackend::holds(std::uint64_t address) const {
    const emulator::Allocation* allocation = m_memory.find(address);
    return allocation && allocation->owner != emulator::Owner::hostHeap && allocation->owner != emulator::Owner::pinned;
}

} // namespace kernelarium::host
