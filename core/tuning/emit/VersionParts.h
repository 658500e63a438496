// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A directive that may stand before all versions.
struct HoistedLine {
    bool isInclude = false;
    std::string text;
    std::string macro; ///< of a #define: its name
    bool operator==(const HoistedLine&) const = default;
};

struct VersionParameter {
    std::string text; ///< as it is declared, with its default
    std::string name;
    bool isTensor = false;
};

/// A kernel file taken apart, so that it can be one of several in a file.
struct VersionParts {
    std::vector<HoistedLine> lines;  ///< includes, and #defines before the last of them, in their order
    std::vector<std::string> usings; ///< using and namespace aliases of the file's own level
    std::set<std::string> names;     ///< what the file declares outside of functions, macros included
    std::vector<std::string> macros; ///< names to be taken back
    std::vector<std::string> hidden; ///< functions of the file that are called like CUDA's own
    std::string function;            ///< as the module names it: "forward", "mine::forward"
    std::string name;                ///< its last word
    std::string result;              ///< its type
    std::vector<VersionParameter> parameters;
    std::string moduleBefore, moduleBehind; ///< the module, around the function's name
    std::set<std::string> foreignWords;     ///< words of the signature and the module that must not be the file's

    /// The text without includes, module, marks, and those lines that `hoisted` holds.
    [[nodiscard]] std::string body(const std::vector<HoistedLine>& hoisted) const;

    struct Cut {
        std::size_t begin, end; ///< bytes of the text
        int line = -1;          ///< only where that one of `lines` is hoisted
    };
    std::string text;
    std::vector<Cut> cuts;
};

/// Error "not_mergeable".
[[nodiscard]] Result<VersionParts> versionParts(const std::string& text, std::string_view function);

[[nodiscard]] Error notMergeable(const std::string& what);

} // namespace kernelarium::tuning
