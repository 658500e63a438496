// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/MemoryReuse.h"
#include "gpu/emulator/memory/RaceShadow.h"

#include <cstddef>
#include <cstdint>

namespace kernelarium::emulator {

/// What a device memory lies in: a reserved range for its bytes, one for their states, and race records. One device
/// memory after another may have it. What the present one has not given out is idle, and keeps the pages that earlier
/// ones filled.
class MemoryPages : public tensor::IdleMemory {
public:
    /// Bytes of address space for a memory of this capacity, a multiple of pages: with room for alignment and guard
    /// bands on top of what may be asked for.
    [[nodiscard]] static std::uint64_t rangeOf(std::uint64_t capacity) { return capacity + capacity / 8 + (64u << 20); }

    /// Throws std::bad_alloc when this process may not reserve that much address space.
    MemoryPages(std::uint64_t capacity, bool hasStates);
    ~MemoryPages() override;

    /// Between two memories: the next one's capacity. False where the reserved range is too small for it.
    [[nodiscard]] bool suit(std::uint64_t capacity);
    [[nodiscard]] std::uint64_t capacity() const { return m_capacity; }
    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::uint8_t* states() const { return m_states; } ///< null: it has none
    [[nodiscard]] RaceShadow& races() { return m_races; }
    /// Bytes and states below this offset hold anything, those behind it are zero.
    [[nodiscard]] std::uint64_t used() const { return m_used; }

    void begin();                 ///< a device memory has it from now on
    void need(std::uint64_t end); ///< and is about to fill what is below this offset: until now, less
    void end();                   ///< and no longer has it

    [[nodiscard]] std::uint64_t idle() const override;
    std::uint64_t giveBack(std::uint64_t bytes) override;

private:
    [[nodiscard]] std::uint64_t copies() const { return m_states ? 2 : 1; } ///< bytes for each byte of the memory

    std::uint64_t m_capacity;
    std::uint64_t m_range; ///< bytes that are reserved
    std::uint64_t m_used = 0;
    std::uint64_t m_needed = 0; ///< what is below this offset is not idle
    std::uint64_t m_most = 0;   ///< bytes that a memory needed, records and all
    std::byte* m_data = nullptr;
    std::uint8_t* m_states = nullptr;
    RaceShadow m_races;
};

} // namespace kernelarium::emulator
