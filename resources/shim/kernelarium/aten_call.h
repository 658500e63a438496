// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls of operators by name: arguments turned into kl_value, results taken back.
#pragma once
#include "kernelarium/c10_check.h"
#include "kernelarium/std_tuple.h"

namespace at {
using namespace c10;
class Tensor;
using TensorList = ArrayRef<Tensor>;
using ITensorListRef = TensorList;
} // namespace at

namespace kl {
/// One argument. Lists point into the caller's memory, which outlives the call.
struct Arg : kl_value {
    constexpr Arg() : kl_value{KL_NONE, 0, {0}} {}
    constexpr Arg(const kl_value& v) : kl_value(v) {}
    constexpr Arg(std::nullopt_t) : Arg() {}
    constexpr Arg(bool v) : kl_value{KL_BOOL, 0, {v}} {}
    constexpr Arg(int v) : kl_value{KL_INT, 0, {v}} {}
    constexpr Arg(unsigned v) : kl_value{KL_INT, 0, {v}} {}
    constexpr Arg(long v) : kl_value{KL_INT, 0, {v}} {}
    constexpr Arg(unsigned long v) : kl_value{KL_INT, 0, {(long long)v}} {}
    constexpr Arg(long long v) : kl_value{KL_INT, 0, {v}} {}
    Arg(double v) : kl_value{KL_DOUBLE, 0, {0}} { d = v; }
    Arg(const at::Tensor& t);
    Arg(const c10::Scalar& s) : kl_value(s.klValue()) {}
    Arg(c10::ScalarType t) : kl_value{KL_DTYPE, 0, {(long long)t}} {}
    Arg(c10::Device d) : kl_value{KL_DEVICE, 0, {d.is_cpu() ? -1 : d.index() < 0 ? 0 : d.index()}} {}
    Arg(c10::IntArrayRef list) : kl_value{KL_INT_LIST, (int)list.size(), {0}} { p = list.data(); }
    Arg(c10::ArrayRef<double> list) : kl_value{KL_DOUBLE_LIST, (int)list.size(), {0}} { p = list.data(); }
    Arg(at::TensorList list);
    Arg(const char* text) : kl_value{KL_STRING, (int)kl::length(text), {0}} { p = text; }
    Arg(std::string_view text) : kl_value{KL_STRING, (int)text.size(), {0}} { p = text.data(); }
    Arg(const std::string& text) : Arg(std::string_view(text)) {}
    template <class T> Arg(const std::optional<T>& v) : Arg(v.has_value() ? Arg(*v) : Arg()) {}
};
using Args = std::initializer_list<Arg>;

kl_value callValue(const char* name, Args arguments);
at::Tensor call(const char* name, Args arguments);
std::tuple<at::Tensor, at::Tensor> call2(const char* name, Args arguments);
std::tuple<at::Tensor, at::Tensor, at::Tensor> call3(const char* name, Args arguments);
std::vector<at::Tensor> callList(const char* name, Args arguments);
} // namespace kl
