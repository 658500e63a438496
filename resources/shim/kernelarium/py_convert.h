// SPDX-License-Identifier: GPL-3.0-or-later
//
// Conversions between the runtime's values and C++ types, for casts, arguments and results.
#pragma once
#include "kernelarium/aten_factories.h"
#include "kernelarium/py_object.h"
#include "kernelarium/unsupported.h"

namespace kl {
inline long long lengthOf(const kl_value& v) {
    return v.kind == KL_OBJECT ? callValue("py.len", {v}).i : v.count;
}
/// Item i of any kind of list.
__noinline__ inline kl_value itemOf(const kl_value& v, long long i) {
    switch (v.kind) {
    case KL_OBJECT: return callValue("py.getitem", {v, i});
    case KL_LIST: return static_cast<const kl_value*>(v.p)[i];
    case KL_TENSOR_LIST: return Arg(at::Tensor(static_cast<const kl_handle*>(v.p)[i], 0));
    case KL_INT_LIST: return Arg(static_cast<const long long*>(v.p)[i]);
    case KL_DOUBLE_LIST: return Arg(static_cast<const double*>(v.p)[i]);
    case KL_BOOL_LIST: return Arg(static_cast<const unsigned char*>(v.p)[i] != 0);
    default: castFailed("list");
    }
}

// kind: what to ask kl_arguments for; from: the C++ value of what came.
template <class T, bool> struct Load {
    enum { kind = -1 };
    [[noreturn]] static T from(const kl_value&) { unsupported(__PRETTY_FUNCTION__); }
};
template <class T> struct Load<T, true> {
    enum { kind = std::is_same<T, bool>::value ? KL_BOOL : std::is_floating_point<T>::value ? KL_DOUBLE : KL_INT };
    static T from(const kl_value& v) {
        if (v.kind == KL_DOUBLE && std::is_floating_point<T>::value) return T(v.d);
        if (v.kind == KL_TENSOR) return at::Tensor(v.i, 0).item<T>();
        if (v.kind != KL_INT && v.kind != KL_BOOL) castFailed(std::is_floating_point<T>::value ? "float" : "int");
        return T(v.i);
    }
};
template <> struct Load<at::Tensor> {
    enum { kind = KL_TENSOR };
    static at::Tensor from(const kl_value& v) {
        if (v.kind != KL_TENSOR) castFailed("at::Tensor");
        return at::Tensor(v.i, 0);
    }
};
template <> struct Load<std::string> {
    enum { kind = KL_STRING };
    static std::string from(const kl_value& v) {
        if (v.kind != KL_STRING) castFailed("std::string");
        return std::string(static_cast<const char*>(v.p), v.count);
    }
};
template <> struct Load<std::string_view> {
    enum { kind = KL_STRING };
    static std::string_view from(const kl_value& v) { return {static_cast<const char*>(v.p), (size_t)v.count}; }
};
template <> struct Load<const char*> {
    enum { kind = KL_STRING };
    static const char* from(const kl_value& v) { return make<std::string>(Load<std::string>::from(v))->c_str(); }
};
template <> struct Load<c10::ScalarType> {
    enum { kind = KL_DTYPE };
    static c10::ScalarType from(const kl_value& v) { return c10::ScalarType(v.i); }
};
template <> struct Load<c10::Device> {
    enum { kind = KL_DEVICE };
    static c10::Device from(const kl_value& v) {
        return v.i < 0 ? c10::Device(c10::kCPU) : c10::Device(c10::kCUDA, c10::DeviceIndex(v.i));
    }
};
template <> struct Load<c10::Scalar> {
    enum { kind = -1 };
    static c10::Scalar from(const kl_value& v) { return c10::Scalar(v); }
};
template <> struct Load<std::nullptr_t> {
    enum { kind = -1 };
    static std::nullptr_t from(const kl_value&) { return nullptr; }
};
template <class T> struct Load<std::optional<T>> {
    enum { kind = -1 };
    static std::optional<T> from(const kl_value& v) {
        if (v.kind == KL_NONE) return std::nullopt;
        return Load<T>::from(v);
    }
};
template <class T> struct Load<std::vector<T>> {
    enum {
        kind = Load<T>::kind == KL_TENSOR   ? KL_TENSOR_LIST
               : Load<T>::kind == KL_INT    ? KL_INT_LIST
               : Load<T>::kind == KL_DOUBLE ? KL_DOUBLE_LIST
                                            : -1
    };
    static std::vector<T> from(const kl_value& v) {
        std::vector<T> list;
        const long long n = lengthOf(v);
        for (long long i = 0; i < n; ++i)
            list.push_back(Load<T>::from(itemOf(v, i)));
        return list;
    }
};
template <class T> struct Load<c10::ArrayRef<T>> {
    enum { kind = Load<std::vector<T>>::kind };
    static c10::ArrayRef<T> from(const kl_value& v) { return *make<std::vector<T>>(Load<std::vector<T>>::from(v)); }
};
template <class T, size_t n> struct Load<std::array<T, n>> {
    enum { kind = Load<std::vector<T>>::kind };
    static std::array<T, n> from(const kl_value& v) {
        if (lengthOf(v) != (long long)n) castFailed("std::array");
        std::array<T, n> list{};
        for (size_t i = 0; i < n; ++i)
            list[i] = Load<T>::from(itemOf(v, i));
        return list;
    }
};
template <class... T> struct Load<std::tuple<T...>> {
    enum { kind = -1 };
    template <size_t... i> static std::tuple<T...> each(const kl_value& v, std::index_sequence<i...>) {
        return std::tuple<T...>(Load<T>::from(itemOf(v, i))...);
    }
    static std::tuple<T...> from(const kl_value& v) {
        if (lengthOf(v) != (long long)sizeof...(T)) castFailed("std::tuple");
        return each(v, std::index_sequence_for<T...>());
    }
};
template <class A, class B> struct Load<std::pair<A, B>> {
    enum { kind = -1 };
    static std::pair<A, B> from(const kl_value& v) {
        return {Load<A>::from(itemOf(v, 0)), Load<B>::from(itemOf(v, 1))};
    }
};
template <class M> struct LoadMap {
    enum { kind = KL_OBJECT };
    static M from(const kl_value& v) {
        M map;
        const kl_value keys = callValue("py.keys", {v});
        const long long n = lengthOf(keys);
        for (long long i = 0; i < n; ++i) {
            const kl_value key = itemOf(keys, i);
            map[Load<typename M::key_type>::from(key)] =
                Load<typename M::mapped_type>::from(callValue("py.getitem", {v, key}));
        }
        return map;
    }
};
template <class K, class V> struct Load<std::map<K, V>> : LoadMap<std::map<K, V>> {};
template <class S> struct LoadSet {
    enum { kind = -1 };
    static S from(const kl_value& v) {
        S set;
        const long long n = lengthOf(v);
        for (long long i = 0; i < n; ++i)
            set.insert(Load<typename S::value_type>::from(itemOf(v, i)));
        return set;
    }
};
template <class K> struct Load<std::set<K>> : LoadSet<std::set<K>> {};
template <class K> struct Load<std::unordered_set<K>> : LoadSet<std::unordered_set<K>> {};
template <class K, class V> struct Load<std::unordered_map<K, V>> : LoadMap<std::unordered_map<K, V>> {};
template <class T> struct LoadObject {
    enum { kind = -1 };
    static T from(const kl_value& v) { return T(v); }
};
template <> struct Load<pybind11::none> {
    enum { kind = -1 };
    static pybind11::none from(const kl_value&) { return {}; }
};
#define KL_OBJECT_KIND(name)                                                                                           \
    template <> struct Load<pybind11::name> : LoadObject<pybind11::name> {};
KL_OBJECT_KIND(handle)
KL_OBJECT_KIND(object) KL_OBJECT_KIND(sequence) KL_OBJECT_KIND(list) KL_OBJECT_KIND(tuple) KL_OBJECT_KIND(dict)
    KL_OBJECT_KIND(str) KL_OBJECT_KIND(int_) KL_OBJECT_KIND(float_) KL_OBJECT_KIND(bool_) KL_OBJECT_KIND(function)
        KL_OBJECT_KIND(iterable) KL_OBJECT_KIND(args) KL_OBJECT_KIND(kwargs)
#undef KL_OBJECT_KIND

