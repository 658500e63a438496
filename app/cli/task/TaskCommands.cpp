// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/task/TaskExport.h"
#include "app/cli/task/TaskReport.h"
#include "core/task/Card.h"
#include "core/task/Cost.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

/// Options of a task command; they live as long as its callback.
struct TaskOptions {
    std::string key;
    std::string size = "full";
    std::string folder; ///< of card files; empty for the cards built in
    int level = 0;
};

Result<task::Card> cardOf(const TaskOptions& options) {
    const Result<task::TaskKey> key = task::parseTaskKey(options.key);
    if (!key) return key.error();
    return task::loadCard(key->level, key->task, options.folder);
}

int list(Context& context, const TaskOptions& options) {
    std::vector<task::Card> cards;
    for (const task::TaskKey& key : task::builtInCards()) {
        if (options.level && key.level != options.level) continue;
        Result<task::Card> card = task::loadCard(key.level, key.task);
        if (!card) return report(context, card.error());
        cards.push_back(*std::move(card));
    }
    fmt::print("{}", context.json ? listJson(cards) : listText(cards));
    return exitSuccess;
}

int show(Context& context, const TaskOptions& options) {
    const Result<task::Card> card = cardOf(options);
    if (!card) return report(context, card.error());
    fmt::print("{}", context.json ? task::writeCard(*card) + "\n" : showText(*card));
    return exitSuccess;
}

int cost(Context& context, const TaskOptions& options) {
    const Result<task::Card> card = cardOf(options);
    if (!card) return report(context, card.error());
    const Result<task::Symbols> symbols = card->size(options.size);
    if (!symbols) return report(context, symbols.error());
    const Result<task::Cost> result = task::costOf(*card, *symbols);
    if (!result) return report(context, result.error());
    fmt::print("{}", context.json ? costJson(*card, options.size, *symbols, *result)
                                  : costText(*card, options.size, *symbols, *result));
    return exitSuccess;
}

using Command = int (*)(Context&, const TaskOptions&);
CLI::App* add(CLI::App& parent, Context& context, const char* name, const char* about, Command command,
              const std::shared_ptr<TaskOptions>& options) {
    CLI::App* sub = parent.add_subcommand(name, about);
    sub->callback([&context, options, command] { context.exitCode = command(context, *options); });
    return sub;
}
void addTask(CLI::App* sub, const std::shared_ptr<TaskOptions>& options) {
    sub->add_option("task", options->key, "Task as LEVEL/TASK, for example 1/16")->required();
    sub->add_option("--cards", options->folder, "Folder of card files to use in place of the built-in cards")
        ->option_text("FOLDER");
}

} // namespace

void addTaskCommands(CLI::App& app, Context& context) {
    CLI::App* tasks = app.add_subcommand("task", "Task cards: what a kernel has to compute");
    tasks->require_subcommand(1);
    const auto listing = std::make_shared<TaskOptions>(), showing = std::make_shared<TaskOptions>(),
               costing = std::make_shared<TaskOptions>();
    add(*tasks, context, "list", "List the tasks that have a card", list, listing)
        ->add_option("--level", listing->level, "Only this level");
    addTask(add(*tasks, context, "show", "Show one card: call, tensors, operators, sizes", show, showing), showing);
    CLI::App* sub =
        add(*tasks, context, "cost", "Show the FLOPs and bytes of a task, per operator and in total", cost, costing);
    addTask(sub, costing);
    sub->add_option("--size", costing->size, sizesHelp)->capture_default_str();
    addTaskExport(*tasks, context);
}

} // namespace kernelarium::cli
