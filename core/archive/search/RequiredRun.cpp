// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/RequiredRun.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kernelarium::archive {
namespace {

/// Of a run, the chance that characters drawn from the printable ones are it, in bits. Below it nearly every text has
/// one, and looking for it would only come on top.
constexpr double leastTelling = 8;
constexpr double printable = 96;

double tellingOf(const RequiredRun::Set& set) {
    const std::size_t count = set.count() - set[otherCharacter] - set[otherCaseOfKOrS];
    return std::max(0.0, std::log2(printable / std::max<double>(1, double(count))));
}

bool hasOtherCaseOfKOrS(std::string_view text) {
    return text.find("\u212A") != std::string_view::npos || text.find("\u017F") != std::string_view::npos;
}

/// Thirty-two bytes at a time.
bool isAscii(std::string_view text) {
    constexpr std::uint64_t highBits = 0x8080808080808080u;
    std::array<std::uint64_t, 4> any{}, words{};
    std::size_t at = 0;
    for (; at + sizeof words <= text.size(); at += sizeof words) {
        std::memcpy(words.data(), text.data() + at, sizeof words);
        for (std::size_t k = 0; k < words.size(); ++k)
            any[k] |= words[k];
    }
    std::uint64_t rest = (any[0] | any[1]) | (any[2] | any[3]);
    for (; at < text.size(); ++at)
        rest |= static_cast<unsigned char>(text[at]);
    return (rest & highBits) == 0;
}

} // namespace

RequiredRun::RequiredRun(std::vector<Set> sets)
    : m_sets(std::move(sets)) {
    for (std::size_t place = 0; place < m_sets.size(); ++place) {
        m_hasOthers = m_hasOthers || m_sets[place][otherCharacter];
        m_hasOtherCases = m_hasOtherCases || m_sets[place][otherCaseOfKOrS];
        for (std::size_t c = 0; c < asciiCount; ++c)
            if (m_sets[place][c]) m_marks[c] |= std::uint64_t(1) << (m_sets.size() - 1 - place);
    }
}

std::optional<RequiredRun> RequiredRun::of(std::string_view expression, bool matchCase) {
    const auto pieces = parseRunPieces(expression, matchCase);
    if (!pieces) return std::nullopt;
    std::vector<Set> best, run;
    double bestTelling = 0, telling = 0;
    const auto take = [&] {
        if (telling > bestTelling) {
            best = run;
            bestTelling = telling;
        }
        run.clear();
        telling = 0;
    };
    for (const auto& piece : *pieces) {
        if (!piece || run.size() == longest) take();
        if (!piece) continue;
        run.push_back(*piece);
        telling += tellingOf(*piece);
    }
    take();
    if (bestTelling < leastTelling || best.size() < 2) return std::nullopt;
    return RequiredRun(std::move(best));
}

bool RequiredRun::mayMatch(std::string_view text) const {
    if ((m_hasOthers || m_hasOtherCases) && !isAscii(text) && (m_hasOthers || hasOtherCaseOfKOrS(text))) return true;
    const std::size_t length = m_sets.size();
    const std::uint64_t top = std::uint64_t(1) << (length - 1);
    const std::uint64_t everywhere = top | (top - 1);
    for (std::size_t at = 0; at + length <= text.size();) {
        std::uint64_t places = everywhere; // where in the run what was looked at may stand
        std::size_t next = length;         // the first place at which a run may begin that is not ruled out
        std::size_t left = length;
        while (places != 0) {
            places &= m_marks[static_cast<unsigned char>(text[at + --left])];
            if (places & top) { // what was looked at begins a run
                if (left == 0) return true;
                next = left;
            }
            if (left == 0) break;
            places <<= 1;
        }
        at += next;
    }
    return false;
}

} // namespace kernelarium::archive
