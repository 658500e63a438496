// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/MoveDraw.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::schedule {

namespace {

constexpr double slides = 0.60, exchanges = 0.10, reunions = 0.10, yields = 0.15; // reuse flags: the rest
constexpr int farthestSlide = 8;
constexpr double memoryWeight = 3;
constexpr double leastShare = 0.01; ///< of a block that costs nothing by itself

bool takeNumber(std::string_view& text, int& out) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc{}) return false;
    text.remove_prefix(std::size_t(end - text.data()));
    return true;
}

} // namespace

MoveDraw::MoveDraw(const sass::Rescheduler& walk, const StaticCost& cost) {
    double sum = 0;
    for (std::size_t b = 0; b < walk.blocks().size(); ++b) {
        const sass::Block& block = walk.blocks()[b];
        const double each = (cost.shareOf(b) + leastShare) / double(block.last - block.first + 1);
        for (int i = block.first; i <= block.last; ++i) {
            const sass::Instruction& one = walk.code()[std::size_t(i)];
            if (one.fence != sass::Fence::none) continue;
            const bool isHeavy = one.access || one.unit == sass::Unit::matrix || one.unit == sass::Unit::doubleMatrix;
            sum += isHeavy ? memoryWeight * each : each;
            m_upTo.push_back(sum);
            m_movable.push_back(i);
            if (one.control.reuse) m_reusing.push_back(i);
        }
    }
}

int MoveDraw::instruction(tuning::Random& random) const {
    const double wanted = random.uniform() * m_upTo.back();
    const auto found = std::upper_bound(m_upTo.begin(), m_upTo.end(), wanted);
    return m_movable[std::min(std::size_t(found - m_upTo.begin()), m_movable.size() - 1)];
}

std::optional<sass::Move> MoveDraw::slide(const sass::Rescheduler& walk, tuning::Random& random, int farthest) const {
    if (isEmpty()) return std::nullopt;
    const int from = walk.placeOf(instruction(random));
    const int distance = 1 + int(random.below(std::uint64_t(farthest)));
    return walk.reachable(from, random.below(2) ? distance : -distance);
}

/// An operand stays cached only for the instructions that followed as compiled. Picks one that has lost such an
/// operand, and brings the next of its followers to it, or it to that one.
std::optional<sass::Move> MoveDraw::reunion(const sass::Rescheduler& walk, tuning::Random& random) const {
    constexpr int tries = 16;
    for (int k = 0; k < tries && !m_reusing.empty(); ++k) {
        const int id = m_reusing[random.below(m_reusing.size())], wanted = walk.wantedBehind(id);
        if (wanted == 0) continue;
        const int place = walk.placeOf(id), last = walk.blocks()[std::size_t(walk.blockOf(place))].last;
        int together = 0; // followers that are in order behind it
        while (together < wanted && place + together + 1 <= last && walk.at(place + together + 1) == id + together + 1)
            ++together;
        const int next = id + together + 1;
        if (together == wanted || std::size_t(next) >= walk.code().size()) continue;
        const int where = walk.placeOf(next);
        if (walk.blockOf(where) != walk.blockOf(place)) continue;
        // Taking one out moves the rest up: it arrives right behind, or right in front.
        const bool bringsNext = together > 0 || random.below(2);
        const int from = bringsNext ? where : place, behind = place + together;
        const int to = bringsNext ? (where > behind ? behind + 1 : behind) : (where > place ? where - 1 : where);
        const std::optional<sass::Move> move = walk.reachable(from, to - from);
        if (move && move->to == to) return move;
    }
    return slide(walk, random, farthestSlide);
}

std::optional<sass::Move> MoveDraw::draw(const sass::Rescheduler& walk, tuning::Random& random) const {
    if (isEmpty()) return std::nullopt;
    const double kind = random.uniform();
    if (kind < slides) return slide(walk, random, farthestSlide);
    if (kind < slides + exchanges) return slide(walk, random, 1);
    if (kind < slides + exchanges + reunions) return reunion(walk, random);
    if (kind < slides + exchanges + reunions + yields) {
        const int place = walk.placeOf(instruction(random));
        return sass::Move{place, place, sass::Move::Kind::yield, 0};
    }
    if (m_reusing.empty()) return slide(walk, random, farthestSlide);
    const int id = m_reusing[random.below(m_reusing.size())], place = walk.placeOf(id);
    std::vector<unsigned> bits;
    for (const unsigned bit : {1U, 2U, 4U})
        if (walk.code()[std::size_t(id)].control.reuse & bit) bits.push_back(bit);
    return sass::Move{place, place, sass::Move::Kind::reuse, bits[random.below(bits.size())]};
}

std::string textOf(const sass::Move& move, const sass::Rescheduler& walk) {
    const int id = walk.at(move.from);
    const sass::Instruction& one = walk.code()[std::size_t(id)];
    const std::string who = fmt::format("{} at {:#06x}", one.mnemonic, one.place);
    if (move.kind == sass::Move::Kind::slide)
        return fmt::format("{} {} {}", who, move.to < move.from ? "up" : "down",
                           std::abs(std::int64_t(move.to) - move.from));
    if (move.kind == sass::Move::Kind::yield) return who + (walk.control(id).yields ? " no longer yields" : " yields");
    return fmt::format("{} {} operand {}", who, walk.control(id).reuse & move.operand ? "no longer keeps" : "keeps",
                       move.operand == 1   ? 'A'
                       : move.operand == 2 ? 'B'
                                           : 'C');
}

std::string wordsOf(const sass::Move& move) {
    switch (move.kind) {
    case sass::Move::Kind::slide: return fmt::format("slide {} {}", move.from, move.to);
    case sass::Move::Kind::yield: return fmt::format("yield {}", move.from);
    case sass::Move::Kind::reuse: break;
    }
    return fmt::format("reuse {} {}", move.from, move.operand);
}

std::optional<sass::Move> moveFrom(std::string_view words) {
    const std::size_t space = words.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view kind = words.substr(0, space);
    words.remove_prefix(space);
    sass::Move move;
    if (!takeNumber(words, move.from)) return std::nullopt;
    move.to = move.from;
    int second = 0;
    if (kind == "yield") {
        move.kind = sass::Move::Kind::yield;
    } else if (takeNumber(words, second) && kind == "slide") {
        move.to = second;
    } else if (kind == "reuse" && second > 0) {
        move.kind = sass::Move::Kind::reuse;
        move.operand = unsigned(second);
    } else {
        return std::nullopt;
    }
    return words.empty() ? std::optional(move) : std::nullopt;
}

} // namespace kernelarium::schedule
