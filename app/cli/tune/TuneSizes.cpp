// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/TuneSizes.h"

#include <CLI/CLI.hpp>

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
    Result<task::CardSizes> taken = task::cardSizes(*settings.run.card, sizes.named, sizes.shapes);
    if (!taken) return taken.error();
    protocol::setSizes(settings, std::move(*taken));
    return {};
}

} // namespace kernelarium::cli
