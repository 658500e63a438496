// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/Words.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kernelarium::recording {

namespace {

/// Bits of a type by its name: "u16x2" 32, "pred" 1; 0 where it has none.
unsigned bitsOfType(std::string_view type) {
    if (type == "pred") return 1;
    if (type == "bf16") return 16;
    if (type == "bf16x2") return 32;
    if (type == "tf32") return 32;
    const std::size_t start = type.find_first_of("0123456789");
    if (start == std::string_view::npos || type.empty() || type[0] == 'e') return 0;
    unsigned bits = 0;
    std::from_chars(type.data() + start, type.data() + type.size(), bits);
    if (bits > 128) return 0; // no type's: a child says what its registers are
    return type.find("x2") != std::string_view::npos ? 2 * bits : bits;
}

float halfOf(std::uint16_t h) {
    const int exponent = (h >> 10) & 31, fraction = h & 1023;
    const float sign = h & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31) return fraction ? std::nanf("") : sign * INFINITY;
    return sign *
           (exponent ? std::ldexp(1.0f + float(fraction) / 1024, exponent - 15) : std::ldexp(float(fraction), -24));
}

float bfloatOf(std::uint16_t b) {
    return std::bit_cast<float>(std::uint32_t(b) << 16);
}

std::string hexText(std::span<const std::uint64_t> words, unsigned bits) {
    if (words.size() > 1) return fmt::format("{:#x}{:016x}", words[1], words[0]);
    return fmt::format("{:#0{}x}", words[0], bits / 4 + 2);
}

std::int64_t extended(std::uint64_t value, unsigned bits) {
    if (bits >= 64) return std::int64_t(value);
    const std::uint64_t sign = std::uint64_t(1) << (bits - 1);
    value &= (sign << 1) - 1;
    return std::int64_t((value ^ sign) - sign);
}

std::string floatText(std::uint64_t value, unsigned bits, bool brain) {
    if (bits == 64) return fmt::format("{:.9g}", std::bit_cast<double>(value));
    if (bits == 32) return fmt::format("{:.7g}", double(std::bit_cast<float>(std::uint32_t(value))));
    return fmt::format("{:.4g}", double(brain ? bfloatOf(std::uint16_t(value)) : halfOf(std::uint16_t(value))));
}

bool looksLikeAddress(std::uint64_t value) {
    return value >> 44 >= 3 && value >> 44 <= 7;
}

} // namespace

bool isFloating(std::string_view type) {
    return !type.empty() && (type[0] == 'f' || type[0] == 't' || type.starts_with("bf"));
}

std::string valueText(std::span<const std::uint64_t> words, std::string_view type, Format format) {
    const std::uint64_t value = words.empty() ? 0 : words[0];
    if (type == "pred") return value & 1 ? "true" : "false";
    const unsigned bits = std::max(bitsOfType(type), 8u);
    if (format == Format::hex || words.size() > 1) return hexText(words, bits);
    const bool brain = type.starts_with("bf");
    if (type == "f16x2" || type == "bf16x2")
        if (format == Format::byType || format == Format::floating)
            return floatText(value & 0xffff, 16, brain) + ", " + floatText(value >> 16, 16, brain);
    if (format == Format::floating || (format == Format::byType && isFloating(type)))
        return bits < 16 ? hexText(words, bits) : floatText(value, bits, brain);
    if (format == Format::byType && bits == 64 && looksLikeAddress(value)) return hexText(words, bits);
    if (format == Format::byType && type.starts_with('u'))
        return fmt::format("{}", bits >= 64 ? value : value & ((std::uint64_t(1) << bits) - 1));
    return fmt::format("{}", extended(value, bits));
}

std::string summaryText(std::span<const std::uint64_t> values, std::uint32_t words, std::uint32_t lanes,
                        std::string_view type, Format format) {
    if (lanes == 0) return "-";
    const auto text = [&](unsigned lane) {
        return valueText(values.subspan(std::size_t(lane) * words, words), type, format);
    };
    if (type == "pred") {
        std::uint32_t set = 0;
        for (std::uint32_t m = lanes; m; m &= m - 1)
            if (values[std::size_t(std::countr_zero(m))] & 1) set |= m & (0 - m);
        return set == lanes ? "true"
               : set == 0   ? "false"
                            : fmt::format("true in {} of {}", std::popcount(set), std::popcount(lanes));
    }
    const auto first = unsigned(std::countr_zero(lanes)), last = 31 - unsigned(std::countl_zero(lanes));
    std::set<std::string> distinct;
    std::optional<std::uint64_t> step;
    bool even = words == 1;
    unsigned previous = first;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = unsigned(std::countr_zero(m));
        distinct.insert(text(lane));
        if (lane == first || words != 1) continue;
        const std::uint64_t difference =
            (values[lane] - values[previous]) & (bitsOfType(type) <= 32 ? 0xffffffffu : ~std::uint64_t(0));
        even &= lane == previous + 1 && (!step || *step == difference);
        step = difference;
        previous = lane;
    }
    if (distinct.size() == 1) return *distinct.begin();
    if (even && !(format == Format::floating || (format == Format::byType && isFloating(type))) &&
        std::popcount(lanes) > 2)
        return fmt::format("{} … {} (step {})", text(first), text(last),
                           extended(*step, bitsOfType(type) <= 32 ? 32 : 64));
    if (std::popcount(lanes) == 2) return text(first) + ", " + text(last);
    return fmt::format("{} … {} ({} values)", text(first), text(last), distinct.size());
}

std::string addressText(const Recording& r, Space space, std::uint64_t address) {
    if (space != Space::global) return fmt::format("{} + {}", name(space), address);
    const Allocation* nearest = nullptr;
    for (const Allocation& a : r.allocations)
        if (a.address <= address && (!nearest || a.address > nearest->address)) nearest = &a;
    if (!nearest) return fmt::format("{:#x}", address);
    const std::uint64_t offset = address - nearest->address;
    if (offset < nearest->bytes) return fmt::format("{} + {}", nearest->label, offset);
    if (offset - nearest->bytes < (std::uint64_t(1) << 30))
        return fmt::format("{} + {} (past its {} bytes)", nearest->label, offset, nearest->bytes);
    return fmt::format("{:#x}", address);
}

std::string lanesText(std::uint32_t lanes) {
    if (lanes == ~0u) return "all 32";
    if (lanes == 0) return "none";
    std::string out;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        unsigned end = lane;
        while (end + 1 < laneCount && lanes >> (end + 1) & 1)
            ++end;
        if (!out.empty()) out += ", ";
        out += end == lane ? fmt::format("{}", lane) : fmt::format("{}-{}", lane, end);
        lane = end;
    }
    return out;
}

std::string_view name(Space space) {
    switch (space) {
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
    }
    return "global";
}

} // namespace kernelarium::recording
