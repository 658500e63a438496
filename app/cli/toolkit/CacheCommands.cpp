// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "gpu/protocol/kept/KeptUnits.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

files::BoundedCache compiledKernels() {
    return files::BoundedCache(protocol::KeptUnits::standardFolder());
}

int runShow(Context& context) {
    const files::BoundedCache cache = compiledKernels();
    const files::BoundedCache::Contents contents = cache.contents();
    if (context.json)
        printJson({{"folder", cache.folder().string()},
                   {"kernels", contents.texts},
                   {"bytes", contents.bytes},
                   {"limit_bytes", cache.limit()}});
    else
        fmt::print("{}\n", protocol::keptText(cache));
    return exitSuccess;
}

int runLimit(Context& context, std::uint64_t megabytes) {
    if (auto done = compiledKernels().setLimit(megabytes * files::BoundedCache::megabyte); !done)
        return report(context, done.error());
    return runShow(context);
}

int runClear(Context& context) {
    if (auto done = compiledKernels().clear(); !done) return report(context, done.error());
    return runShow(context);
}

} // namespace

void addCacheCommands(CLI::App& app, Context& context) {
    auto* group = app.add_subcommand("cache", "Compiled kernels that are kept, so that the same text compiled again is "
                                              "there at once: how many, and how much room they may take");
    group->require_subcommand(1);
    auto* show = group->add_subcommand("show", "Say where they are, how many and how large");
    show->callback([&context] { context.exitCode = runShow(context); });
    auto megabytes = std::make_shared<std::uint64_t>(0);
    auto* limit = group->add_subcommand("limit", "Let them take so much room; those used longest ago go first");
    limit->add_option("megabytes", *megabytes, "0 keeps none")
        ->required()
        ->option_text("MB")
        ->check(CLI::Range(std::uint64_t(0), std::uint64_t(1) << 20));
    limit->callback([megabytes, &context] { context.exitCode = runLimit(context, *megabytes); });
    auto* clear = group->add_subcommand("clear", "Remove them all");
    clear->callback([&context] { context.exitCode = runClear(context); });
}

} // namespace kernelarium::cli
