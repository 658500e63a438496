// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/TuneSizes.h"

#include "core/task/NamedShape.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace kernelarium::cli {

void addSizeOptions(CLI::App& command, TuneSizes& sizes) {
    command
        .add_option("--sizes", sizes.named,
                    "Tune for several of the task's sizes at once (small,full): the value of a point is the geometric "
                    "mean of its times, and the best for each size is kept apart")
        ->delimiter(',')
        ->option_text("NAME,...");
    command
        .add_option_function<std::string>(
            "--shape", [&sizes](const std::string& text) { sizes.shapes.push_back(text); },
            "Tune for this shape too: values of the task's symbols (N=512, or B=1,N=128), the others as in the full "
            "size; may be repeated")
        ->option_text("NAME=VALUE,...")
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

Result<void> takeSizes(const TuneSizes& sizes, protocol::PointSettings& settings) {
    if (sizes.named.empty() && sizes.shapes.empty()) return {};
    if (!settings.run.card)
        return Error{"bad_usage", "Sizes are those of a task's card, and there is none.",
                     "Give --task LEVEL/TASK or --card."};
    task::Card card = *settings.run.card;
    std::vector<std::string> names;
    for (const std::string& name : sizes.named) {
        if (const auto known = card.size(name); !known) return known.error();
        names.push_back(name);
    }
    for (const std::string& text : sizes.shapes) {
        Result<std::string> name = task::addShape(card, text);
        if (!name) return name.error();
        names.push_back(std::move(*name));
    }
    std::set<task::Symbols> seen;
    for (const std::string& name : names)
        if (!seen.insert(*card.size(name)).second)
            return Error{"bad_usage", fmt::format("The size {} is given twice.", name), "Name each size once."};
    settings.run.card = std::make_shared<const task::Card>(std::move(card));
    settings.size = names.front();
    settings.sizes = names.size() > 1 ? std::move(names) : std::vector<std::string>();
    return {};
}

} // namespace kernelarium::cli
