// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/TextCodec.h"

#include <unordered_map>

namespace kernelarium::archive {

/// Compressed texts in memory, by their number: as many as fit, and the first of them. A search that reads all texts of
/// a file would push out of any cache what the next one begins with.
class KeptTexts {
public:
    explicit KeptTexts(std::size_t mostBytes)
        : m_left(mostBytes) {}

    struct Text {
        std::span<const std::uint8_t> data; ///< stays where it is
        std::size_t size = 0;               ///< of the text
        const Dictionary* dictionary = nullptr;
    };
    [[nodiscard]] const Text* find(std::int64_t id) const;
    /// Copies the text's data; null where there is no room left for them.
    const Text* keep(std::int64_t id, const Text& text);

private:
    std::span<std::uint8_t> block(std::size_t bytes); ///< empty where there is no room for it

    std::size_t m_left;
    std::vector<std::unique_ptr<std::uint8_t[]>> m_blocks;
    std::span<std::uint8_t> m_free; ///< of the last block of small texts
    std::unordered_map<std::int64_t, Text> m_texts;
};

} // namespace kernelarium::archive
