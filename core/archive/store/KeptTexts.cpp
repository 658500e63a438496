// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/KeptTexts.h"

#include <algorithm>

namespace kernelarium::archive {
namespace {
constexpr std::size_t blockBytes = 1u << 20;
}

const KeptTexts::Text* KeptTexts::find(std::int64_t id) const {
    const auto found = m_texts.find(id);
    return found == m_texts.end() ? nullptr : &found->second;
}

const KeptTexts::Text* KeptTexts::keep(std::int64_t id, const Text& text) {
    const std::size_t size = text.data.size();
    if (size > m_free.size()) {
        // What is left of the last block is given up: texts are small beside a block, and a large one has its own.
        const std::size_t taken = std::max(size, blockBytes);
        if (taken > m_left) return nullptr;
        m_left -= taken;
        m_free = {m_blocks.emplace_back(std::make_unique_for_overwrite<std::uint8_t[]>(taken)).get(), taken};
    }
    std::copy(text.data.begin(), text.data.end(), m_free.begin());
    const auto kept = m_texts.insert_or_assign(id, Text{m_free.first(size), text.size, text.dictionary}).first;
    m_free = m_free.subspan(size);
    return &kept->second;
}

} // namespace kernelarium::archive
