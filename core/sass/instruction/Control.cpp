// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Control.h"

namespace kernelarium::sass {

namespace {
// Places in the upper half.
constexpr unsigned stallAt = 41, stayAt = 45, writeAt = 46, readAt = 49, waitAt = 52, reuseAt = 58;
constexpr std::uint64_t controlMask = ((std::uint64_t(1) << 20) - 1) << stallAt;
} // namespace

Control controlOf(const Word& word) {
    const auto bits = [&](unsigned first, unsigned count) { return int(word.bits(64 + first, count)); };
    Control control;
    control.stall = bits(stallAt, 4);
    control.yields = bits(stayAt, 1) == 0; // the bit says that the warp may go on
    control.writeBarrier = bits(writeAt, 3);
    control.readBarrier = bits(readAt, 3);
    control.waits = unsigned(bits(waitAt, 6));
    control.reuse = unsigned(bits(reuseAt, 3));
    return control;
}

Word withControl(Word word, const Control& control) {
    word = withoutControl(word);
    word.high |= std::uint64_t(control.stall) << stallAt | std::uint64_t(!control.yields) << stayAt |
                 std::uint64_t(control.writeBarrier) << writeAt | std::uint64_t(control.readBarrier) << readAt |
                 std::uint64_t(control.waits) << waitAt | std::uint64_t(control.reuse) << reuseAt;
    return word;
}

Word withoutControl(Word word) {
    word.high &= ~controlMask;
    return word;
}

std::string text(const Control& control) {
    const auto barrier = [](int number) { return number == noScoreboard ? '-' : char('0' + number); };
    std::string out = "B";
    for (int i = 0; i < scoreboardCount; ++i)
        out += (control.waits >> i) & 1 ? char('0' + i) : '-';
    out += ":R";
    out += barrier(control.readBarrier);
    out += ":W";
    out += barrier(control.writeBarrier);
    out += control.yields ? ":Y:S" : ":-:S";
    out += char('0' + control.stall / 10);
    out += char('0' + control.stall % 10);
    return out;
}

} // namespace kernelarium::sass
