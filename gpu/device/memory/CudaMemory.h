// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/memory/DevicePool.h"
#include "gpu/host/backend/Backend.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::device {

/// The memory of one run on a GPU: allocations with guard bands in slabs of the pool, laid out as in the emulator.
/// Fresh and freed bytes and guard bands hold the poison. Which bytes were written nobody knows here, so
/// firstUnwritten() is always empty. Addresses are those of the GPU and mean nothing in this process.
///
/// An address is given out once in a run, unless its allocation was so large that it had a slab to itself, was freed,
/// and the memory was needed again.
class CudaMemory : public host::Backend {
public:
    struct Layout {
        std::size_t guardBytes = 0;
        std::uint32_t poison = verify::firstPoison;
        std::uint64_t addressSalt = 0; ///< shifts every allocation
        std::uint64_t capacity = 0;    ///< bytes that may be allocated; 0: what the pool can hold
    };
    CudaMemory(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, const Layout& layout);
    ~CudaMemory() override;
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;

    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override;
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t, std::uint64_t) const override {
        return {};
    }
    [[nodiscard]] bool isRemote() const override { return true; }
    [[nodiscard]] bool holds(std::uint64_t address) const override { return find(address) != nullptr; }
    [[nodiscard]] std::uint64_t capacity() const override { return m_layout.capacity; }
    [[nodiscard]] std::uint64_t used() const override { return m_used; }
    [[nodiscard]] std::uint64_t peak() const override { return m_peak; }
    [[nodiscard]] std::vector<std::string> damagedGuards() const override;

protected:
    /// A variable of the module: memory that is not ours to free.
    void adopt(std::uint64_t address, std::uint64_t bytes, std::string label);
    [[nodiscard]] DeviceContext& context() const { return *m_context; }

private:
    struct Allocation {
        std::uint64_t bytes = 0;
        std::uint64_t guard = 0;
        std::string label;
        bool live = true;
        Slab own; ///< where it has a slab to itself; else of 0 bytes
    };
    using Allocations = std::map<std::uint64_t, Allocation>;

    [[nodiscard]] const Allocations::value_type* find(std::uint64_t address) const;
    [[nodiscard]] Result<void> checkRange(const char* what, std::uint64_t address, std::uint64_t bytes) const;
    [[nodiscard]] Result<void> checkRoom(std::uint64_t bytes, const std::string& label) const;
    [[nodiscard]] Result<std::uint64_t> place(Allocation& allocation);
    [[nodiscard]] Result<void> poison(std::uint64_t from, std::uint64_t to) const;
    struct Guard {
        std::uint64_t address = 0;
        const Allocation* of = nullptr; ///< which says its bytes
        const char* side = "";
    };
    [[nodiscard]] static std::array<Guard, 2> guardsOf(std::uint64_t address, const Allocation& allocation);
    void collectDamage(std::span<const Guard> guards, std::vector<std::string>& damaged) const;
    [[nodiscard]] bool holdsPoison(const Guard& guard, std::span<const std::byte> raw) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    Layout m_layout;
    Allocations m_allocations;  ///< by address, live and freed
    std::vector<Slab> m_shared; ///< slabs of several allocations; the last one still has room
    std::uint64_t m_next = 0;   ///< first free address in the last of them
    std::uint64_t m_used = 0;
    std::uint64_t m_peak = 0;
    std::vector<std::string> m_damagedBefore; ///< guard bands of allocations that were freed with their slab
};

} // namespace kernelarium::device
