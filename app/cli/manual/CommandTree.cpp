// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual/CommandTree.h"

#include "core/task/Card.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

std::string inCapitals(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

/// CLI11 names types and validators: "TEXT:{csv,jsonl}", "UINT:INT in [1 - 1024]".
std::vector<std::string> setOf(const std::string& type) {
    std::vector<std::string> words;
    const std::size_t open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos || close < open) return words;
    for (std::size_t begin = open + 1; begin < close;) {
        const std::size_t end = std::min(type.find(',', begin), close);
        if (end > begin) words.push_back(type.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::string typeWord(const std::string& type) {
    const std::string plain = type.substr(0, type.find(':'));
    if (plain == "INT" || plain == "UINT") return "N";
    if (plain == "FLOAT") return "NUMBER";
    return plain.empty() ? "TEXT" : plain;
}

const std::vector<std::string>& taskChoices() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> keys;
        for (const task::TaskKey& key : task::builtInCards())
            keys.push_back(fmt::format("{}/{}", key.level, key.task));
        return keys;
    }();
    return all;
}

manual::Option optionOf(const CLI::Option& option) {
    manual::Option found;
    for (const std::string& name : option.get_snames())
        found.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        found.names.push_back("--" + name);
    found.help = option.get_description();
    found.required = option.get_required();
    found.repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size ||
                     (option.get_trigger_on_parse() && !found.names.empty());
    if (option.get_items_expected_max() == 0) return found;
    const std::string type = option.get_type_name();
    found.value = !option.get_option_text().empty() ? option.get_option_text()
                  : found.names.empty()             ? inCapitals(option.get_name(true))
                                                    : typeWord(type);
    found.fallback = option.get_default_str();
    found.choices = setOf(type);
    if (found.choices.empty()) found.choices = manual::choicesIn(found.value);
    if (found.choices.empty() && (found.value == "LEVEL/TASK" || (found.names.empty() && found.value == "TASK")))
        found.choices = taskChoices();
    return found;
}

void addOptions(const CLI::App& app, manual::Command& to) {
    for (const CLI::Option* option : app.get_options({})) {
        if (option->get_group().empty()) continue; // hidden
        manual::Option found = optionOf(*option);
        (found.names.empty() ? to.arguments : to.options).push_back(std::move(found));
    }
}

} // namespace

manual::Command commandTree(const CLI::App& app) {
    manual::Command command;
    command.name = app.get_name();
    command.help = app.get_description();
    command.needsCommand = app.get_require_subcommand_min() > 0;
    addOptions(app, command);
    for (const CLI::App* below : app.get_subcommands(nullptr)) {
        if (below->get_group().empty()) continue;
        if (below->get_name().empty())
            addOptions(*below, command);
        else
            command.commands.push_back(commandTree(*below));
    }
    return command;
}

} // namespace kernelarium::cli
