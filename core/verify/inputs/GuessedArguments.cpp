// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/GuessedArguments.h"

#include "core/text/CppLiterals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace kernelarium::verify {
namespace {

bool isNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view stripped(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

/// Of m.def("forward", &launch, ...): "launch"; where there is none, the module's name itself.
std::string nameInCode(std::string_view code, std::string_view function) {
    const std::string quoted = fmt::format("\"{}\"", function);
    const auto at = code.find(quoted);
    if (at == std::string_view::npos) return std::string(function);
    std::string_view rest = stripped(code.substr(at + quoted.size()));
    if (!rest.starts_with(',')) return std::string(function);
    rest = stripped(rest.substr(1));
    if (rest.starts_with('&')) rest = stripped(rest.substr(1));
    const auto end = std::find_if_not(rest.begin(), rest.end(), isNamePart);
    return end == rest.begin() ? std::string(function) : std::string(rest.begin(), end);
}

/// What stands between the parentheses of the function's declaration or definition: a name and "(" with a type before.
std::optional<std::string_view> parametersOf(std::string_view code, std::string_view name) {
    for (auto at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
        const auto open = at + name.size();
        const std::string_view before = stripped(code.substr(0, at));
        const bool whole = at > 0 && std::isspace(static_cast<unsigned char>(code[at - 1])) && open < code.size() &&
                           stripped(code.substr(open)).starts_with('(');
        const bool typed = !before.empty() && (isNamePart(before.back()) || before.back() == '>');
        const bool isCall = before.ends_with("return");
        if (!whole || !typed || isCall) continue;
        const auto begin = code.find('(', open) + 1;
        int depth = 1;
        for (auto end = begin; end < code.size(); ++end) {
            depth += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
            if (depth == 0) return code.substr(begin, end - begin);
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> parts(std::string_view parameters) {
    std::vector<std::string_view> found;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= parameters.size(); ++i) {
        const char c = i < parameters.size() ? parameters[i] : ',';
        depth += c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0;
        if (c != ',' || (depth > 0 && i < parameters.size())) continue;
        if (const auto part = stripped(parameters.substr(begin, i - begin)); !part.empty()) found.push_back(part);
        begin = i + 1;
    }
    return found;
}

/// "const torch::Tensor& x = 3" is "torch::Tensor".
std::string typeOf(std::string_view parameter) {
    std::string_view rest = stripped(parameter.substr(0, parameter.find('=')));
    std::size_t name = rest.size();
    while (name > 0 && isNamePart(rest[name - 1]))
        --name;
    // A parameter without a name is its type alone.
    if (const auto before = stripped(rest.substr(0, name)); !before.empty() && before.back() != ':') rest = before;
    std::string type;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest.substr(i).starts_with("const") && (i == 0 || !isNamePart(rest[i - 1]))) {
            i += 4;
            continue;
        }
        if (rest[i] != '&' && !std::isspace(static_cast<unsigned char>(rest[i]))) type += rest[i];
    }
    return type;
}

std::string argumentFor(const std::string& type) {
    // Small enough to be run at once, and no multiple of a block.
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 17> known{
        {{"torch::Tensor", "float32[64,96]"},
         {"at::Tensor", "float32[64,96]"},
         {"Tensor", "float32[64,96]"},
         {"int", "1"},
         {"int64_t", "1"},
         {"longlong", "1"},
         {"long", "1"},
         {"unsigned", "1"},
         {"unsignedint", "1"},
         {"size_t", "1"},
         {"double", "1.0"},
         {"float", "1.0"},
         {"bool", "true"},
         {"std::string", "\"text\""},
         {"std::vector<int64_t>", "(1, 1)"},
         {"at::IntArrayRef", "(1, 1)"},
         {"torch::IntArrayRef", "(1, 1)"}}};
    if (type.find("optional<") != std::string::npos) return "none";
    const auto* found =
        std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == type; });
    return found == known.end() ? std::string() : std::string(found->second);
}

} // namespace

std::vector<std::string> guessedArguments(std::string_view source, std::string_view function) {
    const std::string code = text::withoutComments(source);
    const auto parameters = parametersOf(code, nameInCode(code, function.empty() ? "forward" : function));
    if (!parameters) return {};
    std::vector<std::string> arguments;
    for (const std::string_view parameter : parts(*parameters)) {
        arguments.push_back(argumentFor(typeOf(parameter)));
        if (arguments.back().empty()) return {};
    }
    return arguments;
}

} // namespace kernelarium::verify
