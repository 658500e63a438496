// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/hgemm/LaboratoryCommands.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "core/hgemm/HgemmStore.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

nlohmann::json summaryJson(const hgemm::HgemmSummary& summary) {
    const auto real = [](double value) { return std::isnan(value) ? nlohmann::json() : nlohmann::json(value); };
    const auto shape = [](const hgemm::Shape& s) { return nlohmann::json::array({s.m, s.n, s.k}); };
    return {{"baseline", summary.baseline},
            {"shapes", summary.shapes},
            {"geometric_mean", real(summary.geometricMean)},
            {"median", real(summary.median)},
            {"share_slower", real(summary.shareSlower)},
            {"worst", real(summary.worst)},
            {"worst_shape", shape(summary.worstShape)},
            {"best", real(summary.best)},
            {"best_shape", shape(summary.bestShape)}};
}

int runHgemmImport(Context& context, const std::filesystem::path& db,
                   const std::vector<std::filesystem::path>& inputs) {
    std::vector<hgemm::HgemmTable> tables;
    for (const auto& input : inputs) {
        auto table = hgemm::readHgemmTable(input);
        if (!table) return report(context, table.error());
        tables.push_back(std::move(*table));
    }
    auto store = hgemm::HgemmStore::open(db);
    if (!store) return report(context, store.error());
    if (auto put = store->put(tables); !put) return report(context, put.error());
    auto list = nlohmann::json::array();
    for (const auto& table : tables) {
        list.push_back({{"device", table.device},
                        {"precision", table.precision},
                        {"mode", table.mode},
                        {"shapes", table.shapes.size()}});
        if (!context.json)
            fmt::print("{}: {} shapes, {} baselines\n", table.title(), table.shapes.size(), table.baselines.size());
    }
    if (context.json) printJson({{"db", db.string()}, {"tables", list}});
    return exitSuccess;
}

int runHgemmStats(Context& context, const std::filesystem::path& db) {
    std::error_code problem;
    if (!std::filesystem::exists(db, problem))
        return report(context,
                      {"nothing_found", fmt::format("There is no file {}: no table was imported.", db.string()),
                       "Add tables with `hgemm import FILES`, or name another file with --db."});
    auto store = hgemm::HgemmStore::open(db);
    if (!store) return report(context, store.error());
    auto tables = store->tables();
    if (!tables) return report(context, tables.error());
    constexpr auto right = TextTable::Align::right;
    TextTable text({{"TABLE"},
                    {"BASELINE"},
                    {"SHAPES", right},
                    {"GEOMETRIC MEAN", right},
                    {"SLOWER", right},
                    {"WORST", right},
                    {"AT", right}});
    auto list = nlohmann::json::array();
    for (const auto& table : *tables) {
        auto summaries = nlohmann::json::array();
        for (const auto& s : hgemm::summarise(table)) {
            summaries.push_back(summaryJson(s));
            text.add({printable(table.title()), printable(s.baseline), std::to_string(s.shapes),
                      cell(s.geometricMean, 3), shareCell(s.shareSlower), cell(s.worst, 3), shapeText(s.worstShape)});
        }
        list.push_back({{"device", table.device},
                        {"precision", table.precision},
                        {"mode", table.mode},
                        {"origin", table.origin},
                        {"baselines", summaries}});
    }
    if (context.json)
        printJson({{"db", db.string()}, {"tables", list}});
    else
        fmt::print("{}", text.text());
    return exitSuccess;
}

} // namespace

void addHgemmCommands(CLI::App& app, Context& context) {
    struct Options {
        std::filesystem::path db = defaultArchivePath().parent_path() / "hgemm.sqlite";
        std::vector<std::filesystem::path> inputs;
    };
    auto options = std::make_shared<Options>();
    auto* hgemm = app.add_subcommand(
        "hgemm", "Half-precision matrix multiplication: published result tables, and a laboratory of our own kernels");
    hgemm->require_subcommand(1);
    hgemm->fallthrough();
    auto* importing = hgemm->add_subcommand(
        "import", "Add tables: CSV with a header mnk,BASELINE,... and lines M_N_K,SPEEDUP,... (the baseline's time "
                  "over the kernel's); the file's name ends in _DEVICE_PRECISION_speedup_MODE.csv. A table replaces "
                  "the one of the same device, precision and mode");
    auto* stats = hgemm->add_subcommand(
        "stats", "Show the geometric mean, share slower and worst case of each table and baseline");
    for (auto* command : {importing, stats})
        command->add_option("--db", options->db, "The file of results")
            ->default_str(options->db.string())
            ->option_text("FILE");
    importing->add_option("INPUT", options->inputs, "CSV files")->required();
    importing->callback(
        [options, &context] { context.exitCode = runHgemmImport(context, options->db, options->inputs); });
    stats->callback([options, &context] { context.exitCode = runHgemmStats(context, options->db); });
    addLaboratoryCommands(*hgemm, context);
}

} // namespace kernelarium::cli
