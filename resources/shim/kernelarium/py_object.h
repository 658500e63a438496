// SPDX-License-Identifier: GPL-3.0-or-later
//
// pybind11's objects: values of the runtime, Python-like ones held there as KL_OBJECT.
#pragma once
#include "kernelarium/aten_tensor.h"
#include "kernelarium/std_map.h"

/// An object as CPython's functions take it.
struct PyObject {
    kl_value value;
};
namespace kl {
inline std::vector<PyObject*> pyObjects;
/// The same pointer for the same object.
__noinline__ inline PyObject* boxed(const kl_value& value) {
    for (PyObject* o : pyObjects)
        if (o->value.kind == value.kind && o->value.count == value.count && o->value.i == value.i) return o;
    PyObject* made = make<PyObject>();
    made->value = value;
    pyObjects.push_back(made);
    return made;
}
} // namespace kl

namespace pybind11 {
class object;
class cast_error : public std::runtime_error {
public:
    explicit cast_error(const std::string& text)
        : std::runtime_error(text) {}
    explicit cast_error(const char* text = "")
        : std::runtime_error(text) {}
    KL_EXCEPTION(cast_error, std::runtime_error, "pybind11::cast_error")
};
class error_already_set : public std::exception {
public:
    explicit error_already_set(const char* text = "")
        : m_text(kl::keepText(text)) {}
    const char* what() const noexcept override { return m_text; }
    KL_EXCEPTION(error_already_set, std::exception, "pybind11::error_already_set")

private:
    const char* m_text;
};
#define KL_PY_ERROR(name, type)                                                                                        \
    class name : public std::runtime_error {                                                                           \
    public:                                                                                                            \
        explicit name(const std::string& text)                                                                         \
            : std::runtime_error(text) {}                                                                              \
        explicit name(const char* text = "")                                                                           \
            : std::runtime_error(text) {}                                                                              \
        KL_EXCEPTION(name, std::runtime_error, type)                                                                   \
    };
KL_PY_ERROR(value_error, "pybind11::value_error")
KL_PY_ERROR(index_error, "pybind11::index_error") KL_PY_ERROR(key_error, "pybind11::key_error")
    KL_PY_ERROR(type_error, "pybind11::type_error")
#undef KL_PY_ERROR
} // namespace pybind11

namespace kl {
template <> struct TakesRuntimeErrors<pybind11::error_already_set> {
    enum { value = true };
};
template <> struct TakesRuntimeErrors<pybind11::cast_error> {
    enum { value = true };
};
template <> struct TakesRuntimeErrors<std::runtime_error> {
    enum { value = true };
};

template <class T, bool = std::is_arithmetic<T>::value> struct Load;
template <class T> kl_value give(const T& value);
[[noreturn]] __noinline__ inline void castFailed(const char* wanted) {
    kl::fail<pybind11::cast_error>("Unable to cast Python instance to C++ type ", wanted);
}
} // namespace kl

