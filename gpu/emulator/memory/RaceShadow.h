// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/RaceRecord.h"

#include <algorithm>
#include <cstdint>

namespace kernelarium::emulator {

/// Race records of a device memory. They live as long as the memory: blocks are numbered on from launch to
/// launch, so that what an earlier launch left is recognised and need not be cleared. Pages that nobody
/// touches cost nothing.
class RaceShadow {
public:
    /// Device memory beyond this has no records: they take four times what they watch.
    static constexpr std::uint64_t mostBytes = 512u << 20;

    RaceShadow() = default;
    ~RaceShadow();
    RaceShadow(const RaceShadow&) = delete;
    RaceShadow& operator=(const RaceShadow&) = delete;

    /// For a launch of so many blocks on a memory of so many bytes: the marks, and in `first` the number of
    /// the launch's first block. Its blocks are first to first + count - 1, of which those below
    /// race::blockLimit are tracked. No marks where the system has no address space left.
    race::Marks begin(std::uint64_t memoryBytes, std::uint64_t blocks, std::uint32_t& first);
    /// Watches no more than so many bytes: so that records, too, stay within what the process may take.
    void setMost(std::uint64_t bytes) { m_most = std::min(bytes & ~std::uint64_t(0xffff), mostBytes); }

    /// Bytes that records of what lies behind the offset may take now.
    [[nodiscard]] std::uint64_t heldBehind(std::uint64_t offset) const;
    /// Between launches: forgets so many bytes of these, the last ones, which then take nothing.
    void giveBack(std::uint64_t bytes, std::uint64_t offset);

private:
    bool grow(std::uint64_t bytes);

    std::uint64_t m_most = mostBytes;
    std::uint64_t m_bytes = 0;   ///< of device memory that have records
    std::uint64_t m_touched = 0; ///< of these: records of the others are zero
    race::Record* m_writers = nullptr;
    race::Record* m_readers = nullptr;
    race::Record* m_weak = nullptr; ///< as large; null where there was no address space left for it
    std::uint32_t m_next = 1;
};

} // namespace kernelarium::emulator
