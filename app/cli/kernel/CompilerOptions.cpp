// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/CompilerOptions.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace kernelarium::cli {

void addCompilerOptions(CLI::App& command, std::vector<std::string>& words) {
    // Not vector options of CLI11's: those would lose the order among each other and read commas in their own way.
    const auto gather = [&command, &words](const char* names, const char* start, const char* value, const char* help) {
        command
            .add_option_function<std::string>(
                names, [&words, start](const std::string& text) { words.push_back(start + text); }, help)
            ->option_text(value)
            ->trigger_on_parse()
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    gather("-I,--include-path", "-I", "FOLDER", "Search this folder for headers; may be repeated");
    gather("-D,--define", "-D", "NAME[=VALUE]", "Define a macro; may be repeated");
    gather("-U,--undefine", "-U", "NAME",
           "Undefine a macro, as PyTorch's own __CUDA_NO_HALF_OPERATORS__ and its kin; may be repeated");
    gather("--max-registers", "--max-registers=", "N", "Most registers of a thread, 16 to 255");
}

Result<text::CompilerSettings> compilerSettings(const std::vector<std::string>& words) {
    Result<text::CompilerSettings> settings = text::settingsFromWords(words);
    if (!settings) return settings;
    for (std::string& folder : settings->folders)
        folder = std::filesystem::absolute(folder).lexically_normal().string();
    return settings;
}

} // namespace kernelarium::cli