namespace pybind11 {
class PyIterator;
/// What objects, handles and accessors can do; D says what value it stands for.
template <class D> class object_api {
public:
    struct klApi {};
    kl_value klValue() const { return static_cast<const D*>(this)->klGet(); }
    template <class T> T cast() const { return kl::Load<T>::from(klValue()); }
    bool is_none() const { return klValue().kind == KL_NONE; }
    template <class O> bool is(const O& other) const {
        const kl_value a = klValue(), b = other.klValue();
        return a.kind == b.kind && a.i == b.i;
    }
    explicit operator bool() const { return true; }
    auto attr(const char* name) const;
    template <class K> auto operator[](const K& key) const;
    template <class K> bool contains(const K& key) const {
        return kl::callValue("py.contains", {klValue(), kl::give(key)}).i != 0;
    }
    template <class... A> object operator()(const A&... arguments) const;
    PyIterator begin() const;
    PyIterator end() const;
    size_t size() const { return size_t(kl::callValue("py.len", {klValue()}).i); }
    bool empty() const { return size() == 0; }
    PyObject* ptr() const { return kl::boxed(klValue()); }
};

class handle : public object_api<handle> {
public:
    constexpr handle() = default;
    constexpr explicit handle(const kl_value& v)
        : m_value(v) {}
    handle(PyObject* o)
        : m_value(o->value) {}
    const kl_value& klGet() const { return m_value; }
    const handle& inc_ref() const { return *this; }
    const handle& dec_ref() const { return *this; }

protected:
    kl_value m_value{KL_NONE, 0, {0}};
};
class object : public handle {
public:
    constexpr object() = default;
    constexpr explicit object(const kl_value& v)
        : handle(v) {}
    constexpr object(const handle& h)
        : handle(h) {}
    handle release() const { return *this; }
};
template <class T> T reinterpret_borrow(const handle& h) {
    return T(h.klValue());
}
template <class T> T reinterpret_steal(const handle& h) {
    return T(h.klValue());
}

/// `o.attr(name)` or `o[key]`: fetched when its value is wanted, set when assigned to.
class accessor : public object_api<accessor> {
public:
    accessor(const kl_value& owner, const kl_value& key, bool attribute)
        : m_owner(owner)
        , m_key(key)
        , m_attribute(attribute) {}
    __noinline__ kl_value klGet() const {
        return kl::callValue(m_attribute ? "py.getattr" : "py.getitem", {m_owner, m_key});
    }
    operator object() const { return object(klGet()); }
    template <class T, class = std::enable_if_t<!std::is_base_of<handle, T>::value && !std::is_reference<T>::value>>
    explicit operator T() const {
        return cast<T>();
    }
    accessor& operator=(const accessor& other) {
        set(other.klGet());
        return *this;
    }
    template <class T> accessor& operator=(const T& value) {
        set(kl::give(value));
        return *this;
    }

private:
    __noinline__ void set(const kl_value& value) {
        kl::callValue(m_attribute ? "py.setattr" : "py.setitem", {m_owner, m_key, value});
    }
    kl_value m_owner;
    kl_value m_key;
    bool m_attribute;
};
template <class D> auto object_api<D>::attr(const char* name) const {
    return accessor(klValue(), kl::Arg(name), true);
}
template <class D> template <class K> auto object_api<D>::operator[](const K& key) const {
    return accessor(klValue(), kl::give(key), false);
}
template <class D> template <class... A> object object_api<D>::operator()(const A&... arguments) const {
    return object(kl::callValue("py.call", {klValue(), kl::give(arguments)...}));
}

class PyIterator {
public:
    PyIterator(const kl_value& owner, long long at)
        : m_owner(owner)
        , m_at(at) {}
    handle operator*() const { return handle(kl::callValue("py.getitem", {m_owner, m_at})); }
    PyIterator& operator++() {
        ++m_at;
        return *this;
    }
    friend bool operator!=(const PyIterator& a, const PyIterator& b) { return a.m_at != b.m_at; }
    friend bool operator==(const PyIterator& a, const PyIterator& b) { return a.m_at == b.m_at; }

private:
    kl_value m_owner;
    long long m_at;
};
template <class D> PyIterator object_api<D>::begin() const {
    return PyIterator(klValue(), 0);
}
template <class D> PyIterator object_api<D>::end() const {
    return PyIterator(klValue(), size());
}

} // namespace pybind11
namespace kl {
/// `kind(value)` in Python: the value itself where it is one already.
__noinline__ inline kl_value converted(const kl_value& value, const char* kind) {
    return callValue("py.convert", {value, kind});
}
} // namespace kl
namespace pybind11 {
class none : public object {};
#define KL_PY_KIND(name, text)                                                                                         \
    static constexpr const char* klKind = text;                                                                        \
    explicit name(const kl_value& v)                                                                                   \
        : object(v) {}                                                                                                 \
    name(const handle& h)                                                                                              \
        : object(kl::converted(h.klValue(), text)) {}                                                                  \
    name(const accessor& a)                                                                                            \
        : object(kl::converted(a.klGet(), text)) {}
class sequence : public object {
public:
    KL_PY_KIND(sequence, "sequence")
};
class list : public object {
public:
    KL_PY_KIND(list, "list")
    explicit list(size_t = 0)
        : object(kl::callValue("py.list", {})) {}
    template <class T> void append(const T& value) const { kl::callValue("py.append", {klValue(), kl::give(value)}); }
};
class tuple : public object {
public:
    KL_PY_KIND(tuple, "tuple")
    tuple()
        : object(kl::callValue("py.tuple", {})) {}
};
class dict : public object {
public:
    KL_PY_KIND(dict, "dict")
    dict()
        : object(kl::callValue("py.dict", {})) {}
    class Iterator {
    public:
        Iterator(const kl_value& owner, const kl_value& keys, long long at)
            : m_owner(owner)
            , m_keys(keys)
            , m_at(at) {}
        const std::pair<handle, handle> operator*() const {
            const kl_value key = kl::callValue("py.getitem", {m_keys, m_at});
            return {handle(key), handle(kl::callValue("py.getitem", {m_owner, key}))};
        }
        Iterator& operator++() {
            ++m_at;
            return *this;
        }
        friend bool operator!=(const Iterator& a, const Iterator& b) { return a.m_at != b.m_at; }

