// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/ShellCompletion.h"

#include <map>

namespace kernelarium::manual {

namespace {

/// What follows: a list of words or of files. `cur` is what has been typed of it.
std::string offer(const Option& option, const std::string& function) {
    const Completion completion = completionOf(option);
    switch (completion.kind) {
    case Completion::Kind::choices:
        return "mapfile -t COMPREPLY < <(compgen -W '" + joined(option.choices, " ") + "' -- \"$cur\")";
    case Completion::Kind::files:
        return function + "_files \"$cur\"" + (completion.ending.empty() ? "" : " '" + completion.ending + "'");
    case Completion::Kind::folders: return function + "_folders \"$cur\"";
    case Completion::Kind::nothing: break;
    }
    return ":";
}

std::string bashKey(const std::string& path, const std::string& word) {
    return "'" + path + " " + word + "'";
}

std::string paths(const Program& program) {
    std::string out;
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        for (const Command& below : command.commands)
            out += "        " + bashKey(path, below.name) + ") command='" + (path.empty() ? "" : path + " ") +
                   below.name + "' ;;\n";
    });
    return out;
}

/// Options with a value, by what is offered for it.
std::map<std::string, std::vector<std::string>> valued(const Program& program, const std::string& function) {
    std::map<std::string, std::vector<std::string>> found;
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        for (const Option* option : optionsOf(program, command))
            if (!option->value.empty())
                for (const std::string& name : option->names)
                    found[offer(*option, function)].push_back(bashKey(path, name));
    });
    return found;
}

std::string wordsOf(const Program& program, const std::string& function) {
    std::string out;
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        std::vector<std::string> options, commands;
        for (const Option* option : optionsOf(program, command))
            for (const std::string& name : option->names)
                options.push_back(name);
        for (const Command& below : command.commands)
            commands.push_back(below.name);
        out += "    '" + path + "')\n        options='" + joined(options, " ") + "'\n";
        if (!commands.empty()) out += "        commands='" + joined(commands, " ") + "'\n";
        for (const Option& argument : command.arguments)
            if (completionOf(argument).kind != Completion::Kind::nothing) {
                out += "        [[ $cur == -* ]] || " + offer(argument, function) + "\n";
                break;
            }
        out += "        ;;\n";
    });
    return out;
}

constexpr const char* files = R"(
NAME_files() { # TYPED [ENDING]: files with the ending and folders; any file where there is none
    compopt -o filenames 2>/dev/null
    [[ -z ${2-} ]] || mapfile -t COMPREPLY < <(compgen -f -X "!*.$2" -- "$1")
    if ((${#COMPREPLY[@]})); then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$1")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$1")
    fi
}

NAME_folders() { # TYPED
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

NAME() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' commands='' i
    # --option=value comes as three words
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $before == = ]] && ((COMP_CWORD > 1)); then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$command ${COMP_WORDS[i]}" in
        *' --') NAME_files "$cur"; return ;;
)";

} // namespace

std::string bashCompletion(const Program& program) {
    const std::string function = "_" + functionName(program);
    std::string out = "# Completion of " + program.root.name + " for bash, made from its own help.\n";
    std::string text = files;
    for (std::size_t at = 0; (at = text.find("NAME", at)) != std::string::npos; at += function.size())
        text.replace(at, 4, function);
    out += text + paths(program);
    const auto values = valued(program, function);
    for (const auto& [offered, keys] : values)
        out += "        " + joined(keys, " | ") + ")\n            ((++i))\n" +
               "            [[ ${COMP_WORDS[i]} != = ]] || ((++i))\n            ;;\n";
    out += "        esac\n    done\n    case \"$command $before\" in\n";
    for (const auto& [offered, keys] : values)
        out += "    " + joined(keys, " | ") + ")\n        " + offered + "\n        return\n        ;;\n";
    out += "    esac\n    case \"$command\" in\n" + wordsOf(program, function) + "    esac\n";
    out += "    local -a more=()\n"
           "    if [[ $cur == -* ]]; then\n"
           "        mapfile -t more < <(compgen -W \"$options\" -- \"$cur\")\n"
           "    else\n"
           "        mapfile -t more < <(compgen -W \"$commands\" -- \"$cur\")\n"
           "        if ((${#COMPREPLY[@]} + ${#more[@]} == 0)); then\n"
           "            mapfile -t more < <(compgen -W \"$options\" -- \"$cur\")\n"
           "        fi\n"
           "    fi\n"
           "    COMPREPLY+=(\"${more[@]}\")\n"
           "}\n\n";
    return out + "complete -F " + function + " " + program.root.name + "\n";
}

} // namespace kernelarium::manual
