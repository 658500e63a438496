// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

namespace kernelarium::test {

/// A memory of plain vectors with a mark for every byte that was written.
template <class Base> class VectorMemory : public Base {
public:
    explicit VectorMemory(std::uint64_t base, std::uint64_t capacity = 1 << 24)
        : m_next(base)
        , m_capacity(capacity) {}

    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string) override {
        if (m_used + bytes > m_capacity) return Error{"out_of_memory", "no room"};
        const std::uint64_t address = m_next;
        m_next += (bytes + 4095) / 4096 * 4096;
        m_blocks[address] = {std::vector<std::byte>(bytes, std::byte(0xad)), std::vector<bool>(bytes, false)};
        m_used += bytes;
        m_peak = std::max(m_peak, m_used);
        return address;
    }
    Result<void> release(std::uint64_t address) override {
        const auto it = m_blocks.find(address);
        if (it == m_blocks.end()) return Error{"bad_address", "not an allocation"};
        m_used -= it->second.bytes.size();
        m_blocks.erase(it);
        return {};
    }
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override {
        const Block* block = find(address, out.size());
        if (!block) return Error{"out_of_bounds", "outside every allocation"};
        std::memcpy(out.data(), block->bytes.data() + (address - start(address)), out.size());
        return {};
    }
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override {
        Block* block = const_cast<Block*>(find(address, bytes.size()));
        if (!block) return Error{"out_of_bounds", "outside every allocation"};
        const std::uint64_t at = address - start(address);
        std::memcpy(block->bytes.data() + at, bytes.data(), bytes.size());
        std::fill_n(block->written.begin() + std::ptrdiff_t(at), bytes.size(), true);
        return {};
    }
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override {
        return write(address, std::vector<std::byte>(bytes, std::byte(value)));
    }
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override {
        std::vector<std::byte> raw(bytes);
        if (auto done = read(from, raw); !done) return done;
        const Block* source = find(from, bytes);
        std::vector<bool> marks(source->written.begin() + std::ptrdiff_t(from - start(from)),
                                source->written.begin() + std::ptrdiff_t(from - start(from) + bytes));
        if (auto done = write(to, raw); !done) return done;
        auto& target = const_cast<Block*>(find(to, bytes))->written;
        std::copy(marks.begin(), marks.end(), target.begin() + std::ptrdiff_t(to - start(to)));
        return {};
    }
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                              std::uint64_t bytes) const override {
        const Block* block = find(address, bytes);
        if (!block) return {};
        const std::uint64_t at = address - start(address);
        for (std::uint64_t i = 0; i < bytes; ++i)
            if (!block->written[at + i]) return i;
        return {};
    }
    [[nodiscard]] bool holds(std::uint64_t address) const override { return find(address, 1) != nullptr; }
    [[nodiscard]] std::uint64_t capacity() const override { return m_capacity; }
    [[nodiscard]] std::uint64_t used() const override { return m_used; }
    [[nodiscard]] std::uint64_t peak() const override { return m_peak; }

private:
    struct Block {
        std::vector<std::byte> bytes;
        std::vector<bool> written;
    };
    [[nodiscard]] std::uint64_t start(std::uint64_t address) const {
        return std::prev(m_blocks.upper_bound(address))->first;
    }
    [[nodiscard]] const Block* find(std::uint64_t address, std::uint64_t bytes) const {
        const auto after = m_blocks.upper_bound(address);
        if (after == m_blocks.begin()) return nullptr;
        const auto& [first, block] = *std::prev(after);
        return address + bytes <= first + block.bytes.size() ? &block : nullptr;
    }

    std::uint64_t m_next;
    std::uint64_t m_capacity;
    std::uint64_t m_used = 0;
    std::uint64_t m_peak = 0;
    std::map<std::uint64_t, Block> m_blocks;
};

using HostHeap = VectorMemory<host::Memory>;

/// A device whose only kernel, "fill", writes its second parameter over the int array that the first points
/// to, one element for each thread; launches above 1024 threads in a block are refused.
class MemoryBackend : public VectorMemory<host::Backend> {
public:
    explicit MemoryBackend(std::uint64_t capacity = 1 << 24)
        : VectorMemory(0x7000'0000'0000ull, capacity) {}

    [[nodiscard]] std::string name() const override { return "memory"; }
    [[nodiscard]] const emulator::DeviceLimits& limits() const override { return m_limits; }
    [[nodiscard]] std::optional<host::KernelFacts> kernel(std::string_view mangled) const override {
        if (mangled != "fill") return {};
        return host::KernelFacts{12, {{0, 8}, {8, 4}}, 0, 0, registers};
    }
    [[nodiscard]] std::optional<host::DeviceSymbol> symbol(std::string_view mangled) override {
        return mangled == "table" ? std::optional(table) : std::nullopt;
    }
    host::KernelReport launch(const host::KernelLaunch& launch) override {
        host::KernelReport report = next;
        next = {};
        if (launch.block[0] > m_limits.multiprocessor.threadsPerBlock) {
            report.end = emulator::LaunchEnd::refused;
            report.cudaError = 9;
            report.reason = "invalid configuration argument";
            return report;
        }
        std::uint64_t to = 0;
        int value = 0;
        std::memcpy(&to, launch.parameters.data(), 8);
        std::memcpy(&value, launch.parameters.data() + 8, 4);
        for (std::uint32_t i = 0; i < launch.grid[0] * launch.block[0]; ++i)
            if (!write(to + 4ull * i, std::as_bytes(std::span(&value, 1)))) break;
        return report;
    }
    Result<void> synchronize() override { return {}; }
    [[nodiscard]] std::vector<std::string> damagedGuards() const override { return {}; }

    host::DeviceSymbol table;
    std::uint32_t registers = 32; ///< of "fill", for each thread
    host::KernelReport next;      ///< how the next launch ends

private:
    emulator::DeviceLimits m_limits;
};

} // namespace kernelarium::test
