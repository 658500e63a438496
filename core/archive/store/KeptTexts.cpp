// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/KeptTexts.h"

#include <algorithm>

namespace kernelarium::archive {
namespace {
constexpr std::size_t blockBytes = 1u << 20;
constexpr std::size_t largeText = blockBytes / 4; ///< has a block of its own: little of a shared one is left over then
} // namespace

const KeptTexts::Text* KeptTexts::find(std::int64_t id) const {
    const auto found = m_texts.find(id);
    return found == m_texts.end() ? nullptr : &found->second;
}

std::span<std::uint8_t> KeptTexts::block(std::size_t bytes) {
    if (bytes > m_left) return {};
    m_left -= bytes;
    return {m_blocks.emplace_back(std::make_unique_for_overwrite<std::uint8_t[]>(bytes)).get(), bytes};
}

const KeptTexts::Text* KeptTexts::keep(std::int64_t id, const Text& text) {
    const std::size_t size = text.data.size();
    std::span<std::uint8_t> room;
    if (size > largeText) {
        room = block(size);
    } else {
        if (size > m_free.size()) m_free = block(blockBytes);
        if (size <= m_free.size()) {
            room = m_free.first(size);
            m_free = m_free.subspan(size);
        }
    }
    if (room.size() < size) return nullptr;
    std::copy(text.data.begin(), text.data.end(), room.begin());
    return &m_texts.insert_or_assign(id, Text{room, text.size, text.dictionary}).first->second;
}

} // namespace kernelarium::archive
