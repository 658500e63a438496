// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/SourceWords.h"

#include <algorithm>
#include <array>

namespace kernelarium::ui {

namespace {

template <std::size_t count> bool isOneOf(std::string_view word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

bool isAttribute(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"__launch_bounds__", "__attribute__", "alignas", "__align__", "__declspec", "decltype", "__cluster_dims__",
         "__block_size__", "__maxnreg__", "noexcept", "explicit", "requires", "__builtin_align__"});
    return isOneOf(word, words);
}

bool beginsDeclaration(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"const",        "static",       "constexpr", "volatile",  "extern",     "register",
         "thread_local", "constinit",    "mutable",   "auto",      "__shared__", "__device__",
         "__constant__", "__managed__",  "unsigned",  "signed",    "int",        "float",
         "double",       "char",         "bool",      "long",      "short",      "void",
         "typename",     "__restrict__", "alignas",   "__align__", "inline",     "__inline__"});
    return isOneOf(word, words);
}

bool isKeyword(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>({"return",
                                                                   "goto",
                                                                   "throw",
                                                                   "new",
                                                                   "delete",
                                                                   "else",
                                                                   "case",
                                                                   "co_return",
                                                                   "co_await",
                                                                   "co_yield",
                                                                   "operator",
                                                                   "sizeof",
                                                                   "typeid",
                                                                   "asm",
                                                                   "__asm__",
                                                                   "break",
                                                                   "continue",
                                                                   "default",
                                                                   "do",
                                                                   "if",
                                                                   "for",
                                                                   "while",
                                                                   "switch",
                                                                   "public",
                                                                   "private",
                                                                   "protected",
                                                                   "using",
                                                                   "typedef",
                                                                   "template",
                                                                   "namespace",
                                                                   "friend",
                                                                   "and",
                                                                   "or",
                                                                   "not",
                                                                   "this",
                                                                   "true",
                                                                   "false",
                                                                   "nullptr",
                                                                   "static_cast",
                                                                   "const_cast",
                                                                   "reinterpret_cast",
                                                                   "dynamic_cast",
                                                                   "try",
                                                                   "catch",
                                                                   "static_assert",
                                                                   "final",
                                                                   "override"});
    return isOneOf(word, words);
}

bool isTypeWord(std::string_view word) {
    static constexpr auto words = std::to_array<std::string_view>(
        {"const",      "volatile", "int",   "float",    "double", "char", "bool",
         "long",       "short",    "void",  "unsigned", "signed", "auto", "__restrict__",
         "__restrict", "typename", "class", "struct",   "enum",   "union"});
    return isOneOf(word, words);
}

} // namespace kernelarium::ui