    private:
        kl_value m_owner, m_keys;
        long long m_at;
    };
    Iterator begin() const { return Iterator(klValue(), kl::callValue("py.keys", {klValue()}), 0); }
    Iterator end() const { return Iterator(klValue(), kl_value{}, size()); }
};
class str : public object {
public:
    KL_PY_KIND(str, "str")
    str(const char* text = "")
        : object(kl::Arg(text)) {}
    str(const std::string& text)
        : object(kl::Arg(*kl::make<std::string>(text))) {}
    operator std::string() const { return cast<std::string>(); }
};
#define KL_PY_NUMBER(name, T, text)                                                                                    \
    class name : public object {                                                                                       \
    public:                                                                                                            \
        KL_PY_KIND(name, text)                                                                                         \
        name(T value)                                                                                                  \
            : object(kl::Arg(value)) {}                                                                                \
        operator T() const { return cast<T>(); }                                                                       \
    };
KL_PY_NUMBER(int_, long, "int")
KL_PY_NUMBER(float_, double, "float") KL_PY_NUMBER(bool_, bool, "bool")
#undef KL_PY_NUMBER
    class function : public object {
public:
    KL_PY_KIND(function, "function")
};
class iterable : public object {
public:
    KL_PY_KIND(iterable, "iterable")
};
class args : public tuple {
public:
    using tuple::tuple;
};
class kwargs : public dict {
public:
    using dict::dict;
};

inline size_t len(const handle& h) {
    return h.size();
}
template <class O> bool hasattr(const O& o, const char* name) {
    return kl::callValue("py.hasattr", {o.klValue(), name}).i != 0;
}
template <class O> accessor getattr(const O& o, const char* name) {
    return o.attr(name);
}
/// Whether `o` is a T: "py.isinstance"(object, name of the kind).
template <class T, class O> bool isinstance(const O& o) {
    if constexpr (std::is_same<T, at::Tensor>::value)
        return o.klValue().kind == KL_TENSOR;
    else if constexpr (std::is_same<T, none>::value)
        return o.klValue().kind == KL_NONE;
    else
        return kl::callValue("py.isinstance", {o.klValue(), T::klKind}).i != 0;
}
template <class T = object, class V> auto cast(const V& value) {
    if constexpr (std::is_base_of<handle, T>::value)
        return T(kl::give(value));
    else
        return kl::Load<T>::from(kl::give(value));
}
} // namespace pybind11
