// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

using Bytes = std::vector<std::uint8_t>;

/// A trained zstd dictionary, ready to use. Texts of one kind share most of their words; with a dictionary 6
/// KB of CUDA code shrink to about a sixth instead of a third.
class Dictionary {
public:
    explicit Dictionary(std::span<const std::uint8_t> content);
    ~Dictionary();
    Dictionary(const Dictionary&) = delete;
    Dictionary& operator=(const Dictionary&) = delete;

    /// Trains one of a size that pays for itself on these samples; nothing when they are too few or too
    /// alike.
    static std::optional<Bytes> train(std::span<const std::string_view> samples);

private:
    friend class TextCodec;
    struct Tables;
    std::unique_ptr<Tables> m_tables;
};

/// Compresses and decompresses with and without dictionaries; throws std::runtime_error on damaged data.
class TextCodec {
public:
    TextCodec();
    ~TextCodec();
    TextCodec(TextCodec&&) noexcept;
    TextCodec& operator=(TextCodec&&) noexcept;

    [[nodiscard]] Bytes compress(std::string_view text, const Dictionary* dictionary);
    /// Into `text`, which keeps its capacity between calls. `size` is the length of the text in bytes.
    void decompress(std::span<const std::uint8_t> data, std::size_t size, const Dictionary* dictionary,
                    std::string& text);

private:
    struct Contexts;
    std::unique_ptr<Contexts> m_contexts;
};

} // namespace kernelarium::archive
