// SPDX-License-Identifier: GPL-3.0-or-later
//
// <type_traits> and <utility>: what std_types.h leaves out.
#pragma once
#include "kernelarium/std_types.h"

namespace std {
#define KL_TRAIT(name, ...)                                                                                            \
    template <class T> struct name : bool_constant<__VA_ARGS__> {};                                                    \
    template <class T> inline constexpr bool name##_v = name<T>::value;
KL_TRAIT(is_pod, __is_pod(T))
KL_TRAIT(is_trivial, __is_trivial(T)) KL_TRAIT(is_standard_layout, __is_standard_layout(T)) KL_TRAIT(is_abstract,
                                                                                                     __is_abstract(T))
    KL_TRAIT(is_polymorphic, __is_polymorphic(T)) KL_TRAIT(is_final, __is_final(T)) KL_TRAIT(is_union, __is_union(T))
        KL_TRAIT(is_default_constructible, __is_constructible(T)) KL_TRAIT(is_copy_constructible,
                                                                           __is_constructible(T, const T&))
            KL_TRAIT(is_move_constructible, __is_constructible(T, T&&)) KL_TRAIT(is_nothrow_move_constructible,
                                                                                 __is_nothrow_constructible(T, T&&))
                KL_TRAIT(is_nothrow_copy_constructible, __is_nothrow_constructible(T, const T&))
                    KL_TRAIT(is_nothrow_default_constructible, __is_nothrow_constructible(T))
                        KL_TRAIT(is_copy_assignable, __is_assignable(T&, const T&))
                            KL_TRAIT(is_move_assignable, __is_assignable(T&, T&&))
                                KL_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
                                    KL_TRAIT(is_trivially_destructible, __has_trivial_destructor(T))
                                        KL_TRAIT(is_scalar, is_arithmetic<T>::value || is_enum<T>::value ||
                                                                is_pointer<T>::value ||
                                                                is_same<remove_cv_t<T>, nullptr_t>::value)
                                            KL_TRAIT(is_fundamental, is_arithmetic<T>::value || is_void<T>::value ||
                                                                         is_same<remove_cv_t<T>, nullptr_t>::value)
                                                KL_TRAIT(is_object, !is_reference<T>::value && !is_void<T>::value &&
                                                                        !is_function<T>::value)
                                                    KL_TRAIT(is_null_pointer, is_same<remove_cv_t<T>, nullptr_t>::value)
#undef KL_TRAIT
                                                        template <class T>
                                                        inline constexpr bool is_array_v = is_array<T>::value;
template <class T> inline constexpr bool is_empty_v = is_empty<T>::value;
template <class T> inline constexpr bool is_function_v = is_function<T>::value;
template <class T> inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <class T> inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;
template <class T> inline constexpr bool is_volatile_v = false;
template <class T> inline constexpr bool is_volatile_v<volatile T> = true;
template <class B> inline constexpr bool negation_v = !B::value;
template <class A, class B> struct is_assignable : bool_constant<__is_assignable(A, B)> {};
template <class A, class B> inline constexpr bool is_assignable_v = is_assignable<A, B>::value;
template <class T, class = void> struct underlying_type {};
template <class T> struct underlying_type<T, enable_if_t<is_enum<T>::value>> { using type = __underlying_type(T); };
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> inline constexpr size_t alignment_of_v = alignof(T);
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T> struct rank<T[]> : integral_constant<size_t, rank<T>::value + 1> {};
template <class T, size_t n> struct rank<T[n]> : integral_constant<size_t, rank<T>::value + 1> {};
template <class T, unsigned i = 0> struct extent : integral_constant<size_t, 0> {};
template <class T, size_t n> struct extent<T[n], 0> : integral_constant<size_t, n> {};
template <class T, size_t n, unsigned i> struct extent<T[n], i> : extent<T, i - 1> {};
template <class T> struct remove_all_extents { using type = T; };
template <class T> struct remove_all_extents<T[]> : remove_all_extents<T> {};
template <class T, size_t n> struct remove_all_extents<T[n]> : remove_all_extents<T> {};
template <class T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <class T> struct add_cv { using type = const volatile T; };
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> struct remove_cvref { using type = remove_cvref_t<T>; };
template <class T> struct type_identity { using type = T; };
template <class T> using type_identity_t = T;
template <class V, class F, class... A> struct kl_invocable : false_type {};
template <class F, class... A>
struct kl_invocable<void_t<decltype(declval<F>()(declval<A>()...))>, F, A...> : true_type {};
template <class F, class... A> struct is_invocable : kl_invocable<void, F, A...> {};
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class R, class F, class... A> struct is_invocable_r : is_invocable<F, A...> {};
template <size_t bytes, size_t align = 8> using aligned_storage_t = typename aligned_storage<bytes, align>::type;

template <class T, class S> struct kl_integers;
template <class T, size_t... i> struct kl_integers<T, index_sequence<i...>> {
    using type = integer_sequence<T, T(i)...>;
};
template <class T, T n> using make_integer_sequence = typename kl_integers<T, make_index_sequence<size_t(n)>>::type;
inline constexpr nothrow_t nothrow{};
template <class T> constexpr underlying_type_t<T> to_underlying(T value) {
    return underlying_type_t<T>(value);
}
} // namespace std
inline void* operator new(size_t size, const std::nothrow_t&) noexcept {
    return kl_alloc(size);
}
inline void* operator new[](size_t size, const std::nothrow_t&) noexcept {
    return kl_alloc(size);
}
