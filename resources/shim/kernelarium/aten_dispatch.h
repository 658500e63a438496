// SPDX-License-Identifier: GPL-3.0-or-later
//
// AT_DISPATCH_*: one case for each element type. KL_ONLY_TYPES leaves only those with KL_WANT_<type> defined as 1, for a
// first answer in a hurry.
#pragma once
#include "kernelarium/aten_tensor.h"

namespace kl {
inline c10::ScalarType scalarType(c10::ScalarType t) { return t; }
inline c10::ScalarType scalarType(const at::DeprecatedTypeProperties& t) { return t.scalarType(); }
[[noreturn]] __noinline__ inline void notImplemented(const char* name, c10::ScalarType type) {
    kl::fail<c10::NotImplementedError>('"', name, "\" not implemented for '", type, "'");
}
} // namespace kl

#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, hint, ...)                                                          \
    case enum_type: {                                                                                                  \
        using hint [[maybe_unused]] = ::c10::ScalarTypeToCPPTypeT<enum_type>;                                          \
        return __VA_ARGS__();                                                                                          \
    }
#define AT_DISPATCH_CASE(enum_type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)
#define KL_SKIP(name, hint, ...)
#define KL_TAKE(name, hint, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::name, hint, __VA_ARGS__)
#ifdef KL_ONLY_TYPES
#define KL_CHOOSE_0 KL_SKIP
#define KL_CHOOSE_1 KL_TAKE
#else
#define KL_CHOOSE_0 KL_TAKE
#define KL_CHOOSE_1 KL_TAKE
#endif
#ifndef KL_WANT_Byte
#define KL_WANT_Byte 0
#endif
#ifndef KL_WANT_Char
#define KL_WANT_Char 0
#endif
#ifndef KL_WANT_Short
#define KL_WANT_Short 0
#endif
#ifndef KL_WANT_Int
#define KL_WANT_Int 0
#endif
#ifndef KL_WANT_Long
#define KL_WANT_Long 0
#endif
#ifndef KL_WANT_Half
#define KL_WANT_Half 0
#endif
#ifndef KL_WANT_Float
#define KL_WANT_Float 0
#endif
#ifndef KL_WANT_Double
#define KL_WANT_Double 0
#endif
#ifndef KL_WANT_Bool
#define KL_WANT_Bool 0
#endif
#ifndef KL_WANT_BFloat16
#define KL_WANT_BFloat16 0
#endif
#define KL_PASTE_(a, b) a##b
#define KL_PASTE(a, b) KL_PASTE_(a, b)
#define KL_CASE(name, ...) KL_PASTE(KL_CHOOSE_, KL_WANT_##name)(name, scalar_t, __VA_ARGS__)
#define KL_CASE_OF(type, ...)                                                                                          \
    case type: {                                                                                                       \
        using scalar_t [[maybe_unused]] = ::c10::ScalarTypeToCPPTypeT<type>;                                           \
        return __VA_ARGS__();                                                                                          \
    }
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                            \
    [&] {                                                                                                              \
        const ::c10::ScalarType _st = ::kl::scalarType(TYPE);                                                          \
        switch (_st) {                                                                                                 \
            __VA_ARGS__                                                                                                \
        default: ::kl::notImplemented(NAME, _st);                                                                      \
        }                                                                                                              \
    }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) KL_CASE(Double, __VA_ARGS__) KL_CASE(Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
    KL_CASE(Byte, __VA_ARGS__) KL_CASE(Char, __VA_ARGS__) KL_CASE(Int, __VA_ARGS__) KL_CASE(Long, __VA_ARGS__)         \
    KL_CASE(Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                                           \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) KL_CASE(Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...)                                                             \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...)                                                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__) KL_CASE_OF(B, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                                            \
    AT_DISPATCH_SWITCH(TYPE, NAME, KL_CASE(Half, __VA_ARGS__) KL_CASE(BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...)                                                                  \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...)                                                              \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__) KL_CASE_OF(B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...)                                                           \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__)                  \
                       KL_CASE_OF(B, __VA_ARGS__) KL_CASE_OF(C, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(A, B, C, TYPE, NAME, ...)                                                      \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(A, B, C, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(A, TYPE, NAME, ...)                                                             \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                                                       \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Int, index_t, __VA_ARGS__)       \
                       AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Long, index_t, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) KL_CASE(Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, ...) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, ...)                                                                \
    AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, __VA_ARGS__) KL_CASE_OF(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(A, B, C, ...)                                                             \
    AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, __VA_ARGS__) KL_CASE_OF(C, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...) KL_CASE(Half, __VA_ARGS__) KL_CASE(BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(A, ...) AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) KL_CASE_OF(A, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(A, B, ...) AT_DISPATCH_CASE_ALL_TYPES_AND(A, __VA_ARGS__) KL_CASE_OF(B, __VA_ARGS__)
