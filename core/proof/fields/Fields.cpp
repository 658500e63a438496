// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/fields/Fields.h"

namespace kernelarium::proof {

ExpField::Keys ExpField::keysOf(std::uint64_t secret) {
    Keys keys;
    keys.secret = secret;
    const std::uint64_t one = PrimeOverQ::of(1);
    // x^((p-1)/q) has order q, unless it is 1 (one x in q).
    std::uint64_t root = one;
    for (std::uint64_t i = 1; root == one || root == 0; ++i)
        root = power<PrimeOverQ>(PrimeOverQ::of(mixed(secret, i) >> 2), PrimeOverQ::cofactor, one);
    keys.powers.resize(4 * 256);
    for (std::size_t place = 0; place < 4; ++place) {
        std::uint64_t value = one;
        for (std::size_t digit = 0; digit < 256; ++digit) {
            keys.powers[place * 256 + digit] = value;
            value = PrimeOverQ::mul(value, root);
        }
        root = value; // root^256
    }
    return keys;
}

std::optional<ExpField::Element> ExpField::inverse(const Element& x) {
    if (x.a == 0 || (!x.isHalf && x.b == 0)) return std::nullopt;
    Element out;
    out.a = power<PrimeOverQ>(x.a, PrimeOverQ::prime - 2, PrimeOverQ::of(1));
    out.b = x.isHalf ? 0 : std::uint32_t(power<Mersenne31>(x.b, Mersenne31::prime - 2, 1));
    out.isHalf = x.isHalf;
    return out;
}

} // namespace kernelarium::proof
