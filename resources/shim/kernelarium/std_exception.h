// SPDX-License-Identifier: GPL-3.0-or-later
//
// <exception>, <stdexcept>, and what the rewritten try, catch and throw expand to.
//
// An exception object travels in a box on the heap, unless its text alone makes it (IsText): then the runtime knows its
// type and those of its bases. A handler takes it by its exact static type, by the chain of the std::exception family,
// or, when the runtime raised it of its own accord, as c10::Error or one of its bases.
#pragma once
#include "kernelarium/std_string.h"

namespace kl {
template <class T> __device__ char typeMark;
template <class T> inline const void* typeKey() {
    return &typeMark<T>;
}
} // namespace kl

namespace kl {
/// The text on the heap: it may come from a buffer of the function that throws.
__noinline__ inline const char* keepText(const char* text) {
    const unsigned long size = length(text) + 1;
    return static_cast<const char*>(memcpy(kl_alloc(size), text, size));
}
} // namespace kl

// A member of the std::exception family: its name for messages, and whether a handler of `key` takes it. With a
// constructor from a const char* it is made from its text (IsText), and may hold nothing else. Everything else stays
// out of the virtual table, which reaches the PTX with every class in use.
#define KL_EXCEPTION(name, base, text)                                                                                 \
    using klSelf = name;                                                                                               \
    using klBase = base;                                                                                               \
    static const char* klType() {                                                                                      \
        return text;                                                                                                   \
    }                                                                                                                  \
    bool klIs(const void* key) const override {                                                                        \
        return key == ::kl::typeKey<name>() || base::klIs(key);                                                        \
    }

namespace std {
class exception {
public:
    constexpr exception() noexcept {}
    virtual const char* what() const noexcept { return "std::exception"; }
    static const char* klType() { return "std::exception"; }
    virtual bool klIs(const void* key) const { return key == kl::typeKey<exception>(); }
};
class bad_alloc : public exception {
public:
    const char* what() const noexcept override { return "std::bad_alloc"; }
    KL_EXCEPTION(bad_alloc, exception, "std::bad_alloc")
};
class bad_optional_access : public exception {
public:
    const char* what() const noexcept override { return "bad optional access"; }
    KL_EXCEPTION(bad_optional_access, exception, "std::bad_optional_access")
};
#define KL_TEXT_EXCEPTION(name, base, text)                                                                            \
    class name : public base {                                                                                         \
    public:                                                                                                            \
        explicit name(const string& what)                                                                              \
            : base(what) {}                                                                                            \
        explicit name(const char* what)                                                                                \
            : base(what) {}                                                                                            \
        KL_EXCEPTION(name, base, text)                                                                                 \
    };
#define KL_TEXT_ROOT(name, text)                                                                                       \
    class name : public exception {                                                                                    \
    public:                                                                                                            \
        explicit name(const string& what)                                                                              \
            : m_what(kl::keepText(what.c_str())) {}                                                                    \
        explicit name(const char* what)                                                                                \
            : m_what(kl::keepText(what)) {}                                                                            \
        const char* what() const noexcept override { return m_what; }                                                  \
        KL_EXCEPTION(name, exception, text)                                                                            \
    private:                                                                                                           \
        const char* m_what;                                                                                            \
    };
KL_TEXT_ROOT(runtime_error, "std::runtime_error")
KL_TEXT_ROOT(logic_error, "std::logic_error")
KL_TEXT_EXCEPTION(range_error, runtime_error, "std::range_error")
KL_TEXT_EXCEPTION(overflow_error, runtime_error, "std::overflow_error")
KL_TEXT_EXCEPTION(underflow_error, runtime_error, "std::underflow_error")
KL_TEXT_EXCEPTION(invalid_argument, logic_error, "std::invalid_argument")
KL_TEXT_EXCEPTION(domain_error, logic_error, "std::domain_error")
KL_TEXT_EXCEPTION(length_error, logic_error, "std::length_error")
KL_TEXT_EXCEPTION(out_of_range, logic_error, "std::out_of_range")
#undef KL_TEXT_ROOT
} // namespace std

