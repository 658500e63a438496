// SPDX-License-Identifier: GPL-3.0-or-later
//
// PYBIND11_MODULE and module_::def.
#pragma once
#include "kernelarium/py_capi.h"
#include "kernelarium/py_class.h"

namespace pybind11 {
struct arg_v {
    const char* name;
    kl_value value;
};
struct arg {
    const char* name;
    constexpr explicit arg(const char* name_)
        : name(name_) {}
    template <class T> arg_v operator=(const T& value) const { return {name, kl::give(value)}; }
    arg& noconvert(bool = true) { return *this; }
    arg& none(bool = true) { return *this; }
};
namespace literals {
constexpr arg operator""_a(const char* name, size_t) {
    return arg(name);
}
} // namespace literals

template <class... A> struct overload_cast_impl {
    template <class R> constexpr auto operator()(R (*f)(A...)) const { return f; }
};
template <class... A> inline constexpr overload_cast_impl<A...> overload_cast{};
struct doc {
    const char* value;
};
enum class return_value_policy {
    automatic,
    automatic_reference,
    take_ownership,
    copy,
    move,
    reference,
    reference_internal
};
template <class... T> struct call_guard {};
struct gil_scoped_release {
    constexpr gil_scoped_release() {}
};
struct gil_scoped_acquire {
    constexpr gil_scoped_acquire() {}
};
} // namespace pybind11

namespace kl {
/// What m.def collects from its extra arguments: names and defaults, in order.
struct NamedArgument {
    const char* name = nullptr; ///< null for a doc string or a policy
    kl_value value{-1, 0, {0}};
};
template <class T> inline NamedArgument namedArgument(const T&) {
    return {};
}
inline NamedArgument namedArgument(const pybind11::arg& a) {
    return {a.name, {-1, 0, {0}}};
}
inline NamedArgument namedArgument(const pybind11::arg_v& a) {
    return {a.name, a.value};
}

struct Definition {
    const char* names = ""; ///< "*" and "**" stand for py::args and py::kwargs
    const kl_value* defaults = nullptr;
};
__noinline__ inline Definition collect(const NamedArgument* list, int count) {
    std::string names;
    kl_value* defaults = allocate<kl_value>(count);
    int n = 0;
    for (int i = 0; i < count; ++i) {
        if (!list[i].name) continue;
        if (n) names += ',';
        names += list[i].name;
        defaults[n++] = list[i].value;
    }
    return {names.c_str(), defaults};
}
template <class... X> Definition definitionOf(const X&... extra) {
    if constexpr (((std::is_same<X, pybind11::arg>::value || std::is_same<X, pybind11::arg_v>::value) || ...)) {
        const NamedArgument list[] = {namedArgument(extra)...};
        return collect(list, sizeof...(X));
    } else {
        return {};
    }
}

template <class T> using BareOf = std::remove_cv_t<std::remove_reference_t<T>>;
/// What kl_arguments gave is of the kind asked for: simple kinds need no check of their own.
template <class T> T loaded(const kl_value& v) {
    if constexpr (std::is_same<T, at::Tensor>::value)
        return T(v.i, 0);
    else if constexpr (std::is_floating_point<T>::value)
        return T(v.d);
    else if constexpr (std::is_integral<T>::value)
        return T(v.i);
    else
        return Load<T>::from(v);
}
/// What a parameter of type T is given; a reference that may be written through refers to the heap.
template <class T> decltype(auto) argument(const kl_value& v) {
    using Bare = BareOf<T>;
    if constexpr (std::is_lvalue_reference<T>::value && !std::is_const<std::remove_reference_t<T>>::value)
        return *make<Bare>(kl::loaded<Bare>(v));
    else
        return kl::loaded<Bare>(v);
}
/// The arguments of the call in progress, for parameters of these types.
template <class... A> struct Arguments {
    kl_value values[sizeof...(A) + 1] = {{Load<BareOf<A>>::kind, 0, {0}}..., {KL_NONE, 0, {0}}};
    Arguments() {
        if constexpr (sizeof...(A) > 0) kl_arguments(values, sizeof...(A));
    }
};
template <class T> struct Spread {
    enum { is = false };
    static const char* mark() { return ""; }
};
template <> struct Spread<pybind11::args> {
    enum { is = true };
    static const char* mark() { return "*"; }
};
template <> struct Spread<pybind11::kwargs> {
    enum { is = true };
    static const char* mark() { return "**"; }
};
/// Calls f with the arguments of the call in progress, and answers.
template <class R, class... A, class F, size_t... i> void answer(F& f, std::index_sequence<i...>) {
    const Arguments<A...> given;
    if constexpr (std::is_void<R>::value) {
        f(static_cast<A&&>(kl::argument<A>(given.values[i]))...);
        const kl_value nothing{KL_NONE, 0, {0}};
        kl_return(&nothing);
    } else {
        const kl_value result = kl::give(f(static_cast<A&&>(kl::argument<A>(given.values[i]))...));
        kl_return(&result);
    }
}
template <class R, class... A> struct Invoker {
    static void invoke(void* fn) {
        const auto f = reinterpret_cast<R (*)(A...)>(fn);
        kl::answer<R, A...>(f, std::index_sequence_for<A...>());
    }
};
/// The same for a callable object: `fn` is the object.
template <class F, class R, class... A> struct ObjectInvoker {
    static void invoke(void* fn) { kl::answer<R, A...>(*static_cast<F*>(fn), std::index_sequence_for<A...>()); }
};
/// Names of the parameters where some of them take whatever is left over.
template <class... A> __noinline__ const char* spreadNames() {
    std::string names;
    const char* marks[] = {Spread<std::remove_cv_t<std::remove_reference_t<A>>>::mark()..., ""};
    for (size_t i = 0; i < sizeof...(A); ++i)
        names += (i ? "," : "") + std::string(marks[i]);
    return names.c_str();
}
template <class... A> Definition withSpread(const Definition& d) {
    if constexpr ((Spread<std::remove_cv_t<std::remove_reference_t<A>>>::is || ...)) {
        if (d.names[0]) return d;
        kl_value* none = allocate<kl_value>(sizeof...(A));
        for (size_t i = 0; i < sizeof...(A); ++i)
            none[i] = {-1, 0, {0}};
        return {spreadNames<A...>(), none};
    } else {
        return d;
    }
}
/// kl_define's `types`.
template <class T> constexpr unsigned long long parameterType() {
    using Object = std::remove_reference_t<T>;
    if (!std::is_same<std::remove_cv_t<Object>, at::Tensor>::value) return 0;
    return std::is_lvalue_reference<T>::value && !std::is_const<Object>::value ? 2 : 1;
}
template <class R, class... A> constexpr unsigned long long typesOf() {
    unsigned long long types = std::is_void<R>::value;
    int at = 0;
    ((++at < 32 ? void(types |= parameterType<A>() << (2 * at)) : void()), ...);
    return types;
}
template <class M> struct MethodOf;
template <class F, class R, class... A> struct MethodOf<R (F::*)(A...) const> {
    using Invoker = ObjectInvoker<F, R, A...>;
    static constexpr unsigned long long types = typesOf<R, A...>();
    static constexpr int arity = sizeof...(A);
    static Definition spread(const Definition& d) { return withSpread<A...>(d); }
};
template <class F, class R, class... A> struct MethodOf<R (F::*)(A...)> : MethodOf<R (F::*)(A...) const> {};

template <class R, class... A> void define(const char* name, R (*f)(A...), const Definition& d) {
    const Definition all = withSpread<A...>(d);
    kl_define(name, &Invoker<R, A...>::invoke, reinterpret_cast<void*>(f), sizeof...(A), all.names, all.defaults,
              typesOf<R, A...>());
}
template <class F> void define(const char* name, const F& f, const Definition& d) {
    using M = MethodOf<decltype(&F::operator())>;
    const Definition all = M::spread(d);
    kl_define(name, &M::Invoker::invoke, make<F>(f), M::arity, all.names, all.defaults, M::types);
}
} // namespace kl

