// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cuda/std/cstdint>: libcu++ under NVRTC declares the fixed-width integers itself, as long long; PyTorch's are long.
// This stands in its place.
#pragma once
#define _CUDA_STD_CSTDINT // and of it, where a macro names it
#include <cuda/std/version>
#include "kernelarium/std_limits.h"

typedef int8_t int_fast8_t;
typedef int16_t int_fast16_t;
typedef int32_t int_fast32_t;
typedef int64_t int_fast64_t;
typedef uint8_t uint_fast8_t;
typedef uint16_t uint_fast16_t;
typedef uint32_t uint_fast32_t;
typedef uint64_t uint_fast64_t;
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX

_LIBCUDACXX_BEGIN_NAMESPACE_STD
#define KL_USE(bits)                                                                                                   \
    using ::int##bits##_t;                                                                                             \
    using ::uint##bits##_t;                                                                                            \
    using ::int_fast##bits##_t;                                                                                        \
    using ::uint_fast##bits##_t;                                                                                       \
    using ::int_least##bits##_t;                                                                                       \
    using ::uint_least##bits##_t;
KL_USE(8) KL_USE(16) KL_USE(32) KL_USE(64)
#undef KL_USE
using ::intmax_t;
using ::intptr_t;
using ::uintmax_t;
using ::uintptr_t;
#if _CCCL_HAS_INT128()
using __cccl_intmax_t = __int128_t;
using __cccl_uintmax_t = __uint128_t;
#else
using __cccl_intmax_t = long long;
using __cccl_uintmax_t = unsigned long long;
#endif
_LIBCUDACXX_END_NAMESPACE_STD
