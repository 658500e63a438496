// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/ImportJournal.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::archive {
namespace {

using Json = nlohmann::json;

constexpr int journalVersion = 1;

std::string runOfTheMachine() {
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
    return id;
}

std::string textOf(const ImportPlan& plan) {
    return Json{{"version", journalVersion}, {"program", KERNELARIUM_VERSION}, {"machine", runOfTheMachine()},
                {"target", plan.target},     {"sources", plan.sources},        {"update", plan.update}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json remarksOf(const std::vector<ImportRemark>& remarks) {
    auto list = Json::array();
    for (const auto& remark : remarks)
        list.push_back({remark.source, remark.position, remark.text});
    return list;
}

std::vector<ImportRemark> remarksFrom(const Json& list) {
    std::vector<ImportRemark> remarks;
    for (const auto& entry : list)
        remarks.push_back({entry.at(0), entry.at(1), entry.at(2)});
    return remarks;
}

struct Counter {
    const char* name;
    std::uint64_t ImportReport::*count;
};
constexpr std::array<Counter, 7> counters = {{{"rows_read", &ImportReport::rowsRead},
                                              {"added", &ImportReport::added},
                                              {"unchanged", &ImportReport::unchanged},
                                              {"completed", &ImportReport::completed},
                                              {"updated", &ImportReport::updated},
                                              {"skipped", &ImportReport::skipped},
                                              {"conflicts", &ImportReport::conflicts}}};

std::string textOf(const ImportState& state) {
    Json json = {{"source", state.source},
                 {"bytes", state.mark.bytes},
                 {"rows", state.mark.rows},
                 {"skipped_rows", remarksOf(state.report.skippedRows)},
                 {"conflicting_rows", remarksOf(state.report.conflictingRows)}};
    for (const auto& counter : counters)
        json[counter.name] = state.report.*counter.count;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ImportState stateFrom(const Json& json) {
    ImportState state;
    state.source = json.at("source");
    state.mark = {json.at("bytes"), json.at("rows")};
    state.report.skippedRows = remarksFrom(json.at("skipped_rows"));
    state.report.conflictingRows = remarksFrom(json.at("conflicting_rows"));
    for (const auto& counter : counters)
        state.report.*counter.count = json.at(counter.name).get<std::uint64_t>();
    state.report.rowsResumed = state.report.rowsRead + state.report.skipped;
    return state;
}

} // namespace

bool ImportPlan::canBeResumed() const {
    return std::none_of(sources.begin(), sources.end(), [](const auto& source) { return source.empty(); });
}

std::optional<ImportState> ImportJournal::find(const ImportPlan& plan) {
    if (!plan.canBeResumed() || runOfTheMachine().empty()) return std::nullopt;
    if (m_database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'import_journal'") == 0) return std::nullopt;
    auto row = m_database.prepare("SELECT state FROM import_journal WHERE plan = ? AND state IS NOT NULL");
    const std::string text = textOf(plan);
    if (!row.bind(1, std::string_view(text)).step()) return std::nullopt;
    auto state = stateFrom(Json::parse(row.text(0)));
    if (state.source >= plan.sources.size()) return std::nullopt;
    return state;
}

void createImportJournal(sqlite::Database& database) {
    database.execute("CREATE TABLE import_journal (plan TEXT NOT NULL, state TEXT)");
}

void ImportJournal::begin(const ImportPlan& plan) {
    createImportJournal(m_database);
    const std::string text = textOf(plan);
    m_database.prepare("INSERT INTO import_journal (plan) VALUES (?)").bind(1, std::string_view(text)).run();
}

void ImportJournal::record(const ImportState& state) {
    const std::string text = textOf(state);
    m_database.prepare("UPDATE import_journal SET state = ?").bind(1, std::string_view(text)).run();
}

void ImportJournal::remove() {
    m_database.execute("PRAGMA secure_delete = ON; DROP TABLE IF EXISTS import_journal; PRAGMA secure_delete = OFF");
}

} // namespace kernelarium::archive
