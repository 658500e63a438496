// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/TileReads.h"

#include "core/kernelgen/products/Epilogue.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

namespace {

/// "first + ", nothing of 0.
std::string after(const std::string& first) {
    return first == "0" ? "" : first + " + ";
}
/// "first - own" of what is left behind `first`, "own" of 0.
std::string beyond(const std::string& first, const std::string& own) {
    return first == "0" ? own : first + " - " + own;
}

} // namespace

void writeTileCopy(KernelText& text, const Operand& from, const SharedTile& to, const TileRange& lines,
                   const TileRange& terms, const std::string& whole) {
    const std::string cast = fmt::format("reinterpret_cast<const unsigned short*>({})", from.at());
    const std::string& line = from.line();
    if (from.along() == Operand::Along::sums) {
        text.line(fmt::format("const int own = eight / ({0} / 8), term = eight % ({0} / 8) * 8;", to.terms));
        text.line(fmt::format("const Index {} = {} + own;", line, lines.first));
        writeAddress(text, "k", cast);
        text.line(fmt::format("const Index count = {} < {} ? {} - {} : 0;", line, lines.end, terms.end,
                              beyond(terms.first, "term")));
        text.line(fmt::format("unsigned short* const place = {} + own * ({} + 8) + term;", to.at, to.terms));
        text.line(fmt::format("copyEight(place, from, {}term, count, {});", after(terms.first), whole));
        return;
    }
    text.line(fmt::format("const int own = eight % ({0} / 8) * 8, term = eight / ({0} / 8);", to.lines));
    text.line(fmt::format("const Index k = {}term;", after(terms.first)));
    writeAddress(text, line, cast);
    text.line(
        fmt::format("const Index count = k < {} ? {} - {} : 0;", terms.end, lines.end, beyond(lines.first, "own")));
    text.line(fmt::format("unsigned short* const place = {} + term * ({} + 8) + own;", to.at, to.lines));
    text.line(fmt::format("copyEight(place, from, {}own, count, {});", after(lines.first), whole));
}

void writeFragmentLoad(KernelText& text, const Operand& of, const SharedTile& from, const std::string& to,
                       const std::string& line, const std::string& term, bool isLeft) {
    const std::string eighth = "lane / 8 % 2 * 8", sixteenth = "lane / 16 * 8";
    const bool isAlong = of.along() == Operand::Along::sums;
    text.line(fmt::format("const int own = {} + {}{}, term = {} + {}{};", line, isLeft ? eighth : sixteenth,
                          isAlong ? " + lane % 8" : "", term, isLeft ? sixteenth : eighth,
                          isAlong ? "" : " + lane % 8"));
    if (isAlong)
        text.line(fmt::format("loadFragment<false>({}, {} + own * ({} + 8) + term);", to, from.at, from.terms));
    else
        text.line(fmt::format("loadFragment<true>({}, {} + term * ({} + 8) + own);", to, from.at, from.lines));
}

} // namespace kernelarium::kernelgen::products
