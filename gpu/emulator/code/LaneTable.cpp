// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/Select.h"

#include <cstdlib>
#include <string_view>

namespace kernelarium::emulator {

namespace {

const LaneTable& choose() {
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    const char* wanted = std::getenv("KERNELARIUM_ISA");
    const std::string_view name = wanted ? wanted : "";
    if (avx512 && (name.empty() || name == "avx512")) return isa_avx512::table();
    if (avx2 && name != "baseline") return isa_avx2::table();
#endif
    return isa_baseline::table();
}

} // namespace

const LaneTable& laneTable() {
    static const LaneTable& table = choose();
    return table;
}

} // namespace kernelarium::emulator
