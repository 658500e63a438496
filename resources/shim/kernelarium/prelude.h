// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every compiled file sees first: fixed-width integers and the macros that the token rewrite refers to.
#pragma once

#undef __host__
#define __host__

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long ptrdiff_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ssize_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned char u_char;

// GCC's names for what NVRTC has under CUDA's.
#define __builtin_popcount(x) __popc(x)
#define __builtin_popcountl(x) __popcll(x)
#define __builtin_popcountll(x) __popcll(x)
#define __builtin_clz(x) __clz(int(x))
#define __builtin_clzl(x) __clzll((long long)(x))
#define __builtin_clzll(x) __clzll((long long)(x))
#define __builtin_ctz(x) (__ffs(int(x)) - 1)
#define __builtin_ctzl(x) (__ffsll((long long)(x)) - 1)
#define __builtin_ctzll(x) (__ffsll((long long)(x)) - 1)
#define __builtin_ffs(x) __ffs(int(x))
#define __builtin_ffsll(x) __ffsll((long long)(x))
#define __builtin_bswap32(x) __byte_perm((x), 0, 0x0123)
#define __builtin_prefetch(...) ((void)0)

#include "kernelarium/abi.h"

// Of the CUDA runtime, what few extensions call: left out where a source does not name it (gpu/compile/NamedParts.h).
#ifdef KL_WITHOUT_NAMED_PARTS
#define KL_NAMED_API(...)
#else
#define KL_NAMED_API(...) KL_API(__VA_ARGS__)
#endif
