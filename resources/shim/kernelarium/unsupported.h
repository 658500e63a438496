// SPDX-License-Identifier: GPL-3.0-or-later
//
// What exists in the real library and cannot be run here: the run ends as unsupported, with the name.
#pragma once
#include "kernelarium/std_types.h"

namespace kl {
/// Any argument, lists in braces included.
struct Any {
    constexpr Any() {}
    template <class T> constexpr Any(const T&) {}
    constexpr Any(std::initializer_list<Any>) {}
};
[[noreturn]] __noinline__ inline void unsupported(const char* name) {
    kl_cuda(name, nullptr, 0);
    __trap();
}
} // namespace kl
