// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/ShellCompletion.h"

namespace kernelarium::manual {

namespace {

std::string fishQuoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\n' ? " " : escaped(std::string(1, c), "'\\");
    return out + "'";
}

std::string fishKey(const std::string& path, const std::string& word) {
    return "'" + path + " " + word + "'";
}

/// -r: a value follows; -F: files, although the program as a whole takes none; -x: no files.
std::string valueWords(const Option& option) {
    const Completion completion = completionOf(option);
    switch (completion.kind) {
    case Completion::Kind::choices: return " -x -a " + fishQuoted(joined(option.choices, " "));
    case Completion::Kind::files:
        if (completion.ending.empty()) return " -r -F";
        return " -x -k -a " + fishQuoted("(__fish_complete_suffix ." + completion.ending + ")");
    case Completion::Kind::folders: return " -x -a '(__fish_complete_directories)'";
    case Completion::Kind::nothing: break;
    }
    return " -x";
}

std::string optionWords(const Option& option) {
    std::string out;
    for (const std::string& name : option.names) {
        if (name.starts_with("--"))
            out += " -l " + name.substr(2);
        else if (name.size() == 2)
            out += " -s " + name.substr(1);
        else
            out += " -o " + name.substr(1);
    }
    if (!option.value.empty()) out += valueWords(option);
    return out + " -d " + fishQuoted(firstSentence(option.help));
}

std::string argumentWords(const Option& argument) {
    const Completion completion = completionOf(argument);
    switch (completion.kind) {
    case Completion::Kind::choices: return " -a " + fishQuoted(joined(argument.choices, " "));
    case Completion::Kind::files:
        if (completion.ending.empty()) return " -F";
        return " -k -a " + fishQuoted("(__fish_complete_suffix ." + completion.ending + ")");
    case Completion::Kind::folders: return " -a '(__fish_complete_directories)'";
    case Completion::Kind::nothing: break;
    }
    return "";
}

std::string walker(const Program& program, const std::string& function) {
    std::string out = "function " + function +
                      "_at -a wanted -d 'Whether the words before the cursor name this command'\n"
                      "    set -l words (commandline -opc)\n    set -e words[1]\n    set -l command ''\n"
                      "    set -l value 0\n    for word in $words\n        if test $value = 1\n"
                      "            set value 0\n            continue\n        end\n"
                      "        switch \"$command $word\"\n";
    std::vector<std::string> valued;
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        for (const Command& below : command.commands)
            out += "            case " + fishKey(path, below.name) + "\n                set command '" +
                   (path.empty() ? "" : path + " ") + below.name + "'\n";
        for (const Option* option : optionsOf(program, command))
            if (!option->value.empty())
                for (const std::string& name : option->names)
                    valued.push_back(fishKey(path, name));
    });
    if (!valued.empty()) out += "            case " + joined(valued, " ") + "\n                set value 1\n";
    return out + "        end\n    end\n    test \"$command\" = \"$wanted\"\nend\n\n";
}

} // namespace

std::string fishCompletion(const Program& program) {
    const std::string function = "__" + functionName(program), name = program.root.name;
    std::string out = "# Completion of " + name + " for fish, made from its own help.\n\n" + walker(program, function);
    out += "complete -c " + name + " -f\n";
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        const std::string start = "complete -c " + name + " -n \"" + function + "_at '" + path + "'\"";
        for (const Command& below : command.commands)
            out += start + " -a " + below.name + " -d " + fishQuoted(firstSentence(below.help)) + "\n";
        for (const Option* option : optionsOf(program, command))
            out += start + optionWords(*option) + "\n";
        for (const Option& argument : command.arguments)
            if (const std::string words = argumentWords(argument); !words.empty()) {
                out += start + words + "\n";
                break;
            }
    });
    return out;
}

} // namespace kernelarium::manual
