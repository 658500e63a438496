// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/AttemptRows.h"

#include "core/files/Sha256.h"
#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

namespace kernelarium::session {
namespace {

using sqlite::Statement;

constexpr std::string_view summaryColumns = "attempt.id, attempt.session, parent, kernel_key, kernel_title, level, "
                                            "task, created_ms, verdict, attempt.name, notes, options, "
                                            "(SELECT hash FROM source AS text WHERE text.id = attempt.source)";

void readSummary(const Statement& row, AttemptSummary& summary) {
    summary.id = row.integer(0);
    summary.session = row.integer(1);
    summary.parent = row.integer(2);
    summary.kernelKey = row.text(3);
    summary.kernelTitle = row.text(4);
    summary.level = static_cast<int>(row.integer(5));
    summary.task = static_cast<int>(row.integer(6));
    summary.createdMs = row.integer(7);
    summary.verdict = row.text(8);
    summary.name = row.text(9);
    summary.notes = row.text(10);
    summary.optionsJson = row.text(11);
    files::Digest digest{};
    const auto hash = row.blob(12);
    if (hash.size() == digest.size()) std::copy(hash.begin(), hash.end(), digest.begin());
    summary.sourceHash = files::toHex(digest);
}

/// [summary, mode, baselines] of the detail in one parse; null where the detail is not JSON.
constexpr std::string_view gistColumn =
    "iif(json_valid(detail), json_extract(detail, '$.summary', '$.mode', '$.baselines'), NULL)";

double gistMilliseconds(const nlohmann::json& from, const char* key) {
    const auto found = from.find(key);
    const bool there = found != from.end() && found->is_number();
    return there ? found->get<double>() * 1e3 : std::numeric_limits<double>::quiet_NaN();
}

std::string gistText(const nlohmann::json& from, const char* key) {
    const auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Other versions of the program may have written it: what is not as expected is left out.
void readGist(std::string_view text, Timing& timing) {
    const nlohmann::json gist = text::untrustedJson(text);
    if (!gist.is_array() || gist.size() != 3) return;
    if (gist[0].is_object()) {
        timing.lowerQuartileMs = gistMilliseconds(gist[0], "lower_quartile");
        timing.upperQuartileMs = gistMilliseconds(gist[0], "upper_quartile");
    }
    if (gist[1].is_string()) timing.mode = gist[1].get<std::string>();
    if (!gist[2].is_array()) return;
    for (const nlohmann::json& entry : gist[2]) {
        if (!entry.is_object()) continue;
        BaselineTime baseline{gistText(entry, "name"), gistText(entry, "version"), gistText(entry, "mode"),
                              gistMilliseconds(entry, "median")};
        if (!baseline.name.empty() && baseline.milliseconds > 0) timing.baselines.push_back(std::move(baseline));
    }
}

Timing readTiming(const Statement& row) {
    Timing timing;
    const auto origin = parseOrigin(row.text(1));
    if (!origin) throw std::runtime_error("a timing has no known origin");
    timing.origin = *origin;
    timing.milliseconds = row.real(2);
    timing.device = row.text(3);
    timing.size = row.text(4);
    timing.flops = row.real(5);
    timing.bytes = row.real(6);
    timing.byteSource = row.text(7);
    timing.relativeNoise = row.optionalReal(8).value_or(std::numeric_limits<double>::quiet_NaN());
    timing.detailJson = row.text(9);
    readGist(row.text(10), timing);
    return timing;
}

OtherParent readOther(const Statement& row) {
    return {std::string(row.text(1)), std::string(row.text(2)), row.integer(3)};
}

constexpr std::string_view takenColumns = "taken.attempt, taken.kernel_key, taken.kernel_title, source_attempt";

/// The filter's parameters are numbered 1 to 4; one that is not set is null and restricts nothing.
constexpr std::string_view filterSql =
    " FROM attempt JOIN session ON session.id = attempt.session WHERE session.removed_ms IS NULL"
    " AND (?1 IS NULL OR attempt.session = ?1) AND (?2 IS NULL OR attempt.kernel_key = ?2)"
    " AND (?3 IS NULL OR (attempt.level = ?3 AND attempt.task = ?4))";

void bindFilter(Statement& statement, const AttemptFilter& filter) {
    statement.bind(1, filter.session);
    if (filter.kernelKey)
        statement.bind(2, std::string_view(*filter.kernelKey));
    else
        statement.bindNull(2);
    if (filter.task) {
        statement.bind(3, static_cast<std::int64_t>(filter.task->level));
        statement.bind(4, static_cast<std::int64_t>(filter.task->task));
    } else {
        statement.bindNull(3).bindNull(4);
    }
}

} // namespace

std::vector<AttemptSummary> AttemptRows::list(const AttemptFilter& filter) {
    std::vector<AttemptSummary> summaries;
    std::unordered_map<std::int64_t, std::size_t> places;
    auto rows = m_database.prepare(fmt::format("SELECT {}{} ORDER BY attempt.id", summaryColumns, filterSql));
    bindFilter(rows, filter);
    while (rows.step()) {
        readSummary(rows, summaries.emplace_back());
        places.emplace(summaries.back().id, summaries.size() - 1);
    }
    auto times = m_database.prepare(fmt::format(
        "SELECT timing.attempt, origin, milliseconds, device, size, flops, bytes, byte_source, "
        "relative_noise, '', {} FROM timing WHERE timing.attempt IN (SELECT attempt.id{}) ORDER BY timing.id",
        gistColumn, filterSql));
    bindFilter(times, filter);
    while (times.step())
        if (const auto place = places.find(times.integer(0)); place != places.end())
            summaries[place->second].timings.push_back(readTiming(times));
    auto others = m_database.prepare(
        fmt::format("SELECT {} FROM taken WHERE taken.attempt IN (SELECT attempt.id{}) ORDER BY taken.rowid",
                    takenColumns, filterSql));
    bindFilter(others, filter);
    while (others.step())
        if (const auto place = places.find(others.integer(0)); place != places.end())
            summaries[place->second].takenFrom.push_back(readOther(others));
    return summaries;
}

std::optional<Attempt> AttemptRows::load(std::int64_t id) {
    auto row = m_database.prepare(fmt::format("SELECT {}, source.bytes, source.data FROM attempt JOIN source "
                                              "ON source.id = attempt.source WHERE attempt.id = ?",
                                              summaryColumns));
    if (!row.bind(1, id).step()) return std::nullopt;
    Attempt attempt;
    readSummary(row, attempt);
    attempt.source = unpack(row, 13, 14);
    loadEvidence(attempt);
    auto times =
        m_database.prepare(fmt::format("SELECT attempt, origin, milliseconds, device, size, flops, bytes, byte_source, "
                                       "relative_noise, detail, {} FROM timing WHERE attempt = ? ORDER BY id",
                                       gistColumn));
    times.bind(1, id);
    while (times.step())
        attempt.timings.push_back(readTiming(times));
    auto others =
        m_database.prepare(fmt::format("SELECT {} FROM taken WHERE attempt = ? ORDER BY rowid", takenColumns));
    others.bind(1, id);
    while (others.step())
        attempt.takenFrom.push_back(readOther(others));
    return attempt;
}

void AttemptRows::loadEvidence(Attempt& attempt) {
    auto row =
        m_database.prepare("SELECT verdict_bytes, verdict, counters_bytes, counters FROM evidence WHERE attempt = ?");
    if (!row.bind(1, attempt.id).step()) return;
    attempt.verdictJson = unpack(row, 0, 1);
    attempt.countersJson = unpack(row, 2, 3);
}

std::string AttemptRows::unpack(const Statement& row, int sizeColumn, int dataColumn) {
    std::string text;
    m_codec.decompress(row.blob(dataColumn), static_cast<std::size_t>(row.integer(sizeColumn)), nullptr, text);
    return text;
}

std::int64_t AttemptRows::sameAsNewest(const Attempt& attempt) {
    auto row =
        m_database.prepare("SELECT attempt.id, attempt.options, source.hash FROM attempt JOIN source ON source.id = "
                           "attempt.source WHERE session = ? AND kernel_key = ? ORDER BY attempt.id DESC LIMIT 1");
    row.bind(1, attempt.session).bind(2, std::string_view(attempt.kernelKey));
    if (!row.step() || row.text(1) != attempt.optionsJson) return 0;
    const auto digest = files::sha256(attempt.source);
    const auto hash = row.blob(2);
    return std::equal(digest.begin(), digest.end(), hash.begin(), hash.end()) ? row.integer(0) : 0;
}

std::int64_t AttemptRows::sourceId(std::string_view text) {
    const auto digest = files::sha256(text);
    auto find = m_database.prepare("SELECT id FROM source WHERE hash = ?");
    if (find.bindBlob(1, digest).step()) return find.integer(0);
    auto insert = m_database.prepare("INSERT INTO source (hash, bytes, data) VALUES (?, ?, ?)");
    insert.bindBlob(1, digest).bind(2, static_cast<std::int64_t>(text.size()));
    insert.bindBlob(3, m_codec.compress(text, nullptr)).run();
    return m_database.lastInsertId();
}

std::int64_t AttemptRows::insert(const Attempt& attempt) {
    const auto source = sourceId(attempt.source);
    auto row =
        m_database.prepare("INSERT INTO attempt (session, parent, kernel_key, kernel_title, level, task, created_ms, "
                           "source, options, verdict, name, notes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    row.bind(1, attempt.session).bind(2, attempt.parent);
    row.bind(3, std::string_view(attempt.kernelKey)).bind(4, std::string_view(attempt.kernelTitle));
    row.bind(5, static_cast<std::int64_t>(attempt.level)).bind(6, static_cast<std::int64_t>(attempt.task));
    row.bind(7, attempt.createdMs).bind(8, source);
    row.bind(9, std::string_view(attempt.optionsJson)).bind(10, std::string_view(attempt.verdict));
    row.bind(11, std::string_view(attempt.name)).bind(12, std::string_view(attempt.notes)).run();
    const auto id = m_database.lastInsertId();
    writeEvidence(id, attempt.verdictJson, attempt.countersJson);
    return id;
}

void AttemptRows::writeEvidence(std::int64_t id, std::string_view verdictJson, std::string_view countersJson) {
    auto row = m_database.prepare("INSERT OR REPLACE INTO evidence (attempt, verdict_bytes, verdict, counters_bytes, "
                                  "counters) VALUES (?, ?, ?, ?, ?)");
    row.bind(1, id).bind(2, static_cast<std::int64_t>(verdictJson.size()));
    row.bindBlob(3, m_codec.compress(verdictJson, nullptr));
    row.bind(4, static_cast<std::int64_t>(countersJson.size()));
    row.bindBlob(5, m_codec.compress(countersJson, nullptr)).run();
}

void AttemptRows::insertTiming(std::int64_t id, const Timing& timing) {
    auto row = m_database.prepare(
        "INSERT INTO timing (attempt, origin, milliseconds, device, size, flops, bytes, byte_source, "
        "relative_noise, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    row.bind(1, id).bind(2, name(timing.origin)).bind(3, timing.milliseconds);
    row.bind(4, std::string_view(timing.device)).bind(5, std::string_view(timing.size));
    row.bind(6, timing.flops).bind(7, timing.bytes).bind(8, std::string_view(timing.byteSource));
    row.bind(9, timing.relativeNoise).bind(10, std::string_view(timing.detailJson)).run(); // NaN is stored as null
}

void AttemptRows::insertTaken(std::int64_t id, const std::vector<OtherParent>& others) {
    if (others.empty()) return;
    auto row = m_database.prepare(
        "INSERT OR IGNORE INTO taken (attempt, kernel_key, kernel_title, source_attempt) VALUES (?, ?, ?, ?)");
    for (const OtherParent& other : others) {
        row.bind(1, id).bind(2, std::string_view(other.kernelKey)).bind(3, std::string_view(other.kernelTitle));
        row.bind(4, other.attempt).run();
    }
}

void AttemptRows::dropUnusedSources() {
    m_database.execute("DELETE FROM source WHERE id NOT IN (SELECT source FROM attempt)");
}

} // namespace kernelarium::session
