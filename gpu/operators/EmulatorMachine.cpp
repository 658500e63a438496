// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/EmulatorMachine.h"

#include <fmt/format.h>

namespace kernelarium::operators {

EmulatorMachine::EmulatorMachine(Settings settings)
    : m_settings(std::move(settings))
    , m_facts{"emulator", "sm_90", false, emulator::DeviceLimits{}.multiprocessors}
    , m_own(std::make_unique<emulator::DeviceMemory>(m_settings.capacity, m_settings.checks
                                                                              ? emulator::DeviceMemory::Tracking::states
                                                                              : emulator::DeviceMemory::Tracking::none))
    , m_memory(*m_own) {}

EmulatorMachine::EmulatorMachine(emulator::DeviceMemory& memory, Settings settings)
    : m_settings(std::move(settings))
    , m_facts{"emulator", "sm_90", false, emulator::DeviceLimits{}.multiprocessors}
    , m_memory(memory) {}

Result<void> EmulatorMachine::load(const KernelModule& module) {
    Result<std::shared_ptr<emulator::Program>> program = emulator::Program::load(module.ptx, m_memory);
    if (!program) return program.error();
    for (const std::string& name : module.kernels) {
        const auto function = (*program)->functionByName(name);
        if (!function) return Error{"internal", fmt::format("The compiled module has no kernel {}.", name)};
        m_kernels[name] = {*program, *function};
    }
    return {};
}

Result<std::uint64_t> EmulatorMachine::allocate(std::uint64_t bytes, std::string_view label) {
    return m_memory.allocate(bytes, std::string(label), {});
}
Result<void> EmulatorMachine::release(std::uint64_t address) {
    return m_memory.release(address, emulator::DeviceMemory::Options{}.pattern);
}
Result<void> EmulatorMachine::read(std::uint64_t address, std::span<std::byte> out) {
    return m_memory.read(address, out);
}
Result<void> EmulatorMachine::write(std::uint64_t address, std::span<const std::byte> bytes) {
    return m_memory.write(address, bytes);
}
Result<void> EmulatorMachine::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    return m_memory.copy(to, from, bytes);
}

Result<void> EmulatorMachine::launch(const MachineLaunch& launch) {
    const auto found = m_kernels.find(launch.kernel);
    if (found == m_kernels.end()) return Error{"internal", fmt::format("The kernel {} was not loaded.", launch.kernel)};
    emulator::LaunchConfig config;
    config.function = found->second.function;
    config.grid = launch.grid;
    config.block = launch.block;
    config.dynamicSharedBytes = launch.dynamicSharedBytes;
    config.parameters.assign(launch.parameters.begin(), launch.parameters.end());
    emulator::RunOptions options;
    options.checks = options.races = m_settings.checks;
    options.jobs = m_settings.jobs;
    options.stop = m_settings.stop;
    const emulator::LaunchResult result = emulator::launch(*found->second.program, config, options);
    m_faults.insert(m_faults.end(), result.faults.begin(), result.faults.end());
    ++m_launches;
    if (result.end == emulator::LaunchEnd::finished) return {};
    if (result.end == emulator::LaunchEnd::cancelled) return Error{"cancelled", "The evaluation was cancelled."};
    return Error{"launch_failed", fmt::format("The kernel {} did not finish: {}.", launch.kernel, result.reason)};
}

} // namespace kernelarium::operators
