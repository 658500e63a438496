// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/Mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace kernelarium::fuzz {

namespace {
constexpr std::size_t largest = 1 << 16;
constexpr std::array<std::string_view, 24> pieces = {"0",
                                                     "-1",
                                                     "18446744073709551615",
                                                     "-9223372036854775808",
                                                     "1e999",
                                                     "nan",
                                                     "null",
                                                     "{}",
                                                     "[]",
                                                     "\"\"",
                                                     "{",
                                                     "}",
                                                     "[",
                                                     "]",
                                                     "(",
                                                     ")",
                                                     "\"",
                                                     "\\u0000",
                                                     "\xff\xfe",
                                                     "\n",
                                                     ";",
                                                     ",",
                                                     ".param .b8 x[4294967295]",
                                                     "%r4294967295"};
} // namespace

void Mutator::replaceNumber(std::string& text) {
    static constexpr std::array<std::string_view, 10> extremes = {
        "0",    "-1", "1", "255", "65536", "2147483648", "4294967295", "9223372036854775807", "18446744073709551616",
        "1e308"};
    const std::size_t from = below(text.size());
    std::size_t at = text.find_first_of("0123456789", from);
    if (at == std::string::npos) return;
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
        ++end;
    text.replace(at, end - at, extremes[below(extremes.size())]);
}

void Mutator::repeatPiece(std::string& text) {
    const std::size_t at = below(text.size());
    const std::string piece = text.substr(at, 1 + below(48));
    const std::size_t times = 1 + below(std::min<std::size_t>(2000, largest / (piece.size() + 1)));
    std::string repeated;
    for (std::size_t i = 0; i < times; ++i)
        repeated += piece;
    text.insert(at, repeated);
}

void Mutator::mutateOnce(std::string& text, const std::vector<std::string>& corpus) {
    if (text.empty()) text = " ";
    const std::size_t at = below(text.size());
    switch (below(10)) {
    case 0: text[at] = char(text[at] ^ (1 << below(8))); break;
    case 1: text[at] = char(below(256)); break;
    case 2: text.erase(at, 1 + below(16)); break;
    case 3: text.erase(at); break;
    case 4: text.insert(at, pieces[below(pieces.size())]); break;
    case 5: text.insert(at, text.substr(below(text.size()), 1 + below(64))); break;
    case 6: {
        const std::string& other = corpus[below(corpus.size())];
        text.replace(at, 1 + below(64), other.substr(below(other.size()), 1 + below(256)));
        break;
    }
    case 7: replaceNumber(text); break;
    case 8: repeatPiece(text); break;
    default: std::swap(text[at], text[below(text.size())]); break;
    }
    if (text.size() > largest) text.resize(largest);
}

void Mutator::overwriteOnce(std::string& bytes, const std::vector<std::string>& corpus) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t head = 128; // where a page says what is on it
    const std::size_t any = below(bytes.size());
    const std::size_t at = below(2) ? any : std::min(any / page * page + below(head), bytes.size() - 1);
    const std::size_t left = bytes.size() - at;
    switch (below(8)) {
    case 0: bytes[at] = char(bytes[at] ^ (1 << below(8))); break;
    case 1: bytes[at] = char(below(256)); break;
    case 2: { // a big-endian number
        static constexpr std::array<std::uint64_t, 8> extremes = {
            0, 1, 0x7f, 0xff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
        const std::size_t width = std::min<std::size_t>(std::size_t(1) << below(4), left);
        const std::uint64_t value = below(2) ? extremes[below(extremes.size())] : below(bytes.size() / page + 2);
        for (std::size_t i = 0; i < width; ++i)
            bytes[at + i] = char(value >> 8 * (width - 1 - i));
        break;
    }
    case 3:
    case 4: {
        const std::string& other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size());
        const std::size_t length = std::min({1 + below(256), left, other.size() - from});
        bytes.replace(at, length, other.substr(from, length));
        break;
    }
    case 5: { // one page in another's place
        const std::size_t pages = bytes.size() / page;
        if (pages < 2) break;
        const std::string moved = bytes.substr(below(pages) * page, page);
        bytes.replace((1 + below(pages - 1)) * page, page, moved);
        break;
    }
    case 6:
        for (std::size_t i = 0; i < std::min<std::size_t>(left, 1 + below(64)); ++i)
            bytes[at + i] = char(below(256));
        break;
    default:
        if (below(8) == 0) bytes.resize(std::max<std::size_t>(1, below(bytes.size())));
        break;
    }
}

std::string Mutator::overwritten(const std::vector<std::string>& corpus) {
    std::string bytes = corpus[below(corpus.size())];
    for (std::size_t i = 0, n = 1 + below(8); i < n; ++i)
        overwriteOnce(bytes, corpus);
    return bytes;
}

std::string Mutator::mutated(const std::vector<std::string>& corpus) {
    std::string text = corpus[below(corpus.size())];
    for (std::size_t i = 0, n = 1 + below(6); i < n; ++i)
        mutateOnce(text, corpus);
    return text;
}

} // namespace kernelarium::fuzz
