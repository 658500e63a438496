// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/AssemblerWords.h"

#include "core/text/CompilerSettings.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace kernelarium::text {

namespace {

constexpr std::array<std::string_view, 5> plain{"-O0", "-O1", "-O2", "-O3", "--dont-merge-basicblocks"};

struct Valued {
    std::string_view option; ///< up to its "="
    std::span<const std::string_view> values;
};
constexpr std::array<std::string_view, 2> truths{"true", "false"};
constexpr std::array<std::string_view, 11> levels{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
constexpr std::array<std::string_view, 5> loads{"ca", "cg", "cs", "lu", "cv"};
constexpr std::array<std::string_view, 4> stores{"wb", "cg", "cs", "wt"};
constexpr std::array<Valued, 4> valued{{{"--allow-expensive-optimizations=", truths},
                                        {"--register-usage-level=", levels},
                                        {"--def-load-cache=", loads},
                                        {"--def-store-cache=", stores}}};

bool isKnownAssemblerWord(std::string_view word) {
    if (std::find(plain.begin(), plain.end(), word) != plain.end()) return true;
    return std::any_of(valued.begin(), valued.end(), [word](const Valued& one) {
        return word.starts_with(one.option) &&
               std::find(one.values.begin(), one.values.end(), word.substr(one.option.size())) != one.values.end();
    });
}

} // namespace

Result<std::vector<std::string>> assemblerWords(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (const std::string& word : words) {
        if (word.starts_with("--max-registers=")) {
            const Result<CompilerSettings> cap = settingsFromWords({word});
            if (!cap) return cap.error();
            out.push_back("-maxrregcount=" + std::to_string(cap->maxRegisters));
        } else if (isKnownAssemblerWord(word)) {
            out.push_back(word);
        } else {
            return Error{
                "bad_input", "The assembler option `" + word + "` is not known here.",
                "Known are --max-registers=N, -O0 to -O3, --allow-expensive-optimizations=, "
                "--register-usage-level=, --dont-merge-basicblocks, --def-load-cache= and --def-store-cache=."};
        }
    }
    return out;
}

} // namespace kernelarium::text
