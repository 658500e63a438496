// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <utility>

namespace kernelarium::emulator {

/// While it lives, the warp's shared memory is another block's.
class Elsewhere {
public:
    Elsewhere(Warp& w, const Block& other)
        : m_block(*w.block)
        , m_shared(std::exchange(m_block.shared, other.shared))
        , m_states(std::exchange(m_block.sharedStates, other.sharedStates))
        , m_bytes(std::exchange(m_block.sharedBytes, other.sharedBytes))
        , m_marks(std::exchange(m_block.raceMarks, other.raceMarks))
        , m_reads(std::exchange(m_block.reads, other.reads))
        , m_elsewhere(std::exchange(m_block.elsewhere, &other)) {}
    ~Elsewhere() {
        m_block.shared = m_shared;
        m_block.sharedStates = m_states;
        m_block.sharedBytes = m_bytes;
        m_block.raceMarks = m_marks;
        m_block.reads = m_reads;
        m_block.elsewhere = m_elsewhere;
    }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

private:
    Block& m_block;
    std::byte* m_shared;
    std::uint8_t* m_states;
    std::uint32_t m_bytes;
    race::Marks m_marks;
    ReadWatch* m_reads;
    const Block* m_elsewhere;
};

} // namespace kernelarium::emulator
