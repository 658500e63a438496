// SPDX-License-Identifier: GPL-3.0-or-later
//
// <stdlib.h>: numbers from text, random numbers, sorting. rand() gives the numbers of glibc, so that a program which
// seeds them prints what it prints elsewhere.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/libc_strings.h"

#define RAND_MAX 2147483647
#ifndef NULL
#define NULL 0
#endif

namespace kl {
inline int errorNumber = 0;
inline int digitOf(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'z' ? c - 'a' + 10
           : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                  : 99;
}
/// Digits behind spaces and a sign; `over` is what is given for numbers above `most`.
__noinline__ inline unsigned long parseInteger(const char* text, char** end, int base, unsigned long most,
                                               bool isSigned) {
    const char* at = text;
    while (isspace((unsigned char)*at))
        ++at;
    const bool negative = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digitOf(at[2]) < 16)
        at += 2, base = 16;
    if (base == 0) base = *at == '0' ? 8 : 10;
    const unsigned long limit = most + (isSigned && negative ? 1 : 0);
    unsigned long value = 0;
    bool any = false, over = false;
    for (; digitOf(*at) < base; ++at, any = true) {
        const unsigned long digit = digitOf(*at);
        over = over || value > (limit - digit) / base;
        value = value * base + digit;
    }
    if (end) *end = const_cast<char*>(any ? at : text);
    if (over) {
        errorNumber = 34; // ERANGE
        value = limit;
        if (!isSigned) return value;
    }
    return negative ? 0 - value : value;
}
} // namespace kl
#define errno (::kl::errorNumber)
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EACCES 13
#define EINVAL 22
#define ERANGE 34

inline long strtol(const char* text, char** end = nullptr, int base = 10) {
    return long(kl::parseInteger(text, end, base, 9223372036854775807ul, true));
}
inline long long strtoll(const char* text, char** end = nullptr, int base = 10) {
    return strtol(text, end, base);
}
inline unsigned long strtoul(const char* text, char** end = nullptr, int base = 10) {
    return kl::parseInteger(text, end, base, ~0ul, false);
}
inline unsigned long long strtoull(const char* text, char** end = nullptr, int base = 10) {
    return strtoul(text, end, base);
}
__noinline__ inline double strtod(const char* text, char** end = nullptr) {
    const char* at = text;
    while (isspace((unsigned char)*at))
        ++at;
    const char* sign = at;
    if (*at == '-' || *at == '+') ++at;
    if (strncasecmp(at, "inf", 3) == 0 || strncasecmp(at, "nan", 3) == 0) {
        const bool infinite = tolower(*at) == 'i';
        at += infinite && strncasecmp(at, "infinity", 8) == 0 ? 8 : 3;
        if (end) *end = const_cast<char*>(at);
        const double value = __builtin_bit_cast(double, infinite ? 0x7ff0000000000000ul : 0x7ff8000000000000ul);
        return *sign == '-' ? -value : value;
    }
    const char* digits = at;
    while (isdigit(*at))
        ++at;
    if (*at == '.') ++at;
    while (isdigit(*at))
        ++at;
    const bool any = at > digits + (*digits == '.' ? 1 : 0);
    if (any && (*at == 'e' || *at == 'E')) {
        const char* exponent = at + (at[1] == '-' || at[1] == '+' ? 2 : 1);
        if (isdigit(*exponent))
            for (at = exponent; isdigit(*at);)
                ++at;
    }
    if (end) *end = const_cast<char*>(any ? at : text);
    if (!any) return 0;
    const double value = std::stod(std::string(sign, at - sign));
    return value;
}
inline float strtof(const char* text, char** end = nullptr) {
    return float(strtod(text, end));
}
inline long double strtold(const char* text, char** end = nullptr) {
    return strtod(text, end);
}
inline int atoi(const char* text) {
    return int(strtol(text));
}
inline long atol(const char* text) {
    return strtol(text);
}
inline long long atoll(const char* text) {
    return strtol(text);
}
inline double atof(const char* text) {
    return strtod(text);
}

