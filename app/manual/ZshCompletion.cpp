// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/ShellCompletion.h"

namespace kernelarium::manual {

namespace {

/// Inside single quotes.
std::string zshQuoted(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c == '\n' ? ' ' : c);
    return out;
}

/// Text between the [ ] of an option, or a message between colons.
std::string described(const std::string& text) {
    return zshQuoted(escaped(text, "\\[]:"));
}

/// What follows a message: `:choices`, `:files`.
std::string action(const Option& option) {
    const Completion completion = completionOf(option);
    switch (completion.kind) {
    case Completion::Kind::choices: return "(" + joined(option.choices, " ") + ")";
    case Completion::Kind::files:
        return completion.ending.empty() ? "_files" : "_files -g \"*." + completion.ending + "(-.)\"";
    case Completion::Kind::folders: return "_files -/";
    case Completion::Kind::nothing: break;
    }
    return "";
}

std::string valueSpec(const Option& option) {
    return option.value.empty() ? "" : ":" + described(option.value) + ":" + zshQuoted(action(option));
}

std::string specs(const Program& program, const Command& command) {
    std::string out;
    for (const Option* option : optionsOf(program, command)) {
        for (const std::string& name : option->names) {
            // Another name of the same option is offered no more, unless it may be repeated.
            std::string spec = option->repeated ? "*" : "(" + joined(option->names, " ") + ")";
            spec += name;
            if (!option->value.empty()) spec += name.starts_with("--") ? "=" : "+";
            spec += "[" + described(firstSentence(option->help)) + "]" + valueSpec(*option);
            out += " \\\n        '" + spec + "'";
        }
    }
    return out;
}

std::string argumentSpecs(const Command& command) {
    std::string out;
    for (const Option& argument : command.arguments)
        out += " \\\n        '" + std::string(argument.repeated ? "*" : "") + valueSpec(argument) + "'";
    return out;
}

std::string functionFor(const std::string& function, const std::string& path) {
    std::string name = function;
    if (!path.empty()) name += "__" + path;
    for (char& c : name)
        if (c == ' ' || c == '-') c = '_';
    return name;
}

std::string listed(const Command& command) {
    std::string out = "        local -a commands=(";
    for (const Command& below : command.commands)
        out +=
            "\n            '" + zshQuoted(escaped(below.name, ":")) + ":" + zshQuoted(firstSentence(below.help)) + "'";
    return out + ")\n        _describe -t commands command commands\n";
}

/// A command that others may follow: the first word is one of them, or the first of its own arguments.
std::string parent(const Program& program, const std::string& function, const std::string& path,
                   const Command& command) {
    const std::string name = functionFor(function, path), all = specs(program, command);
    const bool own = !command.arguments.empty();
    std::string out;
    if (own) out += name + "_own() {\n    _arguments -S" + all + argumentSpecs(command) + "\n}\n\n";
    out += name + "() {\n    local curcontext=\"$curcontext\" state\n    local -a line\n    typeset -A opt_args\n";
    out += "    _arguments -C -S" + all + " \\\n        '1: :->first' '*:: :->rest'\n    case $state in\n    first)\n";
    out += listed(command);
    if (own) out += "        " + name + "_own\n";
    out += "        ;;\n    rest)\n        case $words[1] in\n";
    for (const Command& below : command.commands)
        out += "        " + below.name + ") " +
               functionFor(function, path.empty() ? below.name : path + " " + below.name) + " ;;\n";
    if (own) out += "        *) words=(" + command.name + " $words); ((++CURRENT)); " + name + "_own ;;\n";
    return out + "        esac\n        ;;\n    esac\n}\n\n";
}

} // namespace

std::string zshCompletion(const Program& program) {
    const std::string function = "_" + functionName(program);
    std::string out = "#compdef " + program.root.name + "\n# Completion for zsh, made from the program's own help.\n\n";
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        if (!command.commands.empty())
            out += parent(program, function, path, command);
        else
            out += functionFor(function, path) + "() {\n    _arguments -S" + specs(program, command) +
                   argumentSpecs(command) + "\n}\n\n";
    });
    // Loaded by compinit, the file is a function's body; sourced, it defines functions.
    return out + "if [[ $funcstack[1] == _" + program.root.name + " ]]; then\n    " + function +
           " \"$@\"\nelse\n    compdef " + function + " " + program.root.name + "\nfi\n";
}

} // namespace kernelarium::manual
