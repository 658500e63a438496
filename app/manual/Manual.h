// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace kernelarium::manual {

/// An option, or an argument without a name. What it says of itself is what the program's help says.
struct Option {
    std::vector<std::string> names;   ///< as they are typed, -I and --include-path; none: an argument
    std::string value;                ///< stands for the value in texts: FILE, N; empty where it takes none
    std::string help;                 ///< one or more sentences
    std::string fallback;             ///< the value without it; empty where there is none
    std::vector<std::string> choices; ///< the values that it takes or that are known; none: whatever is written
    bool required = false;
    bool repeated = false;
};

struct Command {
    std::string name;
    std::string help;
    std::vector<Option> options;   ///< those with names
    std::vector<Option> arguments; ///< in their order
    std::vector<Command> commands;
    bool needsCommand = false; ///< one of `commands` must follow
};

/// Headings and paragraphs of a page beside what the program's help says.
struct Section {
    std::string heading;
    std::vector<std::pair<std::string, std::string>> entries; ///< a term and its explanation
};

/// One program: what its manual page and its shell completion are made of.
struct Program {
    Command root;        ///< its options may stand behind every command, but for those that say something and end
    std::string summary; ///< one line
    std::string version;
    std::vector<Section> sections;
    std::vector<std::string> related; ///< pages, NAME(1)
};

/// What a shell completes behind an option or as an argument.
struct Completion {
    enum class Kind { nothing, choices, files, folders } kind = Kind::nothing;
    std::string ending; ///< of files: the ending of the wanted ones, without the dot; empty: any
};

/// Found in the choices, else in the word that stands for the value: FOLDER and DIR are folders; FILE, PATH, STORE,
/// INPUT, PART and whatever has an ending, as KERNEL.cu has, are files; other words are the user's own.
[[nodiscard]] Completion completionOf(const Option& option);

/// The words of "ptx|cubin|sass", which a value may be; words in capitals ("best|KEY") stand for something else. Empty
/// where the text is no such list.
[[nodiscard]] std::vector<std::string> choicesIn(const std::string& value);

/// The command that `path` ("archive list") names, with its path; the program itself has an empty one. Parents first.
void forEachCommand(const Program& program,
                    const std::function<void(const std::string& path, const Command& command)>& visit);

/// The command's own options, and those of the program that may stand behind it.
[[nodiscard]] std::vector<const Option*> optionsOf(const Program& program, const Command& command);

/// First sentence of a help text, without its full stop: for lists.
[[nodiscard]] std::string firstSentence(const std::string& help);

/// The program's name as a part of a shell function's name: other characters than letters become _.
[[nodiscard]] std::string functionName(const Program& program);

/// Each word in its place with `between`; `quote` is put on both sides.
[[nodiscard]] std::string joined(const std::vector<std::string>& words, const std::string& between,
                                 const std::string& quote = "");

/// `text` with each of `characters` preceded by `escape`.
[[nodiscard]] std::string escaped(const std::string& text, const std::string& characters, char escape = '\\');

} // namespace kernelarium::manual
