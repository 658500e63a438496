// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/BlasKernels.h"

#include <cstdlib>
#include <dlfcn.h>

namespace kernelarium::process {

std::string blasKernels(std::string_view chosen, bool hasAvx2, bool hasAvx512) {
    if (chosen != "Prescott" || !hasAvx2) return {};
    return hasAvx512 ? "SkylakeX" : "Haswell";
}

std::string blasKernelsHere() {
#if defined(__x86_64__)
    using Name = const char* (*)();
    static const auto name = reinterpret_cast<Name>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    if (!name || std::getenv("OPENBLAS_CORETYPE")) return {};
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512cd");
    return blasKernels(name(), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), avx512);
#else
    return {};
#endif
}

} // namespace kernelarium::process
