// SPDX-License-Identifier: GPL-3.0-or-later
//
// std::variant from and to Python: the first alternative that takes the value as it is, else the first after
// conversion.
#pragma once
#include "kernelarium/py_convert.h"

namespace kl {
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> bool fits(const kl_value& v, bool converted) {
    if constexpr (std::is_same<T, bool>::value)
        return v.kind == KL_BOOL;
    else if constexpr (std::is_integral<T>::value)
        return v.kind == KL_INT || (converted && v.kind == KL_BOOL);
    else if constexpr (std::is_floating_point<T>::value)
        return v.kind == KL_DOUBLE || (converted && v.kind == KL_INT);
    else if constexpr (std::is_same<T, std::string>::value)
        return v.kind == KL_STRING;
    else if constexpr (std::is_same<T, at::Tensor>::value)
        return v.kind == KL_TENSOR;
    else if constexpr (std::is_same<T, std::monostate>::value)
        return v.kind == KL_NONE;
    else if constexpr (IsOptional<T>::value)
        return v.kind == KL_NONE || fits<typename T::value_type>(v, converted);
    else
        return v.kind >= KL_INT_LIST && v.kind <= KL_OBJECT;
}
template <> struct Load<std::monostate> {
    enum { kind = -1 };
    static std::monostate from(const kl_value&) { return {}; }
};
template <class... T> struct Load<std::variant<T...>> {
    enum { kind = -1 };
    static std::variant<T...> from(const kl_value& v) {
        std::variant<T...> made;
        bool found = false;
        for (int pass = 0; pass < 2 && !found; ++pass)
            ((!found && fits<T>(v, pass > 0) ? (made = Load<T>::from(v), found = true) : false), ...);
        if (!found) castFailed("std::variant");
        return made;
    }
};
template <class... T> struct Give<std::variant<T...>, void> {
    static kl_value of(const std::variant<T...>& v) {
        return std::visit([](const auto& item) { return give(item); }, v);
    }
};
template <> struct Give<std::monostate, void> {
    static kl_value of(std::monostate) { return Arg(); }
};
} // namespace kl
