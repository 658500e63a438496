// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/emulator/run/Launch.h"
#include "gpu/operators/Machine.h"

#include <map>
#include <memory>

namespace kernelarium::operators {

/// The emulator as a machine.
class EmulatorMachine : public Machine {
public:
    struct Settings {
        std::uint64_t capacity = 2ull << 30;
        bool checks = false; ///< memory checks and races; faults() has what they find
        unsigned jobs = 1;
        std::stop_token stop{}; ///< ends a launch under way, which then fails as "cancelled"
    };
    explicit EmulatorMachine(Settings settings);
    /// In somebody else's memory, which outlives it.
    EmulatorMachine(emulator::DeviceMemory& memory, Settings settings);

    [[nodiscard]] const MachineFacts& facts() const override { return m_facts; }
    [[nodiscard]] std::uint64_t freeBytes() const override { return m_memory.capacity() - m_memory.used(); }
    Result<void> load(const KernelModule& module) override;
    [[nodiscard]] bool has(std::string_view kernel) const override { return m_kernels.contains(kernel); }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    Result<void> launch(const MachineLaunch& launch) override;
    Result<void> synchronize() override { return {}; }

    /// What the checks found in all launches so far.
    [[nodiscard]] const std::vector<emulator::Fault>& faults() const { return m_faults; }
    [[nodiscard]] std::uint64_t peak() const { return m_memory.peak(); }
    [[nodiscard]] std::uint64_t used() const { return m_memory.used(); }
    [[nodiscard]] std::uint64_t launches() const { return m_launches; }

private:
    struct Entry {
        std::shared_ptr<emulator::Program> program;
        std::uint32_t function = 0;
    };
    Settings m_settings;
    MachineFacts m_facts;
    std::unique_ptr<emulator::DeviceMemory> m_own; ///< null where the memory is somebody else's
    emulator::DeviceMemory& m_memory;
    std::map<std::string, Entry, std::less<>> m_kernels;
    std::vector<emulator::Fault> m_faults;
    std::uint64_t m_launches = 0;
};

} // namespace kernelarium::operators
