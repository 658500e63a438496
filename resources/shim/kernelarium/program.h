// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a program's main is called, whatever it takes and gives (gpu/compile/ProgramEntry.h).
#pragma once
#include "kernelarium/libc.h"

namespace kl {
inline int runMain(int (*f)(), int, char**) {
    return f();
}
inline int runMain(void (*f)(), int, char**) {
    return f(), 0;
}
template <class C, class V> int runMain(int (*f)(C, V), int count, char** values) {
    return f(C(count), V(values));
}
template <class C, class V> int runMain(void (*f)(C, V), int count, char** values) {
    return f(C(count), V(values)), 0;
}
template <class C> int runMain(int (*f)(C), int count, char**) {
    return f(C(count));
}
template <class C, class V, class E> int runMain(int (*f)(C, V, E), int count, char** values) {
    static char* none[1];
    return f(C(count), V(values), E(none));
}
} // namespace kl
