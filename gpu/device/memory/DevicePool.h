// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceContext.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace kernelarium::device {

/// A piece of device memory.
struct Slab {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// Device memory that outlives a run: slabs that are kept when a run ends and given to the next, since asking the
/// driver for memory takes longer than most kernels. Plain allocations only, and never all of the card: a reserve is
/// left for the driver's own needs and for whoever else uses the GPU.
class DevicePool {
public:
    static constexpr std::uint64_t slabBytes = 64ull << 20; ///< of a slab for many pieces
    static constexpr std::size_t stagingBytes = 64u << 10;

    explicit DevicePool(std::shared_ptr<DeviceContext> context)
        : m_context(std::move(context)) {}
    ~DevicePool();
    DevicePool(const DevicePool&) = delete;
    DevicePool& operator=(const DevicePool&) = delete;

    /// How many bytes could be held now: the slabs here and what the card has free, less the reserve. 0 where the
    /// context is lost.
    [[nodiscard]] std::uint64_t capacity();
    /// At least so many bytes, rounded up to multiples of 2 MB, and no slab of less than `least`. Errors:
    /// "out_of_memory" with what is free and who has the rest, "device_lost".
    Result<Slab> take(std::uint64_t bytes, std::uint64_t least = slabBytes);
    void giveBack(Slab slab);
    /// Asked when there is no room for so many bytes: gives slabs back, and tells how many bytes it freed; 0 for none.
    using MakeRoom = std::function<std::uint64_t(std::uint64_t bytes)>;
    void setMakeRoom(MakeRoom makeRoom) { m_makeRoom = std::move(makeRoom); }
    /// From now on at most so many bytes are held, as if the card had no more; 0: all of it.
    void setLimit(std::uint64_t bytes) { m_limit = bytes; }
    [[nodiscard]] std::uint64_t limit() const { return m_limit; } ///< 0: none
    /// Frees unused slabs, largest first, until at most so many bytes of them are kept.
    void trim(std::uint64_t mostKept);

    /// Page-locked memory of this process, which copies from the device do not wait for; whoever waited for the context
    /// may use it. Empty where there is none to be had.
    [[nodiscard]] std::span<std::byte> staging();

    [[nodiscard]] std::uint64_t lent() const { return m_lent; } ///< bytes of slabs that were taken and not given back
    [[nodiscard]] std::uint64_t kept() const;                   ///< bytes of slabs that lie here unused

private:
    [[nodiscard]] Result<Slab> allocate(std::uint64_t bytes);
    [[nodiscard]] static std::uint64_t reserveOf(std::uint64_t total);

    std::shared_ptr<DeviceContext> m_context;
    std::vector<Slab> m_kept;
    std::uint64_t m_lent = 0;
    std::uint64_t m_limit = 0;
    MakeRoom m_makeRoom;
    void* m_staging = nullptr;
};

} // namespace kernelarium::device