namespace kl {
/// Our types that a text alone makes: the runtime raises those without an object (kl_fail), and each handler makes its
/// own. So what one handler assigns to it is lost where it is thrown again.
template <class T, class = void> struct IsText {
    enum { value = false };
};
template <class T> struct IsText<T, std::void_t<typename T::klSelf>> {
    enum { value = std::is_same<typename T::klSelf, T>::value && std::is_constructible<T, const char*>::value };
};
/// typeKey of a type and of its bases, up to a null.
template <class... T> __device__ const void* const typeKeys[] = {&typeMark<T>..., nullptr};
template <class T, class... Derived> struct TypesOf : TypesOf<typename T::klBase, Derived..., T> {};
template <class... Derived> struct TypesOf<std::exception, Derived...> {
    static const void* const* keys() { return typeKeys<Derived..., std::exception>; }
};

/// What kl_throw's object points at.
struct ThrownBox {
    const std::exception* asException; // null for a type outside the family
    void* value;
};

template <class T> __noinline__ [[noreturn]] void throwValue(const T& thrown) {
    if constexpr (IsText<T>::value) {
        kl_value text{KL_STRING, -1, {0}};
        text.p = thrown.T::what();
        kl_fail(TypesOf<T>::keys(), T::klType(), &text, 1);
    } else {
        T* value = make<T>(thrown);
        ThrownBox* box = make<ThrownBox>();
        box->value = value;
        if constexpr (std::is_base_of<std::exception, T>::value) {
            box->asException = value;
            kl_throw(box, typeKey<T>(), T::klType(), value->what());
        } else {
            box->asException = nullptr;
            kl_throw(box, typeKey<T>(), __PRETTY_FUNCTION__, "");
        }
    }
}

/// What a throw expression gives: anything, so that it may stand in a conditional.
struct AnyResult {
    template <class T> operator T() const { return *static_cast<T*>(kl_alloc(sizeof(T))); }
};
/// The left-hand side that `throw x` becomes.
struct Thrower {
    template <class T> [[noreturn]] AnyResult operator=(const T& thrown) const { throwValue<T>(thrown); }
    [[noreturn]] AnyResult operator=(const char* thrown) const { throwValue<const char*>(thrown); }
};

/// An exception that the runtime raised, as host code sees it. c10::Error derives from it.
class RuntimeError : public std::exception {
public:
    explicit RuntimeError(const char* text)
        : m_text(kl::keepText(text)) {}
    const char* what() const noexcept override { return m_text; }
    KL_EXCEPTION(RuntimeError, std::exception, "RuntimeError")

private:
    const char* m_text;
};
/// Types that take an exception raised by the runtime; c10 and pybind11 add theirs.
template <class T> struct TakesRuntimeErrors {
    enum { value = false };
};
template <> struct TakesRuntimeErrors<std::exception> {
    enum { value = true };
};

/// A try block with its handlers. Constructed from kl_try() in the function itself, so that the frame the interpreter
/// goes back to is the user's.
struct TryScope {
    bool caught;
    bool handled = false;
    bool matched = false;
    constexpr explicit TryScope(int unwound)
        : caught(unwound != 0) {}
    ~TryScope() {
        if (!caught)
            kl_try_end();
        else if (handled)
            kl_catch_end();
        else
            kl_rethrow();
    }
    bool handle() { return handled = true; }
    template <class T> T* match() {
        using Bare = std::remove_cv_t<T>;
        const void* type = kl_caught_type();
        const ThrownBox* box = static_cast<const ThrownBox*>(kl_caught_object());
        T* found = nullptr;
        if (!type) {
            if constexpr (TakesRuntimeErrors<Bare>::value) found = make<RuntimeErrorAs<Bare>>(kl_caught_what());
        } else if (!box) {
            if constexpr (IsText<RuntimeErrorAs<Bare>>::value)
                if (kl_caught_is(typeKey<Bare>())) found = make<RuntimeErrorAs<Bare>>(kl_caught_what());
        } else if (type == typeKey<Bare>()) {
            found = static_cast<T*>(box->value);
        } else if constexpr (std::is_base_of<std::exception, Bare>::value) {
            if (box->asException && box->asException->klIs(typeKey<Bare>()))
                found = static_cast<T*>(const_cast<std::exception*>(box->asException));
        }
        matched = handled = found != nullptr;
        return found;
    }
    template <class T, class = void> struct RuntimeErrorAs_ { using type = T; };
    template <class U> struct RuntimeErrorAs_<std::exception, U> { using type = RuntimeError; };
    template <class T> using RuntimeErrorAs = typename RuntimeErrorAs_<T>::type;
};
/// The variables that a try block can change, in memory from here on (see kl_touch). Functions are not variables.
template <class T> inline void touch(const T& variable) {
    kl_touch(&reinterpret_cast<const volatile char&>(variable));
}
template <class R, class... A> inline void touch(R (&)(A...)) {}
/// What a handler's declaration is initialised from: it converts to the declared type and notes whether it matched.
/// A reference to what did not match is never used; a copy of it is a copy of zeros.
struct Caught {
    TryScope* scope;
    template <class T> operator T&() const {
        T* found = scope->match<T>();
        return found ? *found : *static_cast<T*>(kl_zeros(sizeof(T)));
    }
    static void* kl_zeros(unsigned long bytes) {
        void* p = kl_alloc(bytes);
        memset(p, 0, bytes);
        return p;
    }
};
template <class T> inline bool catches(TryScope& scope) {
    return scope.match<std::remove_reference_t<T>>() != nullptr;
}
[[noreturn]] inline void outOfRange(const char* text) {
    throwValue(std::out_of_range(text));
}
[[noreturn]] inline void badOptional() {
    throwValue(std::bad_optional_access());
}
} // namespace kl

// The token rewrite (gpu/compile/ExceptionRewrite.h) puts these names, as long as the keywords, in their place.
// A try block that changes variables from outside it has the like of _kT with (::kl::touch(x), ::kl_try()) for
// ::kl_try(), defined before the source.
#define _kT if (::kl::TryScope kl_scope(::kl_try()); !kl_scope.caught)
#define __caN(...) else if (__VA_ARGS__ = ::kl::Caught{&kl_scope}; kl_scope.matched)
#define __caU(...) else if (::kl::catches<__VA_ARGS__>(kl_scope))
#define __caE(...) else if (kl_scope.handle())
#define __thV ::kl::Thrower() =
#define __thR ::kl_rethrow()
