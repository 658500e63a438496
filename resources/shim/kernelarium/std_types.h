// SPDX-License-Identifier: GPL-3.0-or-later
//
// <type_traits>, <utility>, <initializer_list> and <cstddef>: the part that headers of ours lean on.
#pragma once

namespace std {

using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    using value_type = T;
    using type = integral_constant;
    constexpr operator T() const noexcept { return v; }
    constexpr T operator()() const noexcept { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> struct remove_cv { using type = typename remove_const<typename remove_volatile<T>::type>::type; };
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> struct remove_pointer<T* const> { using type = T; };
template <class T> struct remove_extent { using type = T; };
template <class T> struct remove_extent<T[]> { using type = T; };
template <class T, size_t n> struct remove_extent<T[n]> { using type = T; };
template <class T> struct add_const { using type = const T; };
template <class T> struct add_pointer { using type = typename remove_reference<T>::type*; };
template <class T> struct add_lvalue_reference { using type = T&; };
template <> struct add_lvalue_reference<void> { using type = void; };
template <class T> struct add_rvalue_reference { using type = T&&; };
template <> struct add_rvalue_reference<void> { using type = void; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> using add_const_t = typename add_const<T>::type;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;

template <bool b, class A, class B> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <bool b, class A, class B> using conditional_t = typename conditional<b, A, B>::type;
template <bool b, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <class...> using void_t = void;

template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T*> : true_type {};
template <class T> struct is_pointer<T* const> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T&> : true_type {};
template <class T> struct is_reference<T&&> : true_type {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T&> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T&&> : true_type {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t n> struct is_array<T[n]> : true_type {};
template <class T> struct is_void : is_same<void, remove_cv_t<T>> {};
template <class T> struct is_function : false_type {};
template <class R, class... A> struct is_function<R(A...)> : true_type {};
} // namespace std

namespace kl {
// Enumerators: constants of classes would each become a variable of the PTX.
template <class T> struct Arithmetic {
    enum { integral = false, floating = false };
};
#define KL_INTEGRAL(T)                                                                                                 \
    template <> struct Arithmetic<T> {                                                                                 \
        enum { integral = true, floating = false };                                                                    \
    };
KL_INTEGRAL(bool)
KL_INTEGRAL(char) KL_INTEGRAL(signed char) KL_INTEGRAL(unsigned char) KL_INTEGRAL(short) KL_INTEGRAL(unsigned short)
    KL_INTEGRAL(int) KL_INTEGRAL(unsigned) KL_INTEGRAL(long) KL_INTEGRAL(unsigned long) KL_INTEGRAL(long long)
        KL_INTEGRAL(unsigned long long) KL_INTEGRAL(wchar_t) KL_INTEGRAL(char16_t) KL_INTEGRAL(char32_t)
#undef KL_INTEGRAL
            template <>
            struct Arithmetic<float> {
    enum { integral = false, floating = true };
};
template <> struct Arithmetic<double> {
    enum { integral = false, floating = true };
};
} // namespace kl

namespace std {
template <class T> struct is_integral : bool_constant<kl::Arithmetic<remove_cv_t<T>>::integral> {};
template <class T> struct is_floating_point : bool_constant<kl::Arithmetic<remove_cv_t<T>>::floating> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T, bool = is_arithmetic<T>::value>
struct is_signed : bool_constant<(remove_cv_t<T>(-1) < remove_cv_t<T>(0))> {};
template <class T> struct is_signed<T, false> : false_type {};
template <class T> struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> struct is_empty : bool_constant<__is_empty(T)> {};
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class A, class B> struct is_convertible : bool_constant<__is_convertible_to(A, B)> {};
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T> using underlying_type_t = __underlying_type(T);

template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_reference_v = is_reference<T>::value;
template <class T> inline constexpr bool is_const_v = is_const<T>::value;
template <class T> inline constexpr bool is_void_v = is_void<T>::value;
template <class T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T> inline constexpr bool is_class_v = is_class<T>::value;
template <class T> inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<T>::value;
template <class A, class B> inline constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class A, class B> inline constexpr bool is_convertible_v = is_convertible<A, B>::value;
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;

template <class... B> struct conjunction : bool_constant<(B::value && ...)> {};
template <class... B> struct disjunction : bool_constant<(B::value || ...)> {};
template <class B> struct negation : bool_constant<!B::value> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;

template <class T> struct decay {
    using bare = remove_reference_t<T>;
    using type = conditional_t<is_array<bare>::value, remove_extent_t<bare>*,
                               conditional_t<is_function<bare>::value, add_pointer_t<bare>, remove_cv_t<bare>>>;
};
template <class T> using decay_t = typename decay<T>::type;
template <class T> typename add_rvalue_reference<T>::type declval() noexcept;
template <class A, class... B> struct common_type {
    using type = decay_t<decltype(true ? declval<A>() : declval<typename common_type<B...>::type>())>;
};
template <class A> struct common_type<A> { using type = decay_t<A>; };
template <class... A> using common_type_t = typename common_type<A...>::type;
template <class F, class... A> struct invoke_result { using type = decltype(declval<F>()(declval<A>()...)); };
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class T> struct make_unsigned {
    using type =
        conditional_t<sizeof(T) == 1, uint8_t,
                      conditional_t<sizeof(T) == 2, uint16_t, conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
};
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct make_signed {
    using type = conditional_t<sizeof(T) == 1, int8_t,
                               conditional_t<sizeof(T) == 2, int16_t, conditional_t<sizeof(T) == 4, int32_t, int64_t>>>;
};
template <class T> using make_signed_t = typename make_signed<T>::type;
template <size_t bytes, size_t align = 8> struct aligned_storage {
    struct type {
        alignas(align) unsigned char raw[bytes];
    };
};

template <class T, T... i> struct integer_sequence {
    static constexpr size_t size() noexcept { return sizeof...(i); }
};
template <size_t... i> using index_sequence = integer_sequence<size_t, i...>;
template <size_t n, size_t... i> struct kl_make_sequence : kl_make_sequence<n - 1, n - 1, i...> {};
template <size_t... i> struct kl_make_sequence<0, i...> { using type = index_sequence<i...>; };
template <size_t n> using make_index_sequence = typename kl_make_sequence<n>::type;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class T> constexpr void swap(T& a, T& b) {
    T kept = std::move(a);
    a = std::move(b);
    b = std::move(kept);
}
template <class T, class U = T> constexpr T exchange(T& object, U&& value) {
    T kept = std::move(object);
    object = std::forward<U>(value);
    return kept;
}
template <class T> constexpr const T& as_const(T& value) {
    return value;
}
template <class T> constexpr T* addressof(T& value) noexcept {
    return __builtin_addressof(value);
}
template <class T> constexpr const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T> constexpr const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T, class C> constexpr const T& min(const T& a, const T& b, C less) {
    return less(b, a) ? b : a;
}
template <class T, class C> constexpr const T& max(const T& a, const T& b, C less) {
    return less(a, b) ? b : a;
}
template <class T> constexpr T min(initializer_list<T> list) {
    T best = *list.begin();
    for (const T& item : list)
        best = item < best ? item : best;
    return best;
}
template <class T> constexpr T max(initializer_list<T> list) {
    T best = *list.begin();
    for (const T& item : list)
        best = best < item ? item : best;
    return best;
}
template <class T> constexpr const T& clamp(const T& value, const T& low, const T& high) {
    return value < low ? low : high < value ? high : value;
}

template <class A, class B> struct pair {
    A first{};
    B second{};
    using first_type = A;
    using second_type = B;
    constexpr pair() = default;
    constexpr pair(const A& a, const B& b)
        : first(a)
        , second(b) {}
    template <class U, class V>
    constexpr pair(U&& a, V&& b)
        : first(std::forward<U>(a))
        , second(std::forward<V>(b)) {}
    template <class U, class V>
    constexpr pair(const pair<U, V>& other)
        : first(other.first)
        , second(other.second) {}
    friend constexpr bool operator==(const pair& x, const pair& y) {
        return x.first == y.first && x.second == y.second;
    }
    friend constexpr bool operator!=(const pair& x, const pair& y) { return !(x == y); }
    friend constexpr bool operator<(const pair& x, const pair& y) {
        return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
    }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
    return {std::forward<A>(a), std::forward<B>(b)};
}

template <class T> constexpr const T* begin(initializer_list<T> list) noexcept {
    return list.begin();
}
template <class T> constexpr const T* end(initializer_list<T> list) noexcept {
    return list.end();
}
template <class T, size_t n> constexpr T* begin(T (&array)[n]) noexcept {
    return array;
}
template <class T, size_t n> constexpr T* end(T (&array)[n]) noexcept {
    return array + n;
}
template <class T, size_t n> constexpr size_t size(const T (&)[n]) noexcept {
    return n;
}
template <class C> constexpr auto begin(C& c) -> decltype(c.begin()) {
    return c.begin();
}
template <class C> constexpr auto end(C& c) -> decltype(c.end()) {
    return c.end();
}
template <class C> constexpr auto size(const C& c) -> decltype(c.size()) {
    return c.size();
}

struct nothrow_t {};
} // namespace std

namespace kl {
template <class T> using Bare = std::decay_t<T>;
/// What a static reference is bound to; a temporary is kept.
template <class T> inline const void* keep(T& object) {
    return __builtin_addressof(object);
}
template <class T> inline const void* keep(const T&& object) {
    return ::new (kl_alloc(sizeof(T))) T(object);
}
/// Zeroed memory in which an object of static storage is made when the program runs (gpu/compile/StaticObjects.h).
template <class T> struct StaticCell {
    alignas(T) unsigned char bytes[sizeof(T)];
    bool made;
};
} // namespace kl
