// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "core/archive/import/Import.h"
#include "core/archive/import/SourceFile.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {
namespace {

constexpr std::size_t remarksPrinted = 20;

/// One line on standard error, rewritten in place; nothing when nobody watches.
void showProgress(const archive::ImportProgress& progress) {
    if (isatty(STDERR_FILENO) == 0) return;
    const auto percent =
        progress.bytesTotal > 0
            ? fmt::format(" ({})", quantities::percent(double(progress.bytesRead) / double(progress.bytesTotal)))
            : std::string();
    const auto left = progress.secondsLeft();
    fmt::print(stderr, "\r{}: {}{}, {}, {} rows/s{}\033[K", progress.source,
               quantities::bytes(double(progress.bytesRead)), percent,
               quantities::counted(double(progress.rowsRead), "row"), quantities::number(progress.rowsPerSecond()),
               left ? fmt::format(", time left: {}", quantities::timeLeft(*left)) : "");
}

nlohmann::json remarksToJson(const std::vector<archive::ImportRemark>& remarks, const char* what) {
    auto list = nlohmann::json::array();
    for (const auto& remark : remarks)
        list.push_back({{"source", remark.source}, {"line", remark.position}, {what, remark.text}});
    return list;
}

nlohmann::json importJson(const std::filesystem::path& path, const archive::ImportReport& report) {
    return {{"db", path.string()},
            {"rows_read", report.rowsRead},
            {"added", report.added},
            {"unchanged", report.unchanged},
            {"completed", report.completed},
            {"updated", report.updated},
            {"skipped", report.skipped},
            {"conflicts", report.conflicts},
            {"bytes_read", report.bytesRead},
            {"rows_resumed", report.rowsResumed},
            {"seconds", report.seconds},
            {"skipped_rows", remarksToJson(report.skippedRows, "reason")},
            {"conflicting_rows", remarksToJson(report.conflictingRows, "remark")}};
}

void printRemarks(const std::vector<archive::ImportRemark>& remarks, std::uint64_t all, const char* what) {
    for (std::size_t i = 0; i < std::min(remarks.size(), remarksPrinted); ++i)
        fmt::print(stderr, "{}:{}: {}: {}\n", remarks[i].source, remarks[i].position, what, printable(remarks[i].text));
    if (all > remarksPrinted) fmt::print(stderr, "and {} more\n", all - remarksPrinted);
}

void printText(const std::filesystem::path& path, const archive::ImportReport& report) {
    printRemarks(report.skippedRows, report.skipped, "skipped");
    printRemarks(report.conflictingRows, report.conflicts, "kept");
    if (report.rowsResumed > 0)
        fmt::print("Resumed an interrupted import after {}.\n", quantities::counted(double(report.rowsResumed), "row"));
    fmt::print("{} read: {} added, {} unchanged, {} completed, {} updated, {} skipped; {}, {}\n",
               quantities::counted(double(report.rowsRead + report.skipped), "row"), report.added, report.unchanged,
               report.completed, report.updated, report.skipped, quantities::seconds(report.seconds), path.string());
}

} // namespace

int importFiles(Context& context, const ImportCommand& command, const std::stop_token& stop) {
    const auto& path = command.path;
    auto sources = archive::openSourceFiles(command.inputs);
    if (!sources) return report(context, sources.error());
    archive::ImportOptions options;
    options.stop = stop;
    options.progress = showProgress;
    options.update = command.update;
    auto imported = archive::importRows(path, archive::pointersTo(*sources), options);
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (!imported) return report(context, imported.error());
    if (imported->rowsRead == 0 && imported->skipped == 0)
        return report(context,
                      Error{"no_rows", "There are no rows in what was to be imported; nothing was added.",
                            "Check that the file is complete: an interrupted download may have left it empty."});
    if (context.json)
        printJson(importJson(path, *imported));
    else
        printText(path, *imported);
    return imported->rowsRead == 0 && imported->skipped > 0 ? exitBadInput : exitSuccess;
}

void addArchiveImport(CLI::App& archive, Context& context) {
    auto options = std::make_shared<ImportCommand>();
    auto* command = archive.add_subcommand(
        "import", "Add the rows of Parquet and JSON lines files; a bad row is reported and "
                  "skipped (exit 2 when all are bad, or there are none). If interrupted, run it again to resume");
    addArchiveOption(*command, options->path);
    command
        ->add_option("INPUT", options->inputs,
                     "Parquet or JSON lines in the published columns, any number; - is JSON lines on standard input")
        ->required();
    command->add_flag(
        "--update", options->update,
        "Where a row differs from the archived kernel, take the row's values; by default the archived ones are kept");
    command->callback([options, &context] {
        const StopOnSignal signals;
        context.exitCode = importFiles(context, *options, signals.token());
    });
}

} // namespace kernelarium::cli
