// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/CompilerSettings.h"

#include "core/text/WordLine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace kernelarium::text {

namespace {

constexpr const char* known = "Known are -I FOLDER, -D NAME[=VALUE], -U NAME and --max-registers N.";

struct Spelling {
    std::string_view text;
    char kind; ///< 'I', 'D', 'U', or 'R' for registers
};
constexpr std::array<Spelling, 11> spellings{{{"--include-path", 'I'},
                                              {"--define-macro", 'D'},
                                              {"--undefine-macro", 'U'},
                                              {"--max-registers", 'R'},
                                              {"--maxrregcount", 'R'},
                                              {"-maxrregcount", 'R'},
                                              {"-I", 'I'},
                                              {"-D", 'D'},
                                              {"-U", 'U'},
                                              {"--define", 'D'},
                                              {"--undefine", 'U'}}};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// "NAME", of a definition "NAME=VALUE" or "NAME(x)=VALUE".
std::string_view macroName(std::string_view macro) {
    std::size_t end = 0;
    while (end < macro.size() && (isLetter(macro[end]) || (end > 0 && macro[end] >= '0' && macro[end] <= '9')))
        ++end;
    return macro.substr(0, end);
}

Result<void> add(CompilerSettings& settings, char kind, const std::string& value, const std::string& word) {
    const auto refuse = [&word](const std::string& why) {
        return Error{"bad_input", "The compiler option `" + word + "` " + why + ".", known};
    };
    if (value.empty()) return refuse("has no value");
    if (value.find('\n') != std::string::npos) return refuse("has a line break");
    if (kind == 'I') {
        settings.folders.push_back(value);
        return {};
    }
    if (kind == 'R') {
        int number = 0;
        const auto end = std::from_chars(value.data(), value.data() + value.size(), number);
        if (end.ec != std::errc() || end.ptr != value.data() + value.size() || number < 16 || number > 255)
            return refuse("needs a number of registers from 16 to 255, not `" + value + "`");
        settings.maxRegisters = number;
        return {};
    }
    const std::string_view name = macroName(value);
    const std::string_view rest = std::string_view(value).substr(name.size());
    const bool defines = kind == 'D' && (rest.starts_with("=") || rest.starts_with("("));
    if (name.empty() || (!rest.empty() && !defines)) return refuse("names no macro: `" + value + "`");
    std::erase_if(settings.macros,
                  [&](const std::string& former) { return macroName(std::string_view(former).substr(2)) == name; });
    settings.macros.push_back(std::string("-") + kind + value);
    return {};
}

const Spelling* spellingOf(std::string_view word) {
    const auto* found = std::find_if(spellings.begin(), spellings.end(), [word](const Spelling& s) {
        if (!word.starts_with(s.text)) return false;
        return s.text.size() == 2 || word.size() == s.text.size() || word[s.text.size()] == '=';
    });
    return found == spellings.end() ? nullptr : found;
}

std::string quoted(const std::string& word) {
    if (word.find_first_of(" \t\r'\"\\") == std::string::npos) return word;
    std::string out = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

} // namespace

std::vector<std::string> wordsOf(const CompilerSettings& settings) {
    std::vector<std::string> words;
    for (const std::string& folder : settings.folders)
        words.push_back("-I" + folder);
    words.insert(words.end(), settings.macros.begin(), settings.macros.end());
    if (settings.maxRegisters > 0) words.push_back("--max-registers=" + std::to_string(settings.maxRegisters));
    return words;
}

Result<CompilerSettings> settingsFromWords(const std::vector<std::string>& words) {
    CompilerSettings settings;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const Spelling* spelling = spellingOf(word);
        if (!spelling) return Error{"bad_input", "The compiler option `" + word + "` is not known here.", known};
        std::string value = word.substr(spelling->text.size());
        if (value.empty() && i + 1 < words.size())
            value = words[++i];
        else if (spelling->text.size() > 2 && value.starts_with("="))
            value.erase(0, 1);
        if (Result<void> added = add(settings, spelling->kind, value, word); !added) return added.error();
    }
    return settings;
}

std::string lineOf(const CompilerSettings& settings) {
    std::string line;
    for (const std::string& word : wordsOf(settings)) {
        if (!line.empty()) line += ' ';
        line += quoted(word);
    }
    return line;
}

Result<CompilerSettings> settingsFromLine(std::string_view line) {
    const std::optional<std::vector<std::string>> words = wordsOfLine(line);
    if (!words)
        return Error{"bad_input", "A quote in the compiler options has no end: " + std::string(line) + ".", known};
    return settingsFromWords(*words);
}

std::string lineOf(const CompileLine& line) {
    const std::string settings = lineOf(line.settings);
    if (!line.fastMath) return settings;
    return settings.empty() ? "--fast-math" : "--fast-math " + settings;
}

Result<CompileLine> compileFromLine(std::string_view text) {
    std::optional<std::vector<std::string>> words = wordsOfLine(text);
    const std::string allKnown = std::string(known).insert(std::string_view("Known are ").size(), "--fast-math, ");
    if (!words)
        return Error{"bad_input", "A quote in the compiler options has no end: " + std::string(text) + ".", allKnown};
    CompileLine line;
    line.fastMath = std::erase_if(*words, [](const std::string& word) {
                        return word == "--fast-math" || word == "--use_fast_math" || word == "-use_fast_math";
                    }) > 0;
    Result<CompilerSettings> settings = settingsFromWords(*words);
    if (!settings) {
        Error error = settings.error();
        error.action = allKnown;
        return error;
    }
    line.settings = std::move(*settings);
    return line;
}

} // namespace kernelarium::text
