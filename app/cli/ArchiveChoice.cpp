// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveChoice.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

template <class T> nlohmann::json orNull(const std::optional<T>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

} // namespace

std::filesystem::path defaultArchivePath() {
    if (const char* named = std::getenv("KERNELARIUM_DB"); named != nullptr && *named != '\0') return named;
    std::filesystem::path data;
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        data = xdg;
    else if (const char* home = std::getenv("HOME"); home != nullptr)
        data = std::filesystem::path(home) / ".local/share";
    return data / "kernelarium" / "archive.sqlite";
}

void addArchiveOption(CLI::App& command, std::filesystem::path& path) {
    path = defaultArchivePath();
    command.add_option("--db", path, "The archive file")->default_str(path.string())->option_text("FILE");
}

nlohmann::json toJson(const archive::KernelSummary& kernel) {
    return {{"id", kernel.id},
            {"label", kernel.label()},
            {"level", kernel.level},
            {"task", kernel.task},
            {"op_name", kernel.opName},
            {"name", kernel.name},
            {"code_hash", files::toHex(kernel.codeHash)},
            {"code_bytes", kernel.codeBytes},
            {"runtime_ms", orNull(kernel.runtime)},
            {"native_runtime_ms", orNull(kernel.nativeRuntime)},
            {"compile_runtime_ms", orNull(kernel.compileRuntime)},
            {"speedup_native", orNull(kernel.speedupNative)},
            {"speedup_compile", orNull(kernel.speedupCompile)},
            {"correct", orNull(kernel.correct)},
            {"max_diff", orNull(kernel.maxDiff)},
            {"error_kind", archive::errorKindWord(kernel.errorKind)},
            {"original_index", orNull(kernel.originalIndex)},
            {"origin", kernel.origin},
            {"has_module", kernel.hasModule},
            {"has_functional", kernel.hasFunctional},
            {"has_error", kernel.hasError},
            {"has_ncu", kernel.hasNcu},
            {"has_torch", kernel.hasTorch},
            {"has_clang_tidy", kernel.hasTidy}};
}

} // namespace kernelarium::cli
