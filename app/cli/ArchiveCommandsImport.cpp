// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"
#include "app/cli/StopOnSignal.h"
#include "core/archive/Import.h"
#include "core/archive/JsonLines.h"

#include <CLI/CLI.hpp>
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
    const auto megabytes = double(progress.bytesRead) / 1e6;
    const auto percent =
        progress.bytesTotal > 0
            ? fmt::format(" ({:.0f}%)", 100.0 * double(progress.bytesRead) / double(progress.bytesTotal))
            : std::string();
    fmt::print(stderr, "\r{}: {:.1f} MB{}, {} rows, {:.0f} rows/s\033[K", progress.source, megabytes, percent,
               progress.rowsRead, progress.rowsPerSecond());
}

Result<std::unique_ptr<archive::RowSource>> openSource(const std::filesystem::path& path) {
    if (path.extension() == ".parquet")
        return Error{"unsupported",
                     fmt::format("{}: Parquet files cannot be read yet; JSON lines can.", path.string()),
                     "Write the rows as JSON lines first, one object a line with the published columns."};
    auto lines = archive::JsonLinesSource::open(path);
    if (!lines) return lines.error();
    return std::unique_ptr<archive::RowSource>(std::make_unique<archive::JsonLinesSource>(std::move(*lines)));
}

nlohmann::json remarksToJson(const std::vector<archive::ImportRemark>& remarks, const char* what) {
    auto list = nlohmann::json::array();
    for (const auto& remark : remarks)
        list.push_back({{"source", remark.source}, {"line", remark.position}, {what, remark.text}});
    return list;
}

void printReportJson(const std::filesystem::path& path, const archive::ImportReport& report) {
    const nlohmann::json document = {{"db", path.string()},
                                     {"rows_read", report.rowsRead},
                                     {"added", report.added},
                                     {"unchanged", report.unchanged},
                                     {"completed", report.completed},
                                     {"skipped", report.skipped},
                                     {"conflicts", report.conflicts},
                                     {"bytes_read", report.bytesRead},
                                     {"seconds", report.seconds},
                                     {"skipped_rows", remarksToJson(report.skippedRows, "reason")},
                                     {"conflicting_rows", remarksToJson(report.conflictingRows, "remark")}};
    printJson(document);
}

void printRemarks(const std::vector<archive::ImportRemark>& remarks, std::uint64_t all, const char* what) {
    for (std::size_t i = 0; i < std::min(remarks.size(), remarksPrinted); ++i)
        fmt::print(stderr, "{}:{}: {}: {}\n", remarks[i].source, remarks[i].position, what,
                   printable(remarks[i].text));
    if (all > remarksPrinted) fmt::print(stderr, "and {} more\n", all - remarksPrinted);
}

void printText(const std::filesystem::path& path, const archive::ImportReport& report) {
    printRemarks(report.skippedRows, report.skipped, "skipped");
    printRemarks(report.conflictingRows, report.conflicts, "kept");
    fmt::print("{} rows read: {} added, {} unchanged, {} completed, {} skipped; {:.2f} s, {}\n",
               report.rowsRead + report.skipped, report.added, report.unchanged, report.completed,
               report.skipped, report.seconds, path.string());
}

int runImport(Context& context, const std::filesystem::path& path, const std::vector<std::string>& inputs) {
    std::vector<std::unique_ptr<archive::RowSource>> owned;
    std::vector<archive::RowSource*> sources;
    for (const auto& input : inputs) {
        auto source = openSource(input);
        if (!source) return report(context, source.error());
        sources.push_back(source->get());
        owned.push_back(std::move(*source));
    }
    const StopOnSignal signals;
    archive::ImportOptions options;
    options.stop = signals.token();
    options.progress = showProgress;
    auto imported = archive::importRows(path, sources, options);
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    if (!imported) return report(context, imported.error());
    if (context.json)
        printReportJson(path, *imported);
    else
        printText(path, *imported);
    return imported->rowsRead == 0 && imported->skipped > 0 ? exitBadInput : exitSuccess;
}

} // namespace

void addArchiveImport(CLI::App& archive, Context& context) {
    struct Options {
        std::filesystem::path path;
        std::vector<std::string> inputs;
    };
    auto options = std::make_shared<Options>();
    auto* command = archive.add_subcommand(
        "import",
        "Add the rows of JSON lines files; a bad line is reported and skipped (exit 2 when all are bad)");
    addArchiveOption(*command, options->path);
    command->add_option("INPUT", options->inputs, "JSON lines in the published columns; - is standard input")
        ->required();
    command->callback(
        [options, &context] { context.exitCode = runImport(context, options->path, options->inputs); });
}

} // namespace kernelarium::cli
