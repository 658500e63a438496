// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Poison.h"
#include "gpu/emulator/memory/FreedRanges.h"
#include "gpu/emulator/memory/RaceShadow.h"
#include "gpu/emulator/memory/WriteWatch.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::emulator {

class MemoryPages;

/// Whom an allocation belongs to: an access from the other side is a fault.
enum class Owner : std::uint8_t {
    device,   ///< cudaMalloc, tensors
    module_,  ///< variables of the compiled file; host code and kernels both use them
    constant, ///< __constant__ variables and kernel parameters
    hostHeap, ///< heap of the interpreted host code
    pinned,   ///< host memory that kernels may use as well: page-locked under unified addressing
    managed,  ///< cudaMallocManaged: device memory that host code may use as well
};

/// A range of addresses that was handed out. It is remembered for a while once freed, for messages.
struct Allocation {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t guard = 0; ///< guard band bytes before and after
    Owner owner = Owner::device;
    std::string label; ///< "argument A", "output of aten.empty", "variable d_table"
    bool live = true;
};

/// The emulator's global memory: one reserved range of addresses, committed as it is used, allocations inside it.
/// Device addresses are never addresses of this process: every access is translated and confined to the range.
/// Each byte has a state, so that one look tells whether an access is inside an allocation and reads what was written.
/// Addresses are given out once as long as there are fresh ones, so that whoever uses freed memory is seen; those freed
/// longest ago come again when there are none left. Allocation and release are not thread-safe; reads and writes of
/// different bytes are.
class DeviceMemory {
public:
    static constexpr std::uint64_t base = 0x7000'0000'0000ull; ///< first device address

