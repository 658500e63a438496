// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/Names.h"

#include "core/algebra/graph/Expression.h"

#include <algorithm>
#include <cctype>

namespace kernelarium::kernelgen {

namespace {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

const std::set<std::string>& reserved() {
    static const std::set<std::string> words = [] {
        std::set<std::string> s{"auto",    "bool",     "break",    "case",   "char",    "class",  "const",   "continue",
                                "default", "delete",   "do",       "double", "else",    "enum",   "extern",  "false",
                                "float",   "for",      "goto",     "if",     "inline",  "int",    "long",    "new",
                                "not",     "operator", "or",       "and",    "private", "public", "return",  "short",
                                "signed",  "sizeof",   "static",   "struct", "switch",  "this",   "throw",   "true",
                                "typedef", "union",    "using",    "void",   "while",   "xor",    "forward", "checked",
                                "blocks",  "threads",  "out",      "sum",    "best",    "Index",  "i",       "t",
                                "step",    "count",    "any",      "part",   "place",   "mean",   "var",     "div",
                                "rows",    "row",      "at",       "torch",  "py",      "std",    "c10",     "value",
                                "prod",    "Four",     "blockSum", "lane",   "warp",    "running"};
        for (int f = 0; f <= int(algebra::Function::xlogy); ++f)
            s.insert(std::string(algebra::name(algebra::Function(f))));
        return s;
    }();
    return words;
}

} // namespace

std::string identifier(std::string_view name) {
    std::string out;
    for (char c : name)
        out += isWord(c) ? c : '_';
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "x" + out;
    // o0, r1: the axes of a kernel
    const bool isAxis = out.size() > 1 && (out[0] == 'o' || out[0] == 'r') &&
                        std::all_of(out.begin() + 1, out.end(), [](unsigned char c) { return std::isdigit(c); });
    if (reserved().contains(out) || isAxis) out += '_';
    return out;
}

bool isIdentifier(std::string_view text) {
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin(), text.end(), isWord);
}

std::string Names::take(std::string_view wanted) {
    std::string name = identifier(wanted);
    for (int n = 2; !m_taken.insert(name).second; ++n)
        name = identifier(wanted) + "_" + std::to_string(n);
    return name;
}

} // namespace kernelarium::kernelgen
