// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions", "Integer Arithmetic Instructions").
#include "gpu/emulator/lanes/Lanes.h"

#include <algorithm>
#include <type_traits>

namespace kernelarium::emulator::KL_ISA {

namespace {

using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T> struct And {
    static T apply(T a, T b) { return a & b; }
};
template <class T> struct Or {
    static T apply(T a, T b) { return a | b; }
};
template <class T> struct Xor {
    static T apply(T a, T b) { return a ^ b; }
};
template <class T> struct Not {
    static T apply(T a) { return T(~a); }
};
template <class T> struct Cnot {
    static T apply(T a) { return a == 0 ? 1 : 0; }
};
template <class T> struct Shl {
    static T apply(T a, u32 n) { return n >= 8 * sizeof(T) ? T(0) : T(a << n); }
};
template <class T> struct Shr {
    static T apply(T a, u32 n) {
        constexpr u32 width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>)
            return T(a >> (n >= width ? width - 1 : n));
        else
            return n >= width ? T(0) : T(a >> n);
    }
};
template <bool Left, bool Clamp> struct Funnel {
    static u32 apply(u32 a, u32 b, u32 c) {
        const u32 n = Clamp ? std::min(c, 32u) : c & 31u;
        const u64 both = (u64(b) << 32) | a;
        return Left ? u32((both << n) >> 32) : u32(both >> n);
    }
};
template <class T> struct Popc {
    static u32 apply(T a) { return u32(sizeof(T) == 8 ? __builtin_popcountll(a) : __builtin_popcount(u32(a))); }
};
template <class T> struct Clz {
    static u32 apply(T a) {
        if (a == 0) return u32(8 * sizeof(T));
        return u32(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(u32(a)));
    }
};
template <class T, bool Shift> struct Bfind {
    static u32 apply(T a) {
        using U = std::make_unsigned_t<T>;
        const U v = std::is_signed_v<T> && a < 0 ? U(~a) : U(a);
        if (v == 0) return 0xffffffffu;
        const u32 position = u32(8 * sizeof(T) - 1) - Clz<U>::apply(v);
        return Shift ? u32(8 * sizeof(T) - 1) - position : position;
    }
};
template <class T> struct Brev {
    static T apply(T a) {
        T r = 0;
        for (u32 k = 0; k < 8 * sizeof(T); ++k)
            r |= T((a >> k) & 1u) << (8 * sizeof(T) - 1 - k);
        return r;
    }
};
template <class T> struct Bfe {
    static T apply(T a, u32 b, u32 c) {
        using U = std::make_unsigned_t<T>;
        constexpr u32 top = 8 * sizeof(T) - 1;
        const u32 position = b & 0xff, length = c & 0xff;
        const u32 last = std::min(position + length - 1, top);
        const bool sign = std::is_signed_v<T> && length != 0 && ((U(a) >> last) & 1u);
        const U field = position > top || length == 0 ? U(0) : U(U(a) >> position);
        const U keep = length > top ? ~U(0) : (U(1) << length) - 1;
        // Beyond the field, and beyond the source, comes the sign.
        const u32 valid = position > top ? 0 : std::min(length, top + 1 - position);
        const U inside = valid > top ? ~U(0) : (U(1) << valid) - 1;
        return T((field & keep & inside) | (sign ? ~inside : U(0)));
    }
};
template <class T> struct BfiOf {
    static T apply(T a, T b, u32 c, u32 d) {
        constexpr u32 top = 8 * sizeof(T) - 1;
        const u32 position = c & 0xff, length = d & 0xff;
        if (length == 0 || position > top) return b;
        const T keep = length > top ? ~T(0) : (T(1) << length) - 1;
        return T((b & ~T(keep << position)) | T((a & keep) << position));
    }
};
template <bool Clamp> struct Bmsk {
    static u32 apply(u32 a, u32 b) {
        const u32 position = Clamp ? std::min(a, 32u) : a & 31u;
        const u32 length = Clamp ? std::min(b, 32u) : b & 31u;
        const u64 ones = ((u64(1) << length) - 1) << position;
        return u32(ones);
    }
};
template <class T, bool Clamp> struct Szext {
    static T apply(T a, u32 b) {
        const u32 n = Clamp ? std::min(b, 32u) : b & 31u;
        if (n == 32) return a;
        if (n == 0) return 0;
        const u32 shift = 32 - n;
        if constexpr (std::is_signed_v<T>)
            return T(u32(a) << shift) >> shift;
        else
            return T(a << shift) >> shift;
    }
};

/// Permutes the bytes of {b, a}; a selector's high bit replicates the byte's sign.
u32 permute(u32 a, u32 b, u32 selector) {
    const u64 both = (u64(b) << 32) | a;
    u32 result = 0;
    for (u32 k = 0; k < 4; ++k) {
        const u32 s = (selector >> (4 * k)) & 0xf;
        u32 byte = u32(both >> (8 * (s & 7))) & 0xff;
        if (s & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * k);
    }
    return result;
}
/// The special modes f4e, b4e, rc8, ecl, ecr, rc16 give a selector from the two low bits of c.
u32 modeSelector(u32 mode, u32 c) {
    static constexpr u32 table[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                        {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                        {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    return table[mode - 1][c & 3];
}
const Inst* prmt(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const u32* a = at<u32>(w, ip->a);
    const u32* b = at<u32>(w, ip->b);
    const u32* c = at<u32>(w, ip->c);
    const u32 mode = ip->bits;
    each(w, d, [=](u32 i) { return permute(a[i], b[i], mode ? modeSelector(mode, c[i]) : c[i]); });
    return ip + 1;
}

/// Any function of three bits, by its truth table in imm.
const Inst* lop3(Warp& w, const Inst* ip) {
    u32* d = at<u32>(w, ip->d);
    const u32* a = at<u32>(w, ip->a);
    const u32* b = at<u32>(w, ip->b);
    const u32* c = at<u32>(w, ip->c);
    u32 term[8];
    for (u32 k = 0; k < 8; ++k)
        term[k] = (ip->imm >> k) & 1 ? ~0u : 0u;
    each(w, d, [=](u32 i) {
        const u32 x = a[i], y = b[i], z = c[i];
        return (~x & ~y & ~z & term[0]) | (~x & ~y & z & term[1]) | (~x & y & ~z & term[2]) | (~x & y & z & term[3]) |
               (x & ~y & ~z & term[4]) | (x & ~y & z & term[5]) | (x & y & ~z & term[6]) | (x & y & z & term[7]);
    });
    return ip + 1;
}

template <class T> const Inst* bfi(Warp& w, const Inst* ip) {
    T* d = at<T>(w, ip->d);
    const T* a = at<T>(w, ip->a);
    const T* b = at<T>(w, ip->b);
    const u32* c = at<u32>(w, ip->c);
    const u32* e = at<u32>(w, ip->e);
    each(w, d, [=](u32 i) { return BfiOf<T>::apply(a[i], b[i], c[i], e[i]); });
    return ip + 1;
}

/// Logic on predicates: masks. bits: the operation.
template <template <class> class F> const Inst* predicateLogic(Warp& w, const Inst* ip) {
    setPredicate(w, ip->d, F<u32>::apply(predicate(w, ip->a), predicate(w, ip->b)));
    return ip + 1;
}
const Inst* predicateNot(Warp& w, const Inst* ip) {
    setPredicate(w, ip->d, ~predicate(w, ip->a));
    return ip + 1;
}

template <template <class> class F> Handler logic(Type t) {
    switch (t) {
    case Type::pred: return predicateLogic<F>;
    case Type::b16: return binary<F<u16>, u16, u16, u16>;
    case Type::b32: return binary<F<u32>, u32, u32, u32>;
    case Type::b64: return binary<F<u64>, u64, u64, u64>;
    default: return nullptr;
    }
}
template <template <class> class F> Handler invert(Type t) {
    switch (t) {
    case Type::b16: return unary<F<u16>, u16, u16>;
    case Type::b32: return unary<F<u32>, u32, u32>;
    case Type::b64: return unary<F<u64>, u64, u64>;
    default: return nullptr;
    }
}

Handler shift(const Key& k) {
    if (k.op == Op::shl) switch (k.type) {
        case Type::b16: return binary<Shl<u16>, u16, u16, u32>;
        case Type::b32: return binary<Shl<u32>, u32, u32, u32>;
        case Type::b64: return binary<Shl<u64>, u64, u64, u32>;
        default: return nullptr;
        }
    switch (k.type) {
    case Type::b16:
    case Type::u16: return binary<Shr<u16>, u16, u16, u32>;
    case Type::s16: return binary<Shr<std::int16_t>, std::int16_t, std::int16_t, u32>;
    case Type::b32:
    case Type::u32: return binary<Shr<u32>, u32, u32, u32>;
    case Type::s32: return binary<Shr<std::int32_t>, std::int32_t, std::int32_t, u32>;
    case Type::b64:
    case Type::u64: return binary<Shr<u64>, u64, u64, u32>;
    case Type::s64: return binary<Shr<std::int64_t>, std::int64_t, std::int64_t, u32>;
    default: return nullptr;
    }
}

template <class T> Handler bfindOf(bool amount) {
    return amount ? unary<Bfind<T, true>, u32, T> : unary<Bfind<T, false>, u32, T>;
}

Handler fields(const Key& k) {
    const bool wide = ptx::byteSize(k.type) == 8;
    switch (k.op) {
    case Op::popc: return wide ? unary<Popc<u64>, u32, u64> : unary<Popc<u32>, u32, u32>;
    case Op::clz: return wide ? unary<Clz<u64>, u32, u64> : unary<Clz<u32>, u32, u32>;
    case Op::brev: return wide ? unary<Brev<u64>, u64, u64> : unary<Brev<u32>, u32, u32>;
    case Op::bfind:
        if (k.type == Type::s32) return bfindOf<std::int32_t>(k.shiftAmount);
        if (k.type == Type::s64) return bfindOf<std::int64_t>(k.shiftAmount);
        return wide ? bfindOf<u64>(k.shiftAmount) : bfindOf<u32>(k.shiftAmount);
    case Op::bfe:
        if (k.type == Type::s32) return ternary<Bfe<std::int32_t>, std::int32_t, std::int32_t, u32, u32>;
        if (k.type == Type::s64) return ternary<Bfe<std::int64_t>, std::int64_t, std::int64_t, u32, u32>;
        return wide ? ternary<Bfe<u64>, u64, u64, u32, u32> : ternary<Bfe<u32>, u32, u32, u32, u32>;
    case Op::bfi: return wide ? bfi<u64> : bfi<u32>;
    case Op::bmsk: return k.clampMode ? binary<Bmsk<true>, u32, u32, u32> : binary<Bmsk<false>, u32, u32, u32>;
    case Op::szext:
        if (k.type == Type::s32)
            return k.clampMode ? binary<Szext<std::int32_t, true>, std::int32_t, std::int32_t, u32>
                               : binary<Szext<std::int32_t, false>, std::int32_t, std::int32_t, u32>;
        return k.clampMode ? binary<Szext<u32, true>, u32, u32, u32> : binary<Szext<u32, false>, u32, u32, u32>;
    default: return nullptr;
    }
}

} // namespace

Handler bitsHandler(const Key& k) {
    switch (k.op) {
    case Op::and_: return logic<And>(k.type);
    case Op::or_: return logic<Or>(k.type);
    case Op::xor_: return logic<Xor>(k.type);
    case Op::not_: return k.type == Type::pred ? predicateNot : invert<Not>(k.type);
    case Op::cnot: return invert<Cnot>(k.type);
    case Op::lop3: return lop3;
    case Op::shl:
    case Op::shr: return shift(k);
    case Op::shfL:
        return k.clampMode ? ternary<Funnel<true, true>, u32, u32, u32, u32>
                           : ternary<Funnel<true, false>, u32, u32, u32, u32>;
    case Op::shfR:
        return k.clampMode ? ternary<Funnel<false, true>, u32, u32, u32, u32>
                           : ternary<Funnel<false, false>, u32, u32, u32, u32>;
    case Op::prmt: return prmt;
    default: return fields(k);
    }
}

} // namespace kernelarium::emulator::KL_ISA
