// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/RunWindows.h"

#include "core/archive/search/RunParser.h"
#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace kernelarium::archive {
namespace {

constexpr std::size_t longestWindow = 6; ///< the longest piece that signatures know
constexpr std::size_t mostTexts = 32;    ///< of a window: each takes some ten microseconds to look up
constexpr std::size_t mostWindows = 4;
constexpr double leastWindowBits = 8; ///< of characters drawn from the printable ones: nearly every text has the others
constexpr double printableLetters = 70;

/// What stands at a place of a window, as signatures see it.
struct Place {
    explicit Place(const CharacterSet& set)
        : other(set[otherCharacter] || set[otherCaseOfKOrS]) {
        std::set<char> folded;
        for (std::size_t c = 0; c < asciiCount; ++c)
            if (set[c]) folded.insert(foldedCase(char(c)));
        letters.assign(folded.begin(), folded.end());
    }
    std::string letters;
    bool other; ///< or a character outside of ASCII
};

struct Window {
    std::size_t first = 0, length = 0; ///< of the run
    double bits = 0;
};

double tellingBits(const Place& place) {
    return std::max(0.0, std::log2(printableLetters / std::max<double>(1, double(place.letters.size()))));
}

/// From each place of a run the longest window that is still few texts, but for those that are a part of another and
/// those that are one text, which RE2 knows.
std::vector<Window> windowsOf(std::span<const Place> run) {
    std::vector<Window> windows;
    std::size_t end = 0;
    for (std::size_t first = 0; first < run.size(); ++first) {
        Window window{first, 0, 0};
        std::size_t texts = 1;
        for (std::size_t at = first; at < run.size() && window.length < longestWindow; ++at) {
            texts *= std::max<std::size_t>(1, run[at].letters.size());
            if (texts > mostTexts) break;
            ++window.length;
            window.bits += tellingBits(run[at]);
        }
        if (first + window.length <= end) continue;
        end = first + window.length;
        const auto places = run.subspan(first, window.length);
        const bool hasChoice =
            std::any_of(places.begin(), places.end(), [](const Place& p) { return p.letters.size() != 1; });
        if (hasChoice && window.bits >= leastWindowBits) windows.push_back(window);
    }
    return windows;
}

std::vector<std::vector<std::uint16_t>> textsOf(std::span<const Place> places) {
    std::vector<std::string> texts = {""};
    bool other = false;
    for (const Place& place : places) {
        std::vector<std::string> longer;
        for (const std::string& text : texts)
            for (const char letter : place.letters)
                longer.push_back(text + letter);
        texts = std::move(longer);
        other = other || place.other;
    }
    std::vector<std::vector<std::uint16_t>> bits;
    for (const std::string& text : texts)
        bits.push_back(signatureBits(text));
    if (other) bits.push_back({otherLetterBit()});
    return bits;
}

} // namespace

RunWindows::RunWindows(std::string_view expression, bool matchCase) {
    const auto pieces = parseRunPieces(expression, matchCase);
    if (!pieces) return;
    std::vector<Place> run;
    std::vector<std::pair<double, std::vector<Bits>>> found;
    const auto take = [&] {
        for (const Window& window : windowsOf(run))
            found.emplace_back(window.bits, textsOf(std::span(run).subspan(window.first, window.length)));
        run.clear();
    };
    for (const auto& piece : *pieces) {
        if (piece)
            run.emplace_back(*piece);
        else
            take();
    }
    take();
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < std::min(found.size(), mostWindows); ++i)
        m_windows.push_back(std::move(found[i].second));
}

TextSet RunWindows::possible(const SignatureTable& signatures) const {
    TextSet set = signatures.all();
    for (const auto& texts : m_windows) {
        TextSet any = signatures.none();
        for (const Bits& bits : texts)
            any.unite(signatures.having(bits));
        set = set.common(any);
    }
    return set;
}

} // namespace kernelarium::archive
