// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/Pattern.h"

#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::archive {
namespace {

bool isLetter(char c) {
    return foldedCase(c) >= 'a' && foldedCase(c) <= 'z';
}

class LiteralPattern : public Pattern {
public:
    LiteralPattern(std::string text, bool matchCase)
        : m_text(std::move(text))
        , m_bits(signatureBits(m_text))
        , m_ignoresCase(!matchCase)
        , m_isExact(matchCase || std::none_of(m_text.begin(), m_text.end(), isLetter)) {
        if (!m_isExact) foldCase(m_text, m_text.data());
    }

    [[nodiscard]] TextSet possible(const SignatureTable& signatures) const override {
        return signatures.having(m_bits);
    }

    [[nodiscard]] bool ignoresCase() const override { return m_ignoresCase; }

    [[nodiscard]] std::string_view prepared(std::string_view text, Scratch& scratch) const override {
        if (m_isExact) return text;
        scratch.resize(text.size());
        foldCase(text, scratch.data());
        return scratch;
    }

    [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const override {
        if (from > text.size()) return std::nullopt;
        const void* found = memmem(text.data() + from, text.size() - from, m_text.data(), m_text.size());
        if (found == nullptr) return std::nullopt;
        return Match{static_cast<std::size_t>(static_cast<const char*>(found) - text.data()), m_text.size()};
    }

private:
    std::string m_text;
    std::vector<std::uint16_t> m_bits;
    bool m_ignoresCase;
    bool m_isExact; ///< texts are looked through as they are
};

bool isNamePart(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

class WordPattern : public LiteralPattern {
public:
    explicit WordPattern(const std::string& word)
        : LiteralPattern(word, true) {}

    [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const override {
        for (auto match = LiteralPattern::find(text, from); match; match = LiteralPattern::find(text, match->at + 1)) {
            const std::size_t end = match->at + match->length;
            const bool longerBefore = match->at > 0 && isNamePart(text[match->at - 1]) && isNamePart(text[match->at]);
            const bool longerBehind =
                end < text.size() && end > 0 && isNamePart(text[end]) && isNamePart(text[end - 1]);
            if (!longerBefore && !longerBehind) return match;
        }
        return std::nullopt;
    }
};

} // namespace

std::unique_ptr<const Pattern> Pattern::literal(std::string text, bool matchCase) {
    return std::make_unique<LiteralPattern>(std::move(text), matchCase);
}

std::unique_ptr<const Pattern> Pattern::word(std::string word) {
    return std::make_unique<WordPattern>(word);
}

} // namespace kernelarium::archive
