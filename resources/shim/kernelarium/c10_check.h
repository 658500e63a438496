// SPDX-License-Identifier: GPL-3.0-or-later
//
// TORCH_CHECK and its kin: the messages are those of PyTorch without its C++ back trace.
#pragma once
#include "kernelarium/c10_types.h"
#include "kernelarium/std_exception.h"
#include "kernelarium/std_stream.h"

namespace c10 {
class Error : public std::exception {
public:
    explicit Error(const std::string& text)
        : m_text(kl::keepText(text.c_str())) {}
    explicit Error(const char* text)
        : m_text(kl::keepText(text)) {}
    const char* what() const noexcept override { return m_text; }
    const char* what_without_backtrace() const noexcept { return m_text; }
    std::string msg() const { return m_text; }
    KL_EXCEPTION(Error, std::exception, "c10::Error")

private:
    const char* m_text;
};
#define KL_ERROR_KIND(name)                                                                                            \
    class name : public Error {                                                                                        \
    public:                                                                                                            \
        explicit name(const std::string& text)                                                                         \
            : Error(text) {}                                                                                           \
        KL_EXCEPTION(name, Error, "c10::" #name)                                                                       \
    };
KL_ERROR_KIND(IndexError)
KL_ERROR_KIND(ValueError) KL_ERROR_KIND(TypeError) KL_ERROR_KIND(NotImplementedError)
#undef KL_ERROR_KIND