namespace kl {
/// The additive feedback generator r[i] = r[i-3] + r[i-31] of glibc's random().
struct Random {
    unsigned state[34];
    int at;
    bool seeded, told;
    void seed(unsigned start) {
        state[0] = start ? start : 1;
        for (int i = 1; i < 31; ++i) {
            const int before = int(state[i - 1]);
            long next = 16807l * (before % 127773) - 2836l * (before / 127773);
            state[i] = unsigned(next < 0 ? next + 2147483647 : next);
        }
        for (int i = 31; i < 34; ++i)
            state[i] = state[i - 31];
        seeded = true;
        at = 34;
        for (int i = 0; i < 310; ++i)
            draw();
    }
    unsigned draw() {
        const int here = at % 34;
        const unsigned value = state[(at + 3) % 34] + state[(at + 31) % 34]; // at - 31 and at - 3
        state[here] = value;
        at = at + 1 == 34 * 2 ? 34 : at + 1;
        return value >> 1;
    }
};
inline Random random;
inline unsigned long drand = 0x1234abcd330eul;
} // namespace kl
inline void srand(unsigned seed) {
    kl::random.seed(seed);
}
inline int rand() {
    if (!kl::random.told) {
        kl::random.told = true;
        kl::cuda("host.random", {});
    }
    if (!kl::random.seeded) kl::random.seed(1);
    return int(kl::random.draw());
}
inline long random() {
    return rand();
}
inline void srandom(unsigned seed) {
    srand(seed);
}
inline int rand_r(unsigned* seed) {
    unsigned next = *seed, result = 0;
    for (int part = 0; part < 3; ++part) {
        next = next * 1103515245 + 12345;
        result = part == 0 ? (next / 65536) % 2048 : (result << 10) ^ ((next / 65536) % 1024);
    }
    *seed = next;
    return int(result);
}
inline void srand48(long seed) {
    kl::drand = ((unsigned long)(unsigned)seed << 16) | 0x330e;
}
inline double drand48() {
    kl::drand = (kl::drand * 0x5deece66dul + 11) & 0xfffffffffffful;
    return double(kl::drand) / 281474976710656.0;
}
inline long lrand48() {
    return drand48(), long(kl::drand >> 17);
}
inline long mrand48() {
    return drand48(), long(int(kl::drand >> 16));
}

struct div_t {
    int quot, rem;
};
struct ldiv_t {
    long quot, rem;
};
inline div_t div(int a, int b) {
    return {a / b, a % b};
}
inline ldiv_t ldiv(long a, long b) {
    return {a / b, a % b};
}
inline ldiv_t div(long a, long b) {
    return {a / b, a % b};
}

namespace kl {
inline void swapBytes(char* a, char* b, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        const char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}
template <class C> void siftDown(char* first, size_t at, size_t count, size_t size, C compare) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(first + child * size, first + (child + 1) * size) < 0) ++child;
        if (compare(first + at * size, first + child * size) >= 0) return;
        swapBytes(first + at * size, first + child * size, size);
    }
}
} // namespace kl
template <class C> void qsort(void* base, size_t count, size_t size, C compare) {
    char* first = static_cast<char*>(base);
    for (size_t i = count / 2; i-- > 0;)
        kl::siftDown(first, i, count, size, compare);
    for (size_t end = count; end > 1; --end) {
        kl::swapBytes(first, first + (end - 1) * size, size);
        kl::siftDown(first, 0, end - 1, size, compare);
    }
}
template <class C> void* bsearch(const void* key, const void* base, size_t count, size_t size, C compare) {
    for (size_t low = 0, high = count; low < high;) {
        const size_t middle = (low + high) / 2;
        const char* at = static_cast<const char*>(base) + middle * size;
        const int order = compare(key, at);
        if (order == 0) return const_cast<char*>(at);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return nullptr;
}

namespace std {
using ::atof;
using ::atoi;
using ::atol;
using ::atoll;
using ::bsearch;
using ::div;
using ::qsort;
using ::rand;
using ::srand;
using ::strtod;
using ::strtof;
using ::strtol;
using ::strtoll;
using ::strtoul;
using ::strtoull;
} // namespace std
