// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef KL_WITHOUT_NAMED_PARTS // a named part (gpu/compile/NamedParts.h)
// TORCH_LIBRARY, TORCH_LIBRARY_FRAGMENT and TORCH_LIBRARY_IMPL. gpu/host runs every function whose name begins with
// kl_library_ before the module's own; it reads the schemas and joins definitions with implementations.
#pragma once
#include "kernelarium/py_module.h"

namespace torch {
class Library {
public:
    template <class F> Library& def(const char* schema, const F& f) {
        kl::define(schema, f, kl::Definition());
        return *this;
    }
    Library& def(const char* schema) {
        kl_define(schema, nullptr, nullptr, -1, "", nullptr, 0);
        return *this;
    }
    Library& def(const std::string& schema) { return def(schema.c_str()); }
    template <class F> Library& impl(const char* name, const F& f) { return def(name, f); }
    template <class K, class F> Library& impl(const char* name, K, const F& f) { return def(name, f); }
};
template <class K, class F> const F& dispatch(K, const F& f) {
    return f;
}
} // namespace torch
namespace c10 {
enum class DispatchKey : unsigned short {
    CPU = 1,
    CUDA = 2,
    CompositeImplicitAutograd = 3,
    CompositeExplicitAutograd = 4
};
}

#define TORCH_FN(function) function
#define KL_LIBRARY_NAME_(name, number) kl_library_##name##_##number
#define KL_LIBRARY_NAME(name, number) KL_LIBRARY_NAME_(name, number)
#define KL_LIBRARY(entry, text, variable)                                                                              \
    static void entry##_fill(::torch::Library& variable);                                                              \
    extern "C" void entry() {                                                                                          \
        ::kl_module(text);                                                                                             \
        ::torch::Library kl_the_library;                                                                               \
        entry##_fill(kl_the_library);                                                                                  \
    }                                                                                                                  \
    static void entry##_fill([[maybe_unused]] ::torch::Library& variable)
#define KL_LIBRARY_AT(entry, text, variable) KL_LIBRARY(entry, text, variable)
#define TORCH_LIBRARY(name, variable)                                                                                  \
    KL_LIBRARY_AT(KL_LIBRARY_NAME(name, __LINE__), "TORCH_LIBRARY:" KL_NAME_OF(name) ":", variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) TORCH_LIBRARY(name, variable)
#define TORCH_LIBRARY_IMPL(name, key, variable)                                                                        \
    KL_LIBRARY_AT(KL_LIBRARY_NAME(name##_##key, __LINE__), "TORCH_LIBRARY:" KL_NAME_OF(name) ":" #key, variable)
#endif
