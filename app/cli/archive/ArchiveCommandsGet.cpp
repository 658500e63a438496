// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "core/hub/Get.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

struct GetCommand {
    ImportCommand import;
    hub::DataSet dataSet;
    std::filesystem::path into;
    bool list = false;
    bool downloadOnly = false;
};

void showDownload(const hub::GetProgress& progress) {
    if (isatty(STDERR_FILENO) == 0) return;
    const auto left = progress.secondsLeft();
    fmt::print(stderr, "\r{} ({} of {}): {} of {}{}{}\033[K", printable(progress.file), progress.fileNumber,
               progress.fileCount, quantities::bytes(double(progress.bytesDone)),
               quantities::bytes(double(progress.bytesTotal)),
               progress.isChecking ? std::string(", checking")
                                   : ", " + quantities::si(progress.bytesPerSecond(), "B/s"),
               left && !progress.isChecking ? fmt::format(", time left: {}", quantities::timeLeft(*left)) : "");
}

int printList(const Context& context, const std::vector<hub::HubFile>& files) {
    auto list = nlohmann::json::array();
    TextTable table({{"FILE"}, {"SIZE", TextTable::Align::right}, {"SHA-256"}});
    for (const auto& file : files) {
        list.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
        table.add({printable(file.path), quantities::bytes(double(file.bytes)), file.sha256});
    }
    if (context.json)
        printJson({{"files", list}});
    else
        fmt::print("{}", table.text());
    return exitSuccess;
}

int runGet(Context& context, GetCommand command) {
    const StopOnSignal signals;
    auto files = hub::listFiles(command.dataSet, signals.token());
    if (!files) return report(context, files.error());
    if (command.list) return printList(context, *files);
    auto paths = hub::get({command.dataSet, std::move(*files), command.into}, showDownload, signals.token());
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (!paths) return report(context, paths.error());
    if (command.downloadOnly) {
        auto list = nlohmann::json::array();
        for (const auto& path : *paths)
            list.push_back(path.string());
        if (context.json)
            printJson({{"files", list}});
        else
            for (const auto& path : *paths)
                fmt::print("{}\n", path.string());
        return exitSuccess;
    }
    command.import.inputs = std::move(*paths);
    return importFiles(context, command.import, signals.token());
}

} // namespace

void addArchiveGet(CLI::App& archive, Context& context) {
    auto options = std::make_shared<GetCommand>();
    auto* command = archive.add_subcommand(
        "get", "Download the published archive from its hub and import it. If interrupted, run it again to resume");
    addArchiveOption(*command, options->import.path);
    options->into = defaultArchivePath().parent_path() / "downloads";
    command->add_option("--into", options->into, "The folder for the downloaded files")
        ->default_str(options->into.string())
        ->option_text("DIR");
    command->add_option("--host", options->dataSet.host, "The hub, or a mirror of it")
        ->default_str(options->dataSet.host)
        ->option_text("URL");
    auto* list = command->add_flag("--list", options->list, "Only list what would be downloaded");
    command->add_flag("--download-only", options->downloadOnly, "Download only, without importing")->excludes(list);
    command->callback([options, &context] { context.exitCode = runGet(context, *options); });
}

} // namespace kernelarium::cli
