// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BulkReduction.h"

#include "core/tensor/HalfBits.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

namespace kernelarium::emulator {

namespace {

using Reduction = BulkOp::Reduction;
using ptx::Type;

/// A sum of two halves, which double holds exactly, rounded once: to odd in float32, then to the narrower type.
float toOdd(double x) {
    const float f = float(x);
    auto bits = std::bit_cast<std::uint32_t>(f);
    if (double(f) != x && x == x && (bits & 1) == 0) bits += std::fabs(double(f)) < std::fabs(x) ? 1 : 0xffffffffu;
    return std::bit_cast<float>(bits);
}

template <class T> T combine(Reduction r, T a, T b) {
    switch (r) {
    case Reduction::add:
        if constexpr (std::is_same_v<T, float>) {
            const float sum = a + b;
            return sum != sum ? std::bit_cast<float>(0x7fffffffu) : sum;
        } else if constexpr (std::is_floating_point_v<T>)
            return a + b;
        else
            return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    case Reduction::min: return std::min(a, b);
    case Reduction::max: return std::max(a, b);
    default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (r) {
        case Reduction::inc: return a >= b ? T(0) : T(a + 1);
        case Reduction::dec: return a == 0 || a > b ? b : T(a - 1);
        case Reduction::and_: return a & b;
        case Reduction::or_: return a | b;
        case Reduction::xor_: return a ^ b;
        default: break;
        }
    }
    return a;
}

template <bool Bfloat> std::uint16_t combineHalf(Reduction r, std::uint16_t a, std::uint16_t b) {
    using namespace tensor::halfbits;
    const double x = Bfloat ? fromBfloat(a) : fromHalf(a), y = Bfloat ? fromBfloat(b) : fromHalf(b);
    if (r != Reduction::add) {
        if (x != x) return y != y ? std::uint16_t(0x7fff) : b;
        if (y != y) return a;
        if (x == y) return (r == Reduction::min) == ((a & 0x8000) != 0) ? a : b; // of zeros, -0 is the smaller one
        return (r == Reduction::min) == (x < y) ? a : b;
    }
    const double sum = x + y;
    if (sum != sum) return 0x7fff;
    return Bfloat ? toBfloat(toOdd(sum)) : toHalf(toOdd(sum));
}

/// f(Word, combine of two words) for the type.
template <class F> void ofType(Type t, Reduction r, F f) {
    const auto plain = [&]<class T>(T) { f(T{}, [r](T a, T b) { return combine<T>(r, a, b); }); };
    switch (t) {
    case Type::b32:
    case Type::u32: return plain(std::uint32_t{});
    case Type::s32: return plain(std::int32_t{});
    case Type::b64:
    case Type::u64: return plain(std::uint64_t{});
    case Type::s64: return plain(std::int64_t{});
    case Type::f32: return plain(float{});
    case Type::f64: return plain(double{});
    case Type::f16:
        return f(std::uint16_t{}, [r](std::uint16_t a, std::uint16_t b) { return combineHalf<false>(r, a, b); });
    case Type::bf16:
        return f(std::uint16_t{}, [r](std::uint16_t a, std::uint16_t b) { return combineHalf<true>(r, a, b); });
    default: return;
    }
}

} // namespace

bool canReduce(Reduction r, Type t) {
    const bool bits = r == Reduction::and_ || r == Reduction::or_ || r == Reduction::xor_;
    switch (t) {
    case Type::b32:
    case Type::b64: return bits;
    case Type::u32: return !bits;
    case Type::s32:
    case Type::u64:
    case Type::s64: return r == Reduction::add || r == Reduction::min || r == Reduction::max;
    case Type::f16:
    case Type::bf16: return r == Reduction::add || r == Reduction::min || r == Reduction::max;
    case Type::f32:
    case Type::f64: return r == Reduction::add;
    default: return false;
    }
}

void reduceInto(std::byte* to, const std::byte* from, std::uint32_t bytes, Reduction r, Type t) {
    ofType(t, r, [&](auto sample, auto join) {
        using T = decltype(sample);
        for (std::uint32_t k = 0; k + sizeof(T) <= bytes; k += sizeof(T)) {
            T a, b;
            std::memcpy(&a, to + k, sizeof(T));
            std::memcpy(&b, from + k, sizeof(T));
            a = join(a, b);
            std::memcpy(to + k, &a, sizeof(T));
        }
    });
}

void reduceGlobal(std::byte* to, const std::byte* from, std::uint32_t bytes, Reduction r, Type t) {
    ofType(t, r, [&](auto sample, auto join) {
        using T = decltype(sample);
        for (std::uint32_t k = 0; k + sizeof(T) <= bytes; k += sizeof(T)) {
            T b;
            std::memcpy(&b, from + k, sizeof(T));
            std::atomic_ref<T> place(*reinterpret_cast<T*>(to + k));
            T a = place.load();
            while (!place.compare_exchange_weak(a, join(a, b))) {
            }
        }
    });
}

} // namespace kernelarium::emulator
