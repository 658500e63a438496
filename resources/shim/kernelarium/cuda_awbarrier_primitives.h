// SPDX-License-Identifier: GPL-3.0-or-later
//
// The toolkit's header of this name. Under NVRTC it declares the fixed-width integers itself, as long long; they are long
// here, so its own get other names. "./" leads past this file, which has its name.
#pragma once
#define uint64_t kl_toolkit_uint64_t
#define uintptr_t kl_toolkit_uintptr_t
#include <./cuda_awbarrier_primitives.h>
#undef uintptr_t
#undef uint64_t
