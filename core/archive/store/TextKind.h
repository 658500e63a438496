// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kernelarium::archive {

/// The texts that a kernel can have. The numbers are stored in the file: append only.
enum class TextKind { cudaCode, moduleCode, functionalCode, error, ncuProfile, torchProfile, clangTidy };

inline constexpr std::size_t textKindCount = 7;

struct TextKindInfo {
    TextKind kind;
    std::string_view published; ///< the column's name in the published archive
    std::string_view column;    ///< the column of table `kernel` that names the text
    std::string_view word;      ///< what a person types
};

inline constexpr std::array<TextKindInfo, textKindCount> textKinds = {{
    {TextKind::cudaCode, "CUDA_Code", "code_text", "code"},
    {TextKind::moduleCode, "PyTorch_Code_Module", "module_text", "module"},
    {TextKind::functionalCode, "PyTorch_Code_Functional", "functional_text", "functional"},
    {TextKind::error, "Error", "error_text", "error"},
    {TextKind::ncuProfile, "NCU_Profile", "ncu_text", "ncu"},
    {TextKind::torchProfile, "Torch_Profile", "torch_text", "torch"},
    {TextKind::clangTidy, "Clang_Tidy", "tidy_text", "clang-tidy"},
}};

constexpr std::size_t indexOf(TextKind kind) {
    return static_cast<std::size_t>(kind);
}

constexpr std::optional<TextKind> textKindFromWord(std::string_view word) {
    for (const auto& info : textKinds)
        if (info.word == word) return info.kind;
    return std::nullopt;
}

} // namespace kernelarium::archive
