// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/TextCodec.h"

#include <algorithm>
#include <stdexcept>
#include <zdict.h>
#include <zstd.h>

namespace kernelarium::archive {
namespace {

constexpr int compressionLevel = 9;
constexpr std::size_t largestDictionary = 110 * 1024;
constexpr std::size_t smallestDictionary = 4 * 1024;
constexpr std::size_t sampleShare = 10;            ///< a dictionary is this part of what it was trained on, at most
constexpr std::size_t longestSample = 64 * 1024;   ///< of one text
constexpr std::size_t mostSampleBytes = 12u << 20; ///< in all: training time grows with it

constexpr std::size_t longestText = 256u << 20;

struct FreeCompressContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
struct FreeCompressTables {
    void operator()(ZSTD_CDict* tables) const { ZSTD_freeCDict(tables); }
};
struct FreeDecompressTables {
    void operator()(ZSTD_DDict* tables) const { ZSTD_freeDDict(tables); }
};

} // namespace

struct Dictionary::Tables {
    Bytes content;
    std::unique_ptr<ZSTD_CDict, FreeCompressTables> compress; ///< made when first needed: reading needs none
    std::unique_ptr<ZSTD_DDict, FreeDecompressTables> decompress;
};

Dictionary::Dictionary(std::span<const std::uint8_t> content)
    : m_tables(std::make_unique<Tables>()) {
    m_tables->content.assign(content.begin(), content.end());
    m_tables->decompress.reset(ZSTD_createDDict(content.data(), content.size()));
    if (!m_tables->decompress) throw std::runtime_error("a compression dictionary is damaged");
}

Dictionary::~Dictionary() = default;

std::optional<Bytes> Dictionary::train(std::span<const std::string_view> samples) {
    std::size_t total = 0;
    for (const auto sample : samples)
        total += std::min(sample.size(), longestSample);
    const std::size_t stride = std::max<std::size_t>(1, (total + mostSampleBytes - 1) / mostSampleBytes);

    std::string joined;
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < samples.size(); i += stride) {
        const auto sample = samples[i].substr(0, longestSample);
        joined += sample;
        sizes.push_back(sample.size());
    }
    const std::size_t capacity = std::min(largestDictionary, joined.size() / sampleShare);
    if (capacity < smallestDictionary) return std::nullopt;

    Bytes content(capacity);
    const std::size_t size = ZDICT_trainFromBuffer(content.data(), content.size(), joined.data(), sizes.data(),
                                                   static_cast<unsigned>(sizes.size()));
    if (ZDICT_isError(size) != 0) return std::nullopt; // the samples share nothing: plain compression it is
    content.resize(size);
    return content;
}

struct TextCodec::Contexts {
    std::unique_ptr<ZSTD_CCtx, FreeCompressContext> compress;
    std::unique_ptr<ZSTD_DCtx, FreeDecompressContext> decompress{ZSTD_createDCtx()};
};

TextCodec::TextCodec()
    : m_contexts(std::make_unique<Contexts>()) {}
TextCodec::~TextCodec() = default;
TextCodec::TextCodec(TextCodec&&) noexcept = default;
TextCodec& TextCodec::operator=(TextCodec&&) noexcept = default;

Bytes TextCodec::compress(std::string_view text, const Dictionary* dictionary) {
    auto& context = m_contexts->compress;
    if (!context) context.reset(ZSTD_createCCtx());
    Bytes data(ZSTD_compressBound(text.size()));
    std::size_t size = 0;
    if (dictionary != nullptr) {
        auto& tables = *dictionary->m_tables;
        if (!tables.compress)
            tables.compress.reset(ZSTD_createCDict(tables.content.data(), tables.content.size(), compressionLevel));
        size = ZSTD_compress_usingCDict(context.get(), data.data(), data.size(), text.data(), text.size(),
                                        tables.compress.get());
    } else {
        size = ZSTD_compressCCtx(context.get(), data.data(), data.size(), text.data(), text.size(), compressionLevel);
    }
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    data.resize(size);
    return data;
}

void TextCodec::decompress(std::span<const std::uint8_t> data, std::size_t size, const Dictionary* dictionary,
                           std::string& text) {
    // The frame says itself how long it is; a damaged length must not become a huge allocation. Both may lie alike.
    if (size > longestText) throw std::runtime_error("a compressed text is longer than any that is kept");
    if (ZSTD_getFrameContentSize(data.data(), data.size()) != size)
        throw std::runtime_error("a compressed text is damaged: its length does not match");
    text.resize(size);
    auto* context = m_contexts->decompress.get();
    const std::size_t got = dictionary != nullptr
                                ? ZSTD_decompress_usingDDict(context, text.data(), size, data.data(), data.size(),
                                                             dictionary->m_tables->decompress.get())
                                : ZSTD_decompressDCtx(context, text.data(), size, data.data(), data.size());
    if (ZSTD_isError(got) != 0 || got != size)
        throw std::runtime_error(std::string("a compressed text is damaged: ") + ZSTD_getErrorName(got));
}

} // namespace kernelarium::archive