namespace pybind11 {
class module_ : public object {
public:
    using object::object;
    template <class F, class... X> module_& def(const char* name, const F& f, const X&... extra) {
        kl::define(name, f, kl::definitionOf(extra...));
        return *this;
    }
    module_ def_submodule(const char*, const char* = nullptr) { return {}; } // its functions are not the module's
    template <class T> void add_object(const char*, const T&, bool = false) {}
    std::string& doc() { return *kl::make<std::string>(); }
    static module_ import(const char* name) { return module_(kl::callValue("py.import", {name})); }
};
using module = module_;
/// The module that is defined. What its attributes are set to nobody reads.
struct kl_own_module : module_ {
    struct Attribute {
        template <class T> const Attribute& operator=(const T&) const { return *this; }
    };
    Attribute attr(const char*) const { return {}; }
};
} // namespace pybind11

// One module in a file; gpu/host runs kl_module_entry and checks the name that kl_module was told.
#define TORCH_EXTENSION_NAME TORCH_EXTENSION_NAME
#define KL_NAME_OF(name) #name
#define PYBIND11_MODULE(name, variable)                                                                                \
    static void kl_module_body(::pybind11::kl_own_module& variable);                                                   \
    extern "C" void kl_module_entry() {                                                                                \
        ::kl_module(KL_NAME_OF(name));                                                                                 \
        ::pybind11::kl_own_module kl_the_module;                                                                       \
        kl_module_body(kl_the_module);                                                                                 \
    }                                                                                                                  \
    static void kl_module_body([[maybe_unused]] ::pybind11::kl_own_module& variable)
