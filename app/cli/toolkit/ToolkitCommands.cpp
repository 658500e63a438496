// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/toolkit/ToolkitReport.h"
#include "core/hub/Http.h"
#include "core/quantities/Quantities.h"
#include "core/toolkit/Bring.h"
#include "core/toolkit/Licence.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

struct GetToolkit {
    toolkit::Source source;
    bool yes = false;
    bool list = false;
    bool licence = false;
    bool again = false;
};

/// Whether the person at the terminal agrees; false where nobody can be asked.
bool agrees() {
    if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return false;
    fmt::print(stderr, "Do you accept this licence, and shall it be installed? [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

bool isSame(const toolkit::BroughtToolkit& brought, const toolkit::Offer& offer) {
    if (brought.version != offer.version || brought.wheels.size() != offer.wheels.size()) return false;
    for (std::size_t i = 0; i < offer.wheels.size(); ++i)
        if (brought.wheels[i].sha256 != offer.wheels[i].sha256) return false;
    return true;
}

/// Whether all that the wheels have to have is still there.
bool isWhole(const toolkit::BroughtToolkit& brought) {
    std::error_code ignored;
    for (const toolkit::PinnedWheel& wheel : toolkit::pinnedWheels())
        for (const std::string& file : wheel.needs)
            if (!std::filesystem::exists(brought.root / file, ignored)) return false;
    return true;
}

int printBrought(const Context& context, const toolkit::BroughtToolkit& brought, bool wasThere) {
    if (context.json) {
        nlohmann::json json = broughtJson(brought);
        json["was_there"] = wasThere;
        printJson(json);
    } else {
        fmt::print("The CUDA toolkit {} {} in {} ({}).\n", brought.version, wasThere ? "is there already," : "is now",
                   printable(brought.root.string()), quantities::bytes(double(brought.bytes)));
    }
    return exitSuccess;
}

int runGetToolkit(Context& context, const GetToolkit& options) {
    const StopOnSignal signals;
    const std::filesystem::path folder = toolkit::toolkitFolder();
    const auto failed = [&](const Error& error) {
        const int code = report(context, error);
        return signals.token().stop_requested() ? int(exitInterrupted) : code;
    };
    auto offer = toolkit::askSource(options.source, signals.token());
    if (!offer) return failed(offer.error());
    if (options.list) {
        if (context.json)
            printJson(offerJson(*offer, folder));
        else
            fmt::print("{}", offerText(*offer, folder));
        return exitSuccess;
    }
    if (options.licence) {
        auto text = toolkit::licenceText(*offer, folder, signals.token());
        if (!text) return failed(text.error());
        if (context.json)
            printJson({{"licence", *text}});
        else
            fmt::print("{}\n", printable(*text));
        return exitSuccess;
    }
    if (const auto brought = toolkit::broughtToolkit(folder);
        brought && !options.again && isSame(*brought, *offer) && isWhole(*brought))
        return printBrought(context, *brought, true);
    fmt::print(stderr, "{}", offerText(*offer, folder));
    toolkit::BringRequest request{std::move(*offer), folder, options.yes || agrees(), {}};
    const bool shows = isatty(STDERR_FILENO) != 0;
    auto brought = toolkit::bring(
        request,
        [shows](const toolkit::BringProgress& progress) {
            if (shows) fmt::print(stderr, "\r{}\033[K", printable(progressText(progress)));
        },
        signals.token());
    if (shows) fmt::print(stderr, "\r\033[K");
    if (!brought) return failed(brought.error());
    return printBrought(context, *brought, false);
}

int runShowToolkits(Context& context) {
    const toolkit::Toolkits found = toolkit::findToolkits();
    if (context.json)
        printJson(toolkitsJson(found, toolkit::toolkitFolder()));
    else
        fmt::print("{}", toolkitsText(found));
    return found.canCompile() ? exitSuccess : exitMissingComponent;
}

int runRemoveToolkit(Context& context) {
    auto bytes = toolkit::removeToolkit(toolkit::toolkitFolder());
    if (!bytes) return report(context, bytes.error());
    if (context.json)
        printJson({{"removed_bytes", *bytes}});
    else if (*bytes == 0)
        fmt::print("No toolkit was brought.\n");
    else
        fmt::print("Removed {}.\n", quantities::bytes(double(*bytes)));
    return exitSuccess;
}

} // namespace

void addToolkitCommands(CLI::App& app, Context& context) {
    auto* group = app.add_subcommand("toolkit", "CUDA toolkits: those found, and bringing what compiling needs");
    group->require_subcommand(1);
    auto options = std::make_shared<GetToolkit>();
    auto* get = group->add_subcommand(
        "get", "Bring what compiling needs (NVRTC, nvJitLink, ptxas, headers) from NVIDIA's published wheels into your "
               "own folder. Shows sizes and licence first. If interrupted, run it again to resume");
    auto* index = get->add_option("--index", options->source.index, "A simple index of Python packages")
                      ->default_str(hub::withoutCredentials(options->source.index))
                      ->option_text("URL");
    get->add_option("--from", options->source.folder, "Take the wheels from this folder; no network is used")
        ->option_text("FOLDER")
        ->excludes(index);
    auto* list = get->add_flag("--list", options->list, "Only show sizes, checksums and licence");
    auto* licence = get->add_flag("--licence", options->licence,
                                  "Only print NVIDIA's licence, as it comes with the smallest wheel");
    licence->excludes(list);
    get->add_flag("--yes", options->yes, "Accept NVIDIA's licence without being asked")
        ->excludes(list)
        ->excludes(licence);
    get->add_flag("--again", options->again, "Also when it is there already");
    get->callback([options, &context] { context.exitCode = runGetToolkit(context, *options); });
    auto* show = group->add_subcommand("show", "List the toolkits found, their versions and what each is used for; "
                                               "exit code 3 when kernels cannot be compiled");
    show->callback([&context] { context.exitCode = runShowToolkits(context); });
    auto* remove = group->add_subcommand("remove", "Remove what `toolkit get` brought");
    remove->callback([&context] { context.exitCode = runRemoveToolkit(context); });
}

} // namespace kernelarium::cli
