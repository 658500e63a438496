// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a module defines beside its functions: classes and enumerations. They compile; nobody calls them here, where a
// module's functions are what is run.
#pragma once
#include "kernelarium/py_object.h"

namespace pybind11 {
namespace detail {
struct NoDefinition {};
/// `py::self + py::self` and the like.
struct SelfOperand {
    template <class T> SelfOperand(const T&) {}
    SelfOperand() = default;
};
} // namespace detail
#define KL_SELF(op)                                                                                                    \
    inline detail::NoDefinition operator op(detail::SelfOperand, detail::SelfOperand) {                                \
        return {};                                                                                                     \
    }
namespace detail {
KL_SELF(+)
KL_SELF(-) KL_SELF(*) KL_SELF(/) KL_SELF(%) KL_SELF(==) KL_SELF(!=) KL_SELF(<) KL_SELF(<=) KL_SELF(>) KL_SELF(>=)
    KL_SELF(+=) KL_SELF(-=) KL_SELF(*=) KL_SELF(/=)
} // namespace detail
#undef KL_SELF
inline detail::SelfOperand self;

template <class... A> detail::NoDefinition init() {
    return {};
}
template <class... F> detail::NoDefinition init(const F&...) {
    return {};
}
template <class... F> detail::NoDefinition init_alias(const F&...) {
    return {};
}
template <class... F> detail::NoDefinition pickle(const F&...) {
    return {};
}
template <size_t nurse, size_t patient> struct keep_alive {};
struct is_operator {};
struct is_method {};
struct dynamic_attr {};
struct buffer_protocol {};
struct module_local {
    constexpr explicit module_local(bool = true) {}
};
struct kw_only {};
struct pos_only {};
struct prepend {};
struct arithmetic {};

template <class T, class... Options> class class_ : public object {
public:
    template <class... X> class_(const handle&, const char*, const X&...) {}
    template <class... X> class_& def(const X&...) { return *this; }
#define KL_DEFINES(name)                                                                                               \
    template <class... X> class_& name(const char*, const X&...) {                                                     \
        return *this;                                                                                                  \
    }
    KL_DEFINES(def_static)
    KL_DEFINES(def_readwrite) KL_DEFINES(def_readonly) KL_DEFINES(def_property) KL_DEFINES(def_property_readonly)
        KL_DEFINES(def_readwrite_static) KL_DEFINES(def_readonly_static) KL_DEFINES(def_property_static)
            KL_DEFINES(def_property_readonly_static)
#undef KL_DEFINES
                template <class F>
                class_& def_buffer(const F&) {
        return *this;
    }
};
template <class T> class enum_ : public class_<T> {
public:
    using class_<T>::class_;
    enum_& value(const char*, T, const char* = nullptr) { return *this; }
    enum_& export_values() { return *this; }
};
template <class T> struct exception {
    template <class... X> exception(const handle&, const char*, const X&...) {}
    void operator()(const char*) const {}
};
template <class T, class... X> exception<T> register_exception(const handle& scope, const char* name, const X&...) {
    return {scope, name};
}
template <class From, class To> void implicitly_convertible() {}
} // namespace pybind11
