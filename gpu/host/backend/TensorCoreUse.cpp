// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/TensorCoreUse.h"

#include <algorithm>
#include <array>

namespace kernelarium::host {

namespace {

bool isElementType(std::string_view word) {
    static constexpr std::array<std::string_view, 14> types = {"f16", "bf16", "tf32", "f32", "f64",  "s8",   "u8",
                                                               "s4",  "u4",   "b1",   "s32", "e4m3", "e5m2", "b8"};
    return std::find(types.begin(), types.end(), word) != types.end();
}

/// PTX names the types of D, A, B and C in this order; wmma on float16 names D and C alone, its factors are float16.
std::string factorType(std::string_view instruction, bool wmma) {
    std::vector<std::string_view> types;
    while (!instruction.empty()) {
        const std::size_t end = std::min(instruction.find('.'), instruction.size());
        if (isElementType(instruction.substr(0, end))) types.push_back(instruction.substr(0, end));
        instruction.remove_prefix(std::min(end + 1, instruction.size()));
    }
    if (wmma && types.size() == 2) return "f16";
    return types.size() > 1 ? std::string(types[1]) : "unknown";
}

} // namespace

std::vector<std::string> tensorCoreTypes(std::string_view ptx) {
    std::vector<std::string> found;
    for (const std::string_view name : {"wmma.mma.", "mma.sync.", "wgmma.mma_async."}) {
        for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
            if (at > 0 && (ptx[at - 1] == '.' || ptx[at - 1] == 'w')) continue; // "wmma.mma.sync" has its own turn
            const std::size_t end = std::min(ptx.find_first_of(" \t\n", at), ptx.size());
            std::string type = factorType(ptx.substr(at, end - at), name.starts_with("wmma"));
            if (std::find(found.begin(), found.end(), type) == found.end()) found.push_back(std::move(type));
        }
    }
    return found;
}

AtomicUse atomicUse(std::string_view ptx) {
    AtomicUse use;
    for (const std::string_view name : {"\tatom.", "\tred.", " atom.", " red."})
        for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
            const std::string_view instruction =
                ptx.substr(at, std::min(ptx.find_first_of(";\n", at), ptx.size()) - at);
            (instruction.find(".shared") == instruction.npos ? use.global : use.shared) = true;
        }
    return use;
}

} // namespace kernelarium::host
