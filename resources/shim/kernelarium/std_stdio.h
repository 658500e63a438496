// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cstdio> and the end of a process from <cstdlib>. printf itself is NVRTC's own; standard output and standard error
// are both the run's output.
#pragma once
#include "kernelarium/std_types.h"

struct FILE {
    int number;
};
#define stdout (reinterpret_cast<FILE*>(1))
#define stderr (reinterpret_cast<FILE*>(2))
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

namespace kl {
/// Arguments as printf of device code lays them out: each at its natural alignment.
struct PrintArguments {
    alignas(8) char bytes[512];
    unsigned long size = 0;
    template <class T> void put(T value) {
        size = (size + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        if (size + sizeof(T) > sizeof bytes) __trap();
        memcpy(bytes + size, &value, sizeof(T));
        size += sizeof(T);
    }
    template <class T> void add(T value) {
        if constexpr (std::is_floating_point<T>::value)
            put(double(value));
        else if constexpr (std::is_pointer<T>::value)
            put(reinterpret_cast<unsigned long>(value));
        else if constexpr (sizeof(T) < 4)
            put(int(value));
        else
            put(value);
    }
};
} // namespace kl

template <class... A> int fprintf(FILE*, const char* format, A... arguments) {
    return printf(format, arguments...);
}
template <class... A> int snprintf(char* out, size_t capacity, const char* format, A... arguments) {
    kl::PrintArguments list;
    (list.add(arguments), ...);
    return kl_format(out, capacity, format, list.bytes);
}
template <class... A> int sprintf(char* out, const char* format, A... arguments) {
    return snprintf(out, size_t(1) << 20, format, arguments...);
}
inline int fflush(FILE*) {
    return 0;
}
inline int puts(const char* text) {
    return printf("%s\n", text);
}
inline int fputs(const char* text, FILE*) {
    return printf("%s", text);
}
inline int putchar(int c) {
    return printf("%c", c);
}

namespace kl {
/// What runs when exit() is called, the last first: atexit()'s functions, and destructors of static objects.
struct AtExit {
    void (*plain)();
    void (*destroy)(void*);
    void* object;
    AtExit* next;
};
inline AtExit* atExit = nullptr;
inline void addAtExit(void (*plain)(), void (*destroy)(void*), void* object) {
    AtExit* added = static_cast<AtExit*>(kl_alloc(sizeof(AtExit)));
    *added = AtExit{plain, destroy, object, atExit};
    atExit = added;
}
/// Of a static object that was just made.
template <class T> inline void destroyAtExit(T& object) {
    if constexpr (!std::is_array<T>::value && !__has_trivial_destructor(T))
        addAtExit(
            nullptr, [](void* p) { static_cast<T*>(p)->~T(); },
            const_cast<std::remove_const_t<T>*>(__builtin_addressof(object)));
}
[[noreturn]] __noinline__ inline void endProcess(int status) {
    const kl_value value{KL_INT, 0, {status}};
    kl_cuda("exit", &value, 1);
    __trap();
}
} // namespace kl
inline int atexit(void (*f)()) {
    return kl::addAtExit(f, nullptr, nullptr), 0;
}
/// They end the run: "exit"(status), "abort"().
[[noreturn]] __noinline__ inline void exit(int status) {
    while (kl::AtExit* last = kl::atExit) {
        kl::atExit = last->next;
        if (last->plain)
            last->plain();
        else
            last->destroy(last->object);
    }
    kl::endProcess(status);
}
[[noreturn]] __noinline__ inline void abort() {
    kl_cuda("abort", nullptr, 0);
    __trap();
}

namespace std {
using ::abort;
using ::atexit;
using ::exit;
using ::fflush;
using ::fprintf;
using ::printf;
using ::puts;
using ::snprintf;
using ::sprintf;
} // namespace std