    // To the runtime. Lists and strings are copied to the heap.
    template <class T>
    kl_value giveList(const T* items, size_t count) {
    kl_value* list = allocate<kl_value>(count + 1);
    for (size_t i = 0; i < count; ++i)
        list[i] = give(items[i]);
    kl_value v{KL_LIST, (int)count, {0}};
    v.p = list;
    return v;
}
template <class T, class = void> struct Give {
    static kl_value of(const T& value) {
        if constexpr (std::is_constructible<Arg, const T&>::value)
            return Arg(value);
        else
            unsupported(__PRETTY_FUNCTION__);
    }
};
template <class T> struct Give<T, std::void_t<typename T::klApi>> {
    static kl_value of(const T& value) { return value.klValue(); }
};
template <> struct Give<float, void> {
    static kl_value of(float value) { return Arg(double(value)); }
};
template <> struct Give<std::string, void> {
    static kl_value of(const std::string& value) { return Arg(*make<std::string>(value)); }
};
template <class T> struct Give<std::optional<T>, void> {
    static kl_value of(const std::optional<T>& value) { return value.has_value() ? give(*value) : kl_value(Arg()); }
};
template <class T> struct Give<std::vector<T>, void> {
    static kl_value of(const std::vector<T>& list) { return giveList(list.data(), list.size()); }
};
template <class T> struct Give<c10::ArrayRef<T>, void> {
    static kl_value of(c10::ArrayRef<T> list) { return giveList(list.data(), list.size()); }
};
template <class T, size_t n> struct Give<std::array<T, n>, void> {
    static kl_value of(const std::array<T, n>& list) { return giveList(list.data(), n); }
};
template <class M> struct GiveMap {
    static kl_value of(const M& map) {
        const kl_value made = callValue("py.dict", {});
        for (const auto& entry : map)
            callValue("py.setitem", {made, give(entry.first), give(entry.second)});
        return made;
    }
};
template <class K, class V> struct Give<std::map<K, V>, void> : GiveMap<std::map<K, V>> {};
template <class K, class V> struct Give<std::unordered_map<K, V>, void> : GiveMap<std::unordered_map<K, V>> {};
template <> struct Give<PyObject*, void> {
    static kl_value of(PyObject* o) { return o->value; }
};
template <class... T> struct Give<std::tuple<T...>, void> {
    template <size_t... i> static kl_value each(const std::tuple<T...>& t, std::index_sequence<i...>) {
        const kl_value items[] = {give(std::get<i>(t))..., Arg()};
        return giveList(items, sizeof...(T));
    }
    static kl_value of(const std::tuple<T...>& t) { return each(t, std::index_sequence_for<T...>()); }
};
template <class A, class B> struct Give<std::pair<A, B>, void> {
    static kl_value of(const std::pair<A, B>& p) {
        const kl_value items[] = {give(p.first), give(p.second)};
        return giveList(items, 2);
    }
};
template <> struct Give<kl_value, void> {
    static kl_value of(const kl_value& v) { return v; }
};
template <class T> kl_value give(const T& value) {
    return Give<std::decay_t<const T>>::of(value);
}
} // namespace kl

namespace pybind11 {
template <class... A> tuple make_tuple(const A&... items) {
    return tuple(kl::callValue("py.make_tuple", {kl::give(items)...}));
}
inline std::string repr(const handle& h) {
    return kl::Load<std::string>::from(kl::callValue("py.repr", {h.klValue()}));
}
} // namespace pybind11
#define KL_CONVERTS
