// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/Manual.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace kernelarium::manual {

namespace {

bool isCapital(char c) {
    return c >= 'A' && c <= 'Z';
}

void visitAll(const std::string& path, const Command& command,
              const std::function<void(const std::string&, const Command&)>& visit) {
    visit(path, command);
    for (const Command& below : command.commands)
        visitAll(path.empty() ? below.name : path + " " + below.name, below, visit);
}

bool saysAndEnds(const Option& option) {
    return std::any_of(option.names.begin(), option.names.end(),
                       [](const std::string& name) { return name == "--help" || name == "--version"; });
}

} // namespace

Completion completionOf(const Option& option) {
    using Kind = Completion::Kind;
    if (option.value.empty()) return {};
    if (!option.choices.empty()) return {Kind::choices, {}};
    std::size_t end = 0;
    while (end < option.value.size() && isCapital(option.value[end]))
        ++end;
    const std::string word = option.value.substr(0, end), rest = option.value.substr(end);
    if (word.empty()) return {};
    if (word == "FOLDER" || word == "DIR") return {Kind::folders, {}};
    if (rest.size() > 1 && rest[0] == '.' && rest[1] != '.') {
        const std::string ending = rest.substr(1);
        const bool plain =
            std::all_of(ending.begin(), ending.end(), [](unsigned char c) { return std::isalnum(c) || c == '.'; });
        if (plain) return {Kind::files, ending};
    }
    static constexpr std::array<std::string_view, 6> files{"FILE", "FILES", "PATH", "STORE", "INPUT", "PART"};
    if (std::find(files.begin(), files.end(), word) != files.end() && (rest.empty() || rest == "..."))
        return {Kind::files, {}};
    return {};
}

std::vector<std::string> choicesIn(const std::string& value) {
    std::vector<std::string> words;
    if (value.find('|') == std::string::npos) return words;
    for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.find('|', begin), value.size());
        const std::string word = value.substr(begin, end - begin);
        const bool ours = std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::islower(c) || std::isdigit(c) || c == '-' || c == '_';
        });
        if (ours && !word.empty()) words.push_back(word);
        begin = end + 1;
    }
    return words;
}

void forEachCommand(const Program& program, const std::function<void(const std::string&, const Command&)>& visit) {
    visitAll("", program.root, visit);
}

std::vector<const Option*> optionsOf(const Program& program, const Command& command) {
    std::vector<const Option*> all;
    for (const Option& option : command.options)
        all.push_back(&option);
    if (&command == &program.root) return all;
    for (const Option& option : program.root.options) {
        const bool own = std::any_of(command.options.begin(), command.options.end(),
                                     [&](const Option& other) { return other.names == option.names; });
        if (!own && !saysAndEnds(option)) all.push_back(&option);
    }
    return all;
}

std::string firstSentence(const std::string& help) {
    std::size_t end = std::min(help.find('\n'), help.size());
    if (const std::size_t stop = help.find(". "); stop < end) end = stop;
    std::string sentence = help.substr(0, end);
    while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == ' '))
        sentence.pop_back();
    return sentence;
}

std::string functionName(const Program& program) {
    std::string name = program.root.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}

std::string joined(const std::vector<std::string>& words, const std::string& between, const std::string& quote) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += between;
        text += quote;
        text += word;
        text += quote;
    }
    return text;
}

std::string escaped(const std::string& text, const std::string& characters, char escape) {
    std::string out;
    for (const char c : text) {
        if (characters.find(c) != std::string::npos) out += escape;
        out += c;
    }
    return out;
}

} // namespace kernelarium::manual
