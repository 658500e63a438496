// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/ManualPage.h"

#include <algorithm>
#include <cctype>

namespace kernelarium::manual {

namespace {

constexpr std::size_t mostListed = 24; ///< more choices than these fill a page and say nothing

/// Running text: nothing in it is taken for a request, and a hyphen is a hyphen that can be copied.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\n')
            out += ' ';
        else if (c == '\'')
            out += "\\(aq";
        else if (c == '`')
            out += "\\(ga";
        else if (c == '^')
            out += "\\(ha";
        else if (c == '~')
            out += "\\(ti";
        else
            out += c;
    }
    if (!out.empty() && out.front() == '.') out.insert(0, "\\&");
    return out;
}

std::string bold(const std::string& text) {
    return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + roff(text) + "\\fR";
}

std::string inCapitals(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

/// Ends with a full stop.
std::string sentence(std::string text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.pop_back();
    if (!text.empty() && text.back() != '.') text += '.';
    return text;
}

std::string valueOf(const Option& option) {
    // A list of choices follows in the text.
    if (!option.choices.empty() && option.value.find('|') != std::string::npos && choicesIn(option.value).size() > 4)
        return "WORD";
    return option.value;
}

std::string entry(const Option& option) {
    std::string out = ".TP\n";
    if (option.names.empty()) {
        out += italic(option.value);
    } else {
        for (std::size_t i = 0; i < option.names.size(); ++i)
            out += (i > 0 ? ", " : "") + bold(option.names[i]);
        if (!option.value.empty()) out += " " + italic(valueOf(option));
    }
    out += "\n" + roff(sentence(option.help));
    if (!option.choices.empty() && option.choices.size() <= mostListed)
        out += "\nOne of " + roff(joined(option.choices, ", ")) + ".";
    if (!option.fallback.empty()) out += "\nBy default " + roff(option.fallback) + ".";
    if (option.required && !option.names.empty()) out += "\nRequired.";
    return out + "\n";
}

std::string synopsis(const Program& program, const std::string& path, const Command& command) {
    std::string line = bold(program.root.name + (path.empty() ? "" : " " + path));
    if (!command.options.empty()) line += " [" + italic("OPTION") + "]...";
    for (const Option& argument : command.arguments) {
        const std::string dots = argument.repeated && argument.value.find("...") == std::string::npos ? "..." : "";
        const std::string word = italic(argument.value) + dots;
        line += argument.required ? " " + word : " [" + word + "]";
    }
    if (command.needsCommand) line += " " + italic("COMMAND") + " ...";
    return line + "\n";
}

std::string entries(const Program& program, const Command& command) {
    std::string out;
    for (const Option& argument : command.arguments)
        out += entry(argument);
    const auto said = [&](const Option& option) { // --help, --json: at the top, for all
        return &command != &program.root &&
               std::any_of(program.root.options.begin(), program.root.options.end(),
                           [&](const Option& other) { return other.names == option.names; });
    };
    for (const Option& option : command.options)
        if (!said(option)) out += entry(option);
    return out;
}

} // namespace

std::string manualPage(const Program& program) {
    const Command& root = program.root;
    std::string out = ".\\\" Made from the program's own help.\n.TH " + roff(inCapitals(root.name)) +
                      " 1 \"\" \"Kernelarium " + roff(program.version) + "\" \"User Commands\"\n.nh\n.ad l\n";
    out += ".SH NAME\n" + roff(root.name) + " \\- " + roff(program.summary) + "\n";
    out += ".SH SYNOPSIS\n" + synopsis(program, "", root);
    out += ".SH DESCRIPTION\n" + roff(sentence(root.help)) + "\n";
    out += ".SH OPTIONS\n" + entries(program, root);
    if (!root.commands.empty()) out += ".SH COMMANDS\nEvery command takes " + bold("--help") + ".\n";
    forEachCommand(program, [&](const std::string& path, const Command& command) {
        if (path.empty()) return;
        out += ".SS " + roff(path) + "\n";
        out += synopsis(program, path, command) + ".PP\n" + roff(sentence(command.help)) + "\n";
        out += entries(program, command);
    });
    for (const Section& section : program.sections) {
        out += ".SH " + roff(inCapitals(section.heading)) + "\n";
        for (const auto& [term, text] : section.entries)
            out += ".TP\n" + bold(term) + "\n" + roff(text) + "\n";
    }
    if (!program.related.empty()) {
        out += ".SH SEE ALSO\n";
        for (std::size_t i = 0; i < program.related.size(); ++i)
            out += (i > 0 ? ",\n" : "") + roff(program.related[i]);
        out += "\n";
    }
    return out;
}

} // namespace kernelarium::manual
