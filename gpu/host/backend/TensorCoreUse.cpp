// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/TensorCoreUse.h"

#include "core/text/KernelName.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::host {

namespace {

bool isElementType(std::string_view word) {
    static constexpr std::array<std::string_view, 14> types = {"f16", "bf16", "tf32", "f32", "f64",  "s8",   "u8",
                                                               "s4",  "u4",   "b1",   "s32", "e4m3", "e5m2", "b8"};
    return std::find(types.begin(), types.end(), word) != types.end();
}

/// PTX names the types of D, A, B and C in this order; wmma on float16 names D and C alone, its factors are float16.
MatrixProducts productsOf(std::string_view instruction, bool wmma) {
    std::vector<std::string_view> types;
    while (!instruction.empty()) {
        const std::size_t end = std::min(instruction.find('.'), instruction.size());
        if (isElementType(instruction.substr(0, end))) types.push_back(instruction.substr(0, end));
        instruction.remove_prefix(std::min(end + 1, instruction.size()));
    }
    if (types.size() < 2) return {{}, "unknown", "unknown"};
    return {{}, wmma && types.size() == 2 ? "f16" : std::string(types[1]), std::string(types[0])};
}

/// The name behind ".entry " where it stands last before a place; empty where a function that is no kernel does.
std::string kernelBefore(std::string_view ptx, std::size_t place) {
    constexpr std::string_view entry = ".entry ", function = ".func ";
    const std::size_t at = ptx.rfind(entry, place), other = ptx.rfind(function, place);
    if (at == ptx.npos || (other != ptx.npos && other > at)) return {};
    const std::string_view rest = ptx.substr(at + entry.size());
    return std::string(rest.substr(0, rest.find_first_of(" (\t\n")));
}

} // namespace

std::vector<MatrixProducts> matrixProducts(std::string_view ptx) {
    std::vector<MatrixProducts> found;
    for (const std::string_view name : {"wmma.mma.", "mma.sync.", "wgmma.mma_async."}) {
        for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
            if (at > 0 && (ptx[at - 1] == '.' || ptx[at - 1] == 'w')) continue; // "wmma.mma.sync" has its own turn
            const std::size_t end = std::min(ptx.find_first_of(" \t\n", at), ptx.size());
            MatrixProducts one = productsOf(ptx.substr(at, end - at), name.starts_with("wmma"));
            one.kernel = kernelBefore(ptx, at);
            const bool isNew = std::none_of(found.begin(), found.end(), [&](const MatrixProducts& f) {
                return f.kernel == one.kernel && f.factors == one.factors && f.sums == one.sums;
            });
            if (isNew) found.push_back(std::move(one));
        }
    }
    return found;
}

std::vector<std::string> tensorCoreTypes(const std::vector<MatrixProducts>& products) {
    std::vector<std::string> found;
    for (const MatrixProducts& one : products)
        if (std::find(found.begin(), found.end(), one.factors) == found.end()) found.push_back(one.factors);
    return found;
}

std::string productsText(const std::vector<MatrixProducts>& products, const std::vector<verify::Launch>& launches) {
    std::vector<std::string> kinds;
    for (const MatrixProducts& one : products) {
        const std::string title = one.kernel.empty() ? std::string() : text::kernelTitle(one.kernel);
        const bool launched = std::any_of(launches.begin(), launches.end(), [&](const verify::Launch& launch) {
            return one.kernel.empty() || launch.kernel == title;
        });
        std::string kind = fmt::format("{} factors, {} sums", one.factors, one.sums);
        if (launched && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(std::move(kind));
    }
    if (kinds.empty()) return {};
    return fmt::format("Its kernels multiply on tensor cores: {}.", fmt::join(kinds, "; "));
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
