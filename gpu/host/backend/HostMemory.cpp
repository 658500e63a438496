// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/HostMemory.h"

#include <fmt/format.h>
#include <vector>

namespace kernelarium::host {

namespace {

/// Host code may not touch what cudaMalloc gave, not even through a library call.
Result<void> checkOwner(const emulator::DeviceMemory& memory, std::uint64_t address) {
    const emulator::Allocation* allocation = memory.find(address);
    if (allocation && allocation->owner == emulator::Owner::device)
        return Error{"out_of_bounds",
                     fmt::format("host code used the device address 0x{:x} (in {})", address, allocation->label)};
    return {};
}

} // namespace

Result<std::uint64_t> HostMemory::allocate(std::uint64_t bytes, std::string label) {
    emulator::DeviceMemory::Options options;
    options.owner = emulator::Owner::hostHeap;
    options.alignment = 64;
    options.pattern = m_poison;
    return m_memory.allocate(bytes, std::move(label), options);
}

Result<void> HostMemory::release(std::uint64_t address) {
    return m_memory.release(address, m_poison);
}

void HostMemory::share(std::uint64_t address, bool shared) {
    const emulator::Allocation* allocation = m_memory.find(address);
    if (allocation && holds(address))
        m_memory.giveTo(shared ? emulator::Owner::pinned : emulator::Owner::hostHeap, allocation->address);
}

Result<void> HostMemory::read(std::uint64_t address, std::span<std::byte> out) const {
    if (auto owned = checkOwner(m_memory, address); !owned) return owned;
    return m_run ? m_run->read(address, out) : m_memory.read(address, out);
}

Result<void> HostMemory::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (auto owned = checkOwner(m_memory, address); !owned) return owned;
    return m_run ? m_run->write(address, bytes) : m_memory.write(address, bytes);
}

Result<void> HostMemory::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    return write(address, std::vector<std::byte>(bytes, std::byte(value)));
}

Result<void> HostMemory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (holds(to) && holds(from)) return m_memory.copy(to, from, bytes);
    std::vector<std::byte> raw(bytes);
    if (auto done = read(from, raw); !done) return done;
    return write(to, raw);
}

std::optional<std::uint64_t> HostMemory::firstUnwritten(std::uint64_t address, std::uint64_t bytes) const {
    return holds(address) ? m_memory.firstUninitialised(address, bytes) : std::nullopt;
}

std::optional<std::uint64_t> HostMemory::sizeAt(std::uint64_t address) const {
    const emulator::Allocation* allocation = m_memory.find(address);
    const bool begins = allocation && allocation->address == address && holds(address);
    return begins ? std::optional(allocation->bytes) : std::nullopt;
}

bool HostMemory::holds(std::uint64_t address) const {
    const emulator::Allocation* allocation = m_memory.find(address);
    return allocation &&
           (allocation->owner == emulator::Owner::hostHeap || allocation->owner == emulator::Owner::pinned);
}

} // namespace kernelarium::host
