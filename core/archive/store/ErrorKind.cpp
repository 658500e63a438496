// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/ErrorKind.h"

namespace kernelarium::archive {
namespace {

bool hasAny(std::string_view text, std::initializer_list<std::string_view> parts) {
    for (const auto part : parts)
        if (text.find(part) != std::string_view::npos) return true;
    return false;
}

} // namespace

ErrorKind classifyError(std::optional<std::string_view> errorText, std::optional<bool> correct) {
    if (!errorText || errorText->empty()) return correct == false ? ErrorKind::wrongResult : ErrorKind::none;
    const std::string_view text = *errorText;
    // The whole log is there, so a later stage's message is looked for only when the build succeeded.
    if (hasAny(text, {"ptxas error", "ptxas fatal"})) return ErrorKind::assemble;
    if (hasAny(text, {"nvlink error", "collect2: error", "undefined reference to"})) return ErrorKind::link;
    if (hasAny(text, {"detected in the compilation of", ": error: ", ": error #", ": fatal error: ", "nvcc fatal"}))
        return ErrorKind::compile;
    if (hasAny(text, {"Error building extension", "ninja: build stopped"})) return ErrorKind::compile;
    if (hasAny(text, {"CUDA error", "CUDA Error", "cudaError", "illegal memory access", "an illegal instruction",
                      "misaligned address", "out of memory"}))
        return ErrorKind::launch;
    if (hasAny(text, {"dynamic module does not define", "undefined symbol", "ImportError", "has no attribute",
                      "incompatible function arguments", "cannot open shared object"}))
        return ErrorKind::import;
    return ErrorKind::other;
}

} // namespace kernelarium::archive
