// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictRows.h"

#include "core/text/UntrustedJson.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::audit {

namespace {

using sqlite::Statement;

/// More than any verdict has; a damaged length must not become an allocation.
constexpr std::int64_t mostEvidenceBytes = std::int64_t(256) << 20;

constexpr const char* columns =
    "v.level, v.task, v.name, v.code_hash, v.verdict, v.stage, v.message, v.reasons, v.remarks, "
    "v.max_abs_error, v.max_rel_error, v.backend, v.size, v.seed, v.fast_math, v.time_limit, "
    "v.seconds, v.time_ms, v.program, v.card, v.checks";
constexpr int columnCount = 21;
constexpr const char* ofKey = " WHERE v.level = ?1 AND v.task = ?2 AND v.name = ?3 AND v.code_hash = ?4";

std::string textAt(Statement& row, int column) {
    return std::string(row.text(column));
}

std::optional<double> numberAt(Statement& row, int column) {
    if (row.isNull(column)) return std::nullopt;
    return numberFromText(textAt(row, column));
}

files::Digest digestAt(Statement& row, int column) {
    const auto bytes = row.blob(column);
    files::Digest digest{};
    if (bytes.size() != digest.size()) throw std::runtime_error("a code hash does not have 32 bytes");
    std::copy(bytes.begin(), bytes.end(), digest.begin());
    return digest;
}

std::vector<std::string> wordsAt(Statement& row, int column) {
    return text::untrustedJson(row.text(column)).get<std::vector<std::string>>();
}

StoredVerdict verdictAt(Statement& row) {
    StoredVerdict v;
    v.key.level = int(row.integer(0));
    v.key.task = int(row.integer(1));
    v.key.name = textAt(row, 2);
    v.key.codeHash = digestAt(row, 3);
    v.verdict = textAt(row, 4);
    v.stage = textAt(row, 5);
    v.message = textAt(row, 6);
    v.reasons = wordsAt(row, 7);
    v.remarks = wordsAt(row, 8);
    v.maxAbsoluteError = numberAt(row, 9);
    v.maxRelativeError = numberAt(row, 10);
    v.backend = textAt(row, 11);
    v.settings.size = textAt(row, 12);
    v.settings.seed = std::uint64_t(row.integer(13));
    v.settings.fastMath = row.integer(14) != 0;
    v.settings.timeLimit = row.real(15);
    if (!v.backend.empty()) v.settings.backend = v.backend;
    v.seconds = row.real(16);
    v.timeMs = row.integer(17);
    v.versions = {textAt(row, 18), textAt(row, 19), int(row.integer(20))};
    return v;
}

Statement& bindKey(Statement& statement, const VerdictKey& key) {
    return statement.bind(1, std::int64_t(key.level))
        .bind(2, std::int64_t(key.task))
        .bind(3, std::string_view(key.name))
        .bindBlob(4, key.codeHash);
}

std::string wordsJson(const std::vector<std::string>& words) {
    return nlohmann::json(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void bindNumber(Statement& statement, int parameter, const std::optional<double>& value) {
    if (value)
        statement.bind(parameter, std::string_view(numberText(*value)));
    else
        statement.bindNull(parameter);
}

void bindRow(Statement& s, const StoredVerdict& v) {
    bindKey(s, v.key)
        .bind(5, std::string_view(v.verdict))
        .bind(6, std::string_view(v.stage))
        .bind(7, std::string_view(v.message))
        .bind(8, std::string_view(wordsJson(v.reasons)))
        .bind(9, std::string_view(wordsJson(v.remarks)));
    bindNumber(s, 10, v.maxAbsoluteError);
    bindNumber(s, 11, v.maxRelativeError);
    s.bind(12, std::string_view(v.backend))
        .bind(13, std::string_view(v.settings.size))
        .bind(14, std::int64_t(v.settings.seed))
        .bind(15, std::int64_t(v.settings.fastMath))
        .bind(16, v.settings.timeLimit)
        .bind(17, v.seconds)
        .bind(18, v.timeMs)
        .bind(19, std::string_view(v.versions.program))
        .bind(20, std::string_view(v.versions.card))
        .bind(21, std::int64_t(v.versions.checks));
}

} // namespace

std::string numberText(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return fmt::format("{:.17g}", value);
}

double numberFromText(const std::string& text) {
    std::size_t end = 0;
    const double value = std::stod(text, &end);
    if (end != text.size()) throw std::invalid_argument("`" + text + "` is not a number");
    return value;
}

std::vector<StoredVerdict> VerdictRows::all() {
    std::vector<StoredVerdict> found;
    auto row = m_database.prepare(fmt::format("SELECT {} FROM verdict v ORDER BY v.id", columns));
    while (row.step())
        found.push_back(verdictAt(row));
    return found;
}

std::optional<StoredVerdict> VerdictRows::find(const VerdictKey& key) {
    auto row = m_database.prepare(fmt::format("SELECT {} FROM verdict v {}", columns, ofKey));
    if (!bindKey(row, key).step()) return std::nullopt;
    return verdictAt(row);
}

std::string VerdictRows::unpacked(Statement& row, int bytesColumn) {
    const std::int64_t bytes = row.integer(bytesColumn);
    if (bytes < 0 || bytes > mostEvidenceBytes) throw std::runtime_error("a verdict's length is impossible");
    std::string text;
    m_codec.decompress(row.blob(bytesColumn + 1), std::size_t(bytes), nullptr, text);
    return text;
}

std::optional<std::string> VerdictRows::evidence(const VerdictKey& key) {
    auto row = m_database.prepare(
        fmt::format("SELECT e.bytes, e.data FROM evidence e JOIN verdict v ON v.id = e.verdict {}", ofKey));
    if (!bindKey(row, key).step()) return std::nullopt;
    return unpacked(row, 0);
}

void VerdictRows::put(const JudgedKernel& kernel) {
    auto insert = m_database.prepare(R"sql(
        INSERT INTO verdict (level, task, name, code_hash, verdict, stage, message, reasons, remarks, max_abs_error,
            max_rel_error, backend, size, seed, fast_math, time_limit, seconds, time_ms, program, card, checks)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
        ON CONFLICT (level, task, name, code_hash) DO UPDATE SET verdict = excluded.verdict, stage = excluded.stage,
            message = excluded.message, reasons = excluded.reasons, remarks = excluded.remarks,
            max_abs_error = excluded.max_abs_error, max_rel_error = excluded.max_rel_error,
            backend = excluded.backend, size = excluded.size, seed = excluded.seed, fast_math = excluded.fast_math,
            time_limit = excluded.time_limit, seconds = excluded.seconds, time_ms = excluded.time_ms,
            program = excluded.program, card = excluded.card, checks = excluded.checks
        RETURNING id)sql");
    bindRow(insert, kernel.verdict);
    if (!insert.step()) throw std::runtime_error("a verdict was not accepted");
    const std::int64_t id = insert.integer(0);
    insert.run();
    if (kernel.evidence.empty()) {
        m_database.prepare("DELETE FROM evidence WHERE verdict = ?").bind(1, id).run();
        return;
    }
    const archive::Bytes packed = m_codec.compress(kernel.evidence, nullptr);
    m_database.prepare("INSERT OR REPLACE INTO evidence (verdict, bytes, data) VALUES (?, ?, ?)")
        .bind(1, id)
        .bind(2, std::int64_t(kernel.evidence.size()))
        .bindBlob(3, packed)
        .run();
}

void VerdictRows::forEach(const std::function<void(JudgedKernel)>& visit) {
    auto row = m_database.prepare(fmt::format(
        "SELECT {}, e.bytes, e.data FROM verdict v LEFT JOIN evidence e ON e.verdict = v.id ORDER BY v.id", columns));
    while (row.step()) {
        JudgedKernel kernel{verdictAt(row), {}};
        if (!row.isNull(columnCount)) kernel.evidence = unpacked(row, columnCount);
        visit(std::move(kernel));
    }
}

} // namespace kernelarium::audit