    /// `capacity` is how much may be allocated in all; only what is touched takes physical memory.
    /// Throws std::bad_alloc when this process may not reserve that much address space.
    ///
    /// An untracked memory has no states: all of it counts as written and nothing is checked but allocations' bounds
    /// for the host; fresh memory reads as zero and takes nothing until it is touched. For profiles at full size.
    enum class Tracking { states, none };
    explicit DeviceMemory(std::uint64_t capacity, Tracking tracking = Tracking::states);
    /// In pages that an earlier memory may have filled, and a later one may get: nobody sees what they held.
    explicit DeviceMemory(std::shared_ptr<MemoryPages> pages);
    /// Of that capacity and with states.
    [[nodiscard]] static std::shared_ptr<MemoryPages> makePages(std::uint64_t capacity);
    /// Bytes of address space that a memory of this capacity reserves: its bytes and their states.
    [[nodiscard]] static std::uint64_t reservation(std::uint64_t capacity);
    [[nodiscard]] bool isTracked() const { return m_states != nullptr; }
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// `alignment` is a power of two; guard bands are filled with `pattern`, as is the allocation itself when
    /// `poison` is set (its bytes stay uninitialised). With `contents`, as many bytes as are asked for, it holds these
    /// and counts as written, as after a write(). Error "out_of_memory" says what was asked and what is left.
    struct Options {
        Owner owner = Owner::device;
        std::uint64_t alignment = 512;
        std::uint64_t guard = 0;
        bool poison = true;
        std::uint32_t pattern = verify::firstPoison;
        std::span<const std::byte> contents = {};
    };
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label, const Options& options);
    /// The address must be the start of a live allocation. Freed bytes are poisoned and are out of bounds from now on.
    Result<void> release(std::uint64_t address, std::uint32_t pattern);

    /// These check bounds against live allocations ("out_of_bounds").
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes);
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const;
    /// Fills the range with the pattern over and over. Whole copies of a large pattern are mapped rather than written,
    /// and take no memory until somebody writes there.
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern);
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value);
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes); ///< copies initialised bits too

    /// Gives the live allocation that begins there to another owner, contents and all. False where there is none.
    bool giveTo(Owner owner, std::uint64_t address);

    /// The live allocation that holds the address, or null.
    [[nodiscard]] const Allocation* find(std::uint64_t address) const;
    /// The allocation, live or freed not too long ago, that is nearest to the address: for messages.
    [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;
    /// Offset of the first byte in the range that was never written, if any.
    [[nodiscard]] std::optional<std::uint64_t> firstUninitialised(std::uint64_t address, std::uint64_t bytes) const;
    void markInitialised(std::uint64_t address, std::uint64_t bytes);
    /// From now on remembers who stores last into the range, which must lie in a device allocation that is yet to be
    /// made; one range at a time. Kernels see nothing of it, and only accesses of its own bytes take longer. Needs
    /// states, and launches with checks. With a `grain`, of which the range is a multiple, remembers it of each so many
    /// bytes (WriteWatch), in 16 bytes of memory for each.
    void watch(std::uint64_t address, std::uint64_t bytes, std::function<Writer()> hostWriter = {},
               std::uint32_t grain = 0);
    [[nodiscard]] WriteWatch* watched() const { return m_watch.get(); } ///< null: nothing is watched
    /// In the order of their addresses.
    template <class F> void forEachLive(F f) const {
        for (const auto& [address, g] : m_allocations)
            if (g.allocation.live) f(g.allocation);
    }
    /// A sentence for each guard band that no longer holds its pattern.
    [[nodiscard]] std::vector<std::string> damagedGuards() const;

    [[nodiscard]] std::uint64_t capacity() const { return m_capacity; }
    [[nodiscard]] std::uint64_t used() const { return m_used; }
    [[nodiscard]] std::uint64_t peak() const { return m_peak; }

    /// State of one byte of memory, as bits; 0 is in no live allocation (or in a guard band).
    static constexpr std::uint8_t stateInitialised = 1; ///< was written
    static constexpr std::uint8_t stateDevice = 2;      ///< kernels may access it
    static constexpr std::uint8_t stateHost = 4;        ///< host code may access it
    /// Instead of stateDevice: kernels may access it, and stores are noted. No quick check passes such a byte.
    static constexpr std::uint8_t stateWatched = 8;
    // Of runs that leave blocks out (SampleOptions::follow; gpu/emulator/checks/LeftOut.h):
    static constexpr std::uint8_t stateUnknown = 16; ///< not initialised, because a block that was left out would do it
    static constexpr std::uint8_t stateFresh = 32;   ///< stored into by this launch
    static constexpr std::uint8_t stateStored = 64;  ///< by an earlier launch, and known
    static constexpr std::uint8_t stateAccumulated = 128; ///< by an atomic of this launch
    /// What a copy carries along, and what a write from outside ends.
    static constexpr std::uint8_t stateContent = stateInitialised | stateUnknown | stateStored;

    /// For the interpreter: this process's address of device address `base`, and of its byte states.
    /// Valid offsets are below limit().
    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::uint8_t* states() const { return m_states; }
    [[nodiscard]] std::uint64_t limit() const { return m_next; }
    [[nodiscard]] RaceShadow& races();

private:
    void markWatched(const Allocation& allocation);
    void noteHostWrite(std::uint64_t address, std::uint64_t bytes) {
        if (m_watch && m_watch->overlaps(address, bytes)) m_watch->noteHost(address, bytes);
    }

    std::shared_ptr<MemoryPages> m_pages;
    std::uint64_t m_capacity = 0;
    std::uint64_t m_next = 0; ///< offset of the first byte never given out
    std::uint64_t m_used = 0;
    std::uint64_t m_peak = 0;
    std::byte* m_data = nullptr;
    std::uint8_t* m_states = nullptr;
    struct Guarded {
        Allocation allocation;
        std::uint32_t pattern;
        Range range;         ///< all that it takes, with guard bands and gaps
        bool mapped = false; ///< its states are pages of a file (fillStates)
    };
    /// Makes zero, in pages that were used before, what is neither the allocation nor its guard bands.
    void clearAround(const Range& range, std::uint64_t start, std::uint64_t bytes, std::uint64_t guard);
    [[nodiscard]] std::optional<FreedRanges::Place> placeFor(std::uint64_t bytes, std::uint64_t alignment,
                                                             std::uint64_t guard);
    void forgetOldest();
    /// Adds a sentence for each of the guard bands that no longer holds its pattern, up to a limit.
    void noteDamage(const Guarded& g, std::vector<std::string>& damaged) const;
    static constexpr std::size_t mostDamage = 256; ///< sentences

    std::map<std::uint64_t, Guarded> m_allocations; ///< by address, live and freed
    std::deque<std::uint64_t> m_freed;              ///< addresses of those freed and still remembered, oldest first
    std::uint64_t m_freedBytes = 0;                 ///< of these
    FreedRanges m_again;                            ///< what was forgotten
    std::vector<std::string> m_damagedOnce;         ///< guard bands of what was forgotten
    std::unique_ptr<WriteWatch> m_watch;
};

} // namespace kernelarium::emulator
