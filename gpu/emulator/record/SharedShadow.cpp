// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/SharedShadow.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::emulator {

namespace {

constexpr std::uint32_t shadowChunk = 512; ///< bytes compared at once

std::uint32_t wordOf(const std::byte* bytes, std::uint32_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes + std::size_t(word) * 4, 4);
    return value;
}

} // namespace

void SharedShadow::start(const Block& block, recording::Recording& r) {
    const std::uint32_t words = (block.sharedBytes + 3) / 4; // a block has 16 bytes more than it says
    m_bytes.assign(block.shared, block.shared + std::size_t(words) * 4);
    if (block.sharedStates) m_states.assign(block.sharedStates, block.sharedStates + std::size_t(words) * 4);
    m_written.assign(words, 0);
    r.sharedBase.resize(words);
    if (words) std::memcpy(r.sharedBase.data(), m_bytes.data(), m_bytes.size());
    r.sharedWritten.assign(words, 0);
}

bool SharedShadow::isWritten(const Block& block, std::uint32_t word) const {
    if (!block.sharedStates) return wordOf(block.shared, word) != wordOf(m_bytes.data(), word);
    const std::uint8_t* s = block.sharedStates + std::size_t(word) * 4;
    return ((s[0] | s[1] | s[2] | s[3]) & DeviceMemory::stateInitialised) != 0;
}

void SharedShadow::look(const Block& block, std::vector<recording::SharedChange>& changes) {
    for (std::size_t at = 0; at < m_bytes.size(); at += shadowChunk) {
        const std::size_t bytes = std::min<std::size_t>(shadowChunk, m_bytes.size() - at);
        const bool same = std::memcmp(block.shared + at, m_bytes.data() + at, bytes) == 0;
        if (same && (m_states.empty() || std::memcmp(block.sharedStates + at, m_states.data() + at, bytes) == 0))
            continue;
        for (auto word = std::uint32_t(at / 4); word < (at + bytes) / 4; ++word) {
            const std::uint32_t before = wordOf(m_bytes.data(), word), after = wordOf(block.shared, word);
            const bool fresh = !m_written[word] && isWritten(block, word);
            if (before != after || fresh) changes.push_back({word, before, after, fresh});
            if (fresh) m_written[word] = 1;
        }
        std::memcpy(m_bytes.data() + at, block.shared + at, bytes);
        if (!m_states.empty()) std::memcpy(m_states.data() + at, block.sharedStates + at, bytes);
    }
}

} // namespace kernelarium::emulator
