// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/emulator/run/HostRun.h"
#include "gpu/host/backend/Memory.h"

namespace kernelarium::host {

/// The memory of the interpreted host code: its heap, and (while a call is in progress) its stack and
/// variables.
class HostMemory : public Memory {
public:
    HostMemory(emulator::DeviceMemory& memory, std::uint32_t poison)
        : m_memory(memory)
        , m_poison(poison) {}

    /// Reads and writes go through the run from now on, which knows stack addresses.
    void bind(emulator::HostRun* run) { m_run = run; }

    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) override;
    Result<void> release(std::uint64_t address) override;
    /// Whether kernels in the emulator may use the allocation that holds the address, as they may what is page-locked.
    void share(std::uint64_t address, bool shared) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                              std::uint64_t bytes) const override;
    [[nodiscard]] bool holds(std::uint64_t address) const override;
    [[nodiscard]] std::optional<std::uint64_t> sizeAt(std::uint64_t address) const override;
    [[nodiscard]] std::uint64_t capacity() const override { return m_memory.capacity(); }
    [[nodiscard]] std::uint64_t used() const override { return m_memory.used(); }
    [[nodiscard]] std::uint64_t peak() const override { return m_memory.peak(); }

private:
    emulator::DeviceMemory& m_memory;
    std::uint32_t m_poison;
    emulator::HostRun* m_run = nullptr;
};

} // namespace kernelarium::host