    inline std::ostream&
    operator<<(std::ostream& o, ScalarType t) {
    return o << toString(t);
}
inline std::ostream& operator<<(std::ostream& o, TypeMeta t) {
    return o << t.name();
}
inline std::ostream& operator<<(std::ostream& o, const Device& d) {
    return o << d.str();
}
inline std::ostream& operator<<(std::ostream& o, DeviceType d) {
    return o << Device(d).str();
}
inline std::ostream& operator<<(std::ostream& o, Layout l) {
    return o << (l == kStrided ? "Strided" : "Sparse");
}
inline std::ostream& operator<<(std::ostream& o, MemoryFormat f) {
    constexpr const char* names[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
    return o << names[int(f)];
}
__noinline__ inline std::ostream& operator<<(std::ostream& o, const TensorOptions& t) {
    auto standard = [](bool given) { return given ? "" : " (default)"; };
    o << "TensorOptions(dtype=" << t.dtype() << standard(t.has_dtype()) << ", device=" << t.device()
      << standard(t.has_device()) << ", layout=" << t.layout() << standard(t.has_layout())
      << ", requires_grad=" << (t.requires_grad() ? "true" : "false") << standard(t.has_requires_grad())
      << ", pinned_memory=" << (t.pinned_memory() ? "true" : "false") << standard(t.has_pinned_memory())
      << ", memory_format=";
    if (t.has_memory_format())
        o << *t.memory_format_opt();
    else
        o << "(nullopt)";
    return o << ")";
}
template <class T> std::ostream& operator<<(std::ostream& o, ArrayRef<T> list) {
    o << "[";
    for (size_t i = 0; i < list.size(); ++i)
        (i ? o << ", " : o) << list[i];
    return o << "]";
}
inline std::ostream& operator<<(std::ostream& o, const Scalar& s) {
    return s.isFloatingPoint() ? o << s.toDouble() : o << s.toLong();
}

template <class... A> __noinline__ std::string str(const A&... arguments) {
    std::ostringstream text;
    (text << ... << arguments);
    return text.str();
}
inline std::string str(const char* text) {
    return text;
}
inline std::string str(const std::string& text) {
    return text;
}
} // namespace c10

namespace kl {
template <> struct TakesRuntimeErrors<c10::Error> {
    enum { value = true };
};

inline kl_value textPiece(const char* text, int size) {
    kl_value v{KL_STRING, size, {0}};
    v.p = text;
    return v;
}
/// What the runtime prints as a stream in its first state does.
template <class T> struct IsPiece {
    using Decayed = std::decay_t<const T>;
    enum {
        isText = std::is_same<Decayed, char*>::value || std::is_same<Decayed, const char*>::value,
        value = isText || std::is_arithmetic<T>::value || std::is_same<T, std::string>::value ||
                std::is_same<T, std::string_view>::value || std::is_same<T, c10::ScalarType>::value
    };
};
template <class T> kl_value piece(const T& value) {
    if constexpr (IsPiece<T>::isText)
        return textPiece(value, -1);
    else if constexpr (std::is_same<T, std::string>::value || std::is_same<T, std::string_view>::value)
        return textPiece(value.data(), value.size() < 1 << 30 ? int(value.size()) : 1 << 30);
    else if constexpr (std::is_same<T, char>::value || std::is_same<T, signed char>::value ||
                       std::is_same<T, unsigned char>::value)
        return textPiece(reinterpret_cast<const char*>(&value), 1);
    else if constexpr (std::is_integral<T>::value)
        return {KL_INT, !std::is_signed<T>::value, {(long long)value}};
    else if constexpr (std::is_same<T, c10::ScalarType>::value)
        return {KL_DTYPE, 0, {(long long)value}};
    else {
        kl_value v{KL_DOUBLE, 0, {0}};
        v.d = double(value);
        return v;
    }
}
/// Throws an E whose text is c10::str of these. All are printed here where one may change how the others look.
template <class E, class... A> [[noreturn]] void fail(const A&... arguments) {
    if constexpr ((IsPiece<A>::value && ...)) {
        const kl_value pieces[] = {kl::piece(arguments)..., kl_value{}};
        kl_fail(TypesOf<E>::keys(), E::klType(), pieces, sizeof...(A));
    } else {
        const std::string text = c10::str(arguments...);
        const kl_value whole = kl::piece(text);
        kl_fail(TypesOf<E>::keys(), E::klType(), &whole, 1);
    }
}
[[noreturn]] inline void check(const char*, const char* text) {
    kl_check_failed(TypesOf<c10::Error>::keys(), text);
}
[[noreturn]] inline void check(const char* plain) {
    kl_check_failed(TypesOf<c10::Error>::keys(), plain);
}
template <class... A> [[noreturn]] void check(const char*, const A&... arguments) {
    kl::fail<c10::Error>(arguments...);
}
template <class E, class... A> [[noreturn]] void checkAs(const char* plain, const A&... arguments) {
    if constexpr (sizeof...(A) == 0)
        kl::fail<E>(plain);
    else
        kl::fail<E>(arguments...);
}
__noinline__ inline void warn(const std::string& text) {
    const std::string line = "Warning: " + text + "\n";
    kl_print(line.c_str(), line.size());
}
} // namespace kl

#define KL_EXPECTED(condition)                                                                                         \
    "Expected " condition " to be true, but got false.  (Could this error message be improved?  If so, please report " \
    "an enhancement request to PyTorch.)"
#define TORCH_CHECK(condition, ...)                                                                                    \
    do {                                                                                                               \
        if (!(condition)) ::kl::check(KL_EXPECTED(#condition), ##__VA_ARGS__);                                         \
    } while (0)
#define KL_CHECK_AS(kind, condition, ...)                                                                              \
    do {                                                                                                               \
        if (!(condition)) ::kl::checkAs<kind>(KL_EXPECTED(#condition), ##__VA_ARGS__);                                 \
    } while (0)
#define TORCH_CHECK_INDEX(condition, ...) KL_CHECK_AS(::c10::IndexError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) KL_CHECK_AS(::c10::ValueError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) KL_CHECK_AS(::c10::TypeError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) KL_CHECK_AS(::c10::NotImplementedError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b), "Check failed: " #a " == " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b), "Check failed: " #a " != " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b), "Check failed: " #a " < " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b), "Check failed: " #a " <= " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b), "Check failed: " #a " > " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b), "Check failed: " #a " >= " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) ((void)0)
#define AT_ASSERT(condition) TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_CHECK(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::kl::fail<::c10::Error>(__VA_ARGS__)
#define TORCH_WARN(...) ::kl::warn(::c10::str(__VA_ARGS__))
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#define C10_API
#define TORCH_API
#define C10_LIKELY(x) (x)
#define C10_UNLIKELY(x) (x)
#define C10_RESTRICT __restrict__
#define C10_ALWAYS_INLINE __forceinline__
#define C10_UNUSED [[maybe_unused]]
#define C10_WARP_SIZE 32
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((threads))
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__((threads), (blocks))
