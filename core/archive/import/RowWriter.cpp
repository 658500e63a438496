// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/RowWriter.h"

#include "core/archive/store/CodeShape.h"
#include "core/archive/store/CodeSignature.h"
#include "core/archive/store/ErrorKind.h"
#include "core/text/UntrustedJson.h"

#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::archive {
namespace {

constexpr std::size_t valueCount = RowWriter::valueCount;
constexpr std::size_t correctValue = 5;
constexpr std::size_t originalIndexValue = 7;
constexpr std::array<std::string_view, valueCount> publishedValues = {"CUDA_Runtime",
                                                                      "PyTorch_Native_Runtime",
                                                                      "PyTorch_Compile_Runtime",
                                                                      "CUDA_Speedup_Native",
                                                                      "CUDA_Speedup_Compile",
                                                                      "Correct",
                                                                      "Max_Diff",
                                                                      "__index_level_0__"};

using Values = RowWriter::Values;
using TextIds = RowWriter::TextIds;

/// In the order of publishedValues. Whole numbers become INTEGER again through the columns' affinity.
Values valuesOf(const SourceRow& row) {
    const auto real = [](auto value) { return value ? std::optional(double(*value)) : std::nullopt; };
    return {row.runtime,        row.nativeRuntime, row.compileRuntime, row.speedupNative,
            row.speedupCompile, real(row.correct), row.maxDiff,        real(row.originalIndex)};
}

constexpr std::string_view valueColumns = "runtime, native_runtime, compile_runtime, speedup_native, "
                                          "speedup_compile, correct, max_diff, original_index";
constexpr std::string_view textColumns =
    "code_text, module_text, functional_text, error_text, ncu_text, torch_text, tidy_text";

std::string selectSql() {
    return "SELECT id, " + std::string(valueColumns) + ", " + std::string(textColumns) +
           " FROM kernel WHERE level = ? AND task = ? AND name = ? AND code_hash = ?";
}

std::string insertSql() {
    return "INSERT INTO kernel (level, task, op_name, name, code_hash, code_bytes, error_kind, origin, " +
           std::string(valueColumns) + ", " + std::string(textColumns) +
           ") VALUES (?,?,?,?,?,?,?,?, ?,?,?,?,?,?,?,?, ?,?,?,?,?,?,?)";
}

std::string updateSql() {
    return "UPDATE kernel SET (error_kind, " + std::string(valueColumns) + ", " + std::string(textColumns) +
           ") = (?, ?,?,?,?,?,?,?,?, ?,?,?,?,?,?,?) WHERE id = ?";
}

void bindValuesAndTexts(sqlite::Statement& statement, int first, const Values& values, const TextIds& texts) {
    for (const auto& value : values)
        statement.bind(first++, value);
    for (const auto& text : texts)
        statement.bind(first++, text);
}

} // namespace

PendingRow::PendingRow(SourceRow source)
    : row(std::move(source)) {
    for (std::size_t kind = 0; kind < textKindCount; ++kind)
        if (row.texts[kind]) hashes[kind] = files::sha256(*row.texts[kind]);
}

struct RowWriter::Archived {
    std::int64_t id = 0;
    Values values;
    TextIds texts;
};

RowWriter::RowWriter(sqlite::Database& database, bool update)
    : m_database(database)
    , m_update(update)
    , m_texts(database)
    , m_select(database.prepare(selectSql()))
    , m_insert(database.prepare(insertSql()))
    , m_change(database.prepare(updateSql()))
    , m_insertSignature(database.prepare("INSERT OR IGNORE INTO code_signature (text, bits) VALUES (?, ?)"))
    , m_insertShape(database.prepare("INSERT OR IGNORE INTO code_shape (text, shape) VALUES (?, ?)"))
    , m_selectExtra(database.prepare("SELECT json FROM kernel_extra WHERE kernel = ?"))
    , m_insertExtra(database.prepare("INSERT OR REPLACE INTO kernel_extra (kernel, json) VALUES (?, ?)")) {}

void RowWriter::learn(std::span<const PendingRow> batch) {
    for (const auto& info : textKinds) {
        std::set<files::Digest> seen;
        std::vector<std::string_view> samples;
        for (const auto& pending : batch) {
            const auto& text = pending.row.texts[indexOf(info.kind)];
            const auto& hash = pending.hashes[indexOf(info.kind)];
            if (text && seen.insert(hash).second && !m_texts.find(hash)) samples.push_back(*text);
        }
        m_texts.learn(info.kind, samples);
    }
}

WriteOutcome RowWriter::write(const PendingRow& pending) {
    if (const auto archived = findArchived(pending)) return merge(pending, *archived);
    insert(pending);
    return {WriteOutcome::Kind::added, {}};
}

std::optional<RowWriter::Archived> RowWriter::findArchived(const PendingRow& pending) {
    m_select.bind(1, pending.row.level).bind(2, pending.row.task).bind(3, std::string_view(pending.row.name));
    m_select.bindBlob(4, pending.hashes[indexOf(TextKind::cudaCode)]);
    std::optional<Archived> archived;
    if (m_select.step()) {
        archived.emplace();
        archived->id = m_select.integer(0);
        int column = 1;
        for (auto& value : archived->values)
            value = m_select.optionalReal(column++);
        for (auto& text : archived->texts)
            text = m_select.optionalInteger(column++);
    }
    m_select.reset();
    return archived;
}

void RowWriter::insert(const PendingRow& pending) {
    const auto& row = pending.row;
    TextIds texts;
    for (const auto& info : textKinds) {
        const auto kind = indexOf(info.kind);
        if (row.texts[kind]) texts[kind] = m_texts.put(*row.texts[kind], pending.hashes[kind], info.kind);
    }
    const auto code = *texts[indexOf(TextKind::cudaCode)];
    const auto errorKind = classifyError(row.texts[indexOf(TextKind::error)], row.correct);
    m_insert.bind(1, row.level).bind(2, row.task).bind(3, std::string_view(row.opName));
    m_insert.bind(4, std::string_view(row.name)).bindBlob(5, pending.hashes[indexOf(TextKind::cudaCode)]);
    m_insert.bind(6, static_cast<std::int64_t>(row.code().size())).bind(7, static_cast<std::int64_t>(errorKind));
    m_insert.bind(8, originId(pending.origin));
    bindValuesAndTexts(m_insert, 9, valuesOf(row), texts);
    m_insert.run();
    const auto kernel = m_database.lastInsertId();
    m_insertSignature.bind(1, code).bindBlob(2, signatureOf(row.code())).run();
    m_insertShape.bind(1, code).bindBlob(2, shapeOf(row.code())).run();
    if (!row.extraJson.empty()) m_insertExtra.bind(1, kernel).bind(2, std::string_view(row.extraJson)).run();
}

WriteOutcome RowWriter::merge(const PendingRow& pending, const Archived& archived) {
    WriteOutcome outcome;
    auto values = archived.values;
    auto texts = archived.texts;
    mergeValues(valuesOf(pending.row), values, outcome);
    mergeTexts(pending, texts, outcome);
    if (values != archived.values || texts != archived.texts) {
        std::string error;
        const auto errorText = texts[indexOf(TextKind::error)];
        if (errorText) m_texts.load(*errorText, error);
        const auto correct = values[correctValue] ? std::optional(*values[correctValue] != 0) : std::nullopt;
        const auto kind = classifyError(errorText ? std::optional<std::string_view>(error) : std::nullopt, correct);
        m_change.bind(1, static_cast<std::int64_t>(kind));
        bindValuesAndTexts(m_change, 2, values, texts);
        m_change.bind(17, archived.id).run();
    }
    mergeExtra(archived.id, pending.row.extraJson, outcome);
    return outcome;
}

void RowWriter::filled(WriteOutcome& outcome) {
    if (outcome.kind == WriteOutcome::Kind::unchanged) outcome.kind = WriteOutcome::Kind::completed;
}

bool RowWriter::replaces(WriteOutcome& outcome, std::string_view column) const {
    if (m_update)
        outcome.kind = WriteOutcome::Kind::updated;
    else
        outcome.conflicts.push_back(column);
    return m_update;
}

void RowWriter::mergeValues(const Values& incoming, Values& values, WriteOutcome& outcome) const {
    for (std::size_t i = 0; i < valueCount; ++i) {
        if (!incoming[i] || incoming[i] == values[i]) continue;
        if (!values[i])
            filled(outcome);
        else if (i == originalIndexValue && !m_update)
            continue; // an index is not a claim
        else if (!replaces(outcome, publishedValues[i]))
            continue;
        values[i] = incoming[i];
    }
}

void RowWriter::mergeTexts(const PendingRow& pending, TextIds& texts, WriteOutcome& outcome) {
    for (const auto& info : textKinds) {
        const auto kind = indexOf(info.kind);
        const auto& text = pending.row.texts[kind];
        if (!text) continue;
        const auto& hash = pending.hashes[kind];
        if (!texts[kind])
            filled(outcome);
        else if (m_texts.find(hash) == texts[kind] || !replaces(outcome, info.published))
            continue;
        texts[kind] = m_texts.put(*text, hash, info.kind);
    }
}

void RowWriter::mergeExtra(std::int64_t kernel, const std::string& incoming, WriteOutcome& outcome) {
    if (incoming.empty()) return;
    m_selectExtra.bind(1, kernel);
    auto merged = nlohmann::json::object();
    if (m_selectExtra.step()) merged = text::untrustedJson(m_selectExtra.text(0));
    m_selectExtra.reset();
    if (!merged.is_object()) throw std::runtime_error("a kernel's other columns are no JSON object");
    const auto before = merged;
    const auto added = text::untrustedJson(incoming);
    if (!added.is_object()) return; // it nests too deeply
    bool differs = false;
    for (const auto& [key, value] : added.items()) {
        const auto found = merged.find(key);
        if (found == merged.end())
            merged[key] = value;
        else if (*found != value) {
            differs = true;
            if (m_update) *found = value;
        }
    }
    if (differs) replaces(outcome, "a column that is not a published one");
    if (merged == before) return;
    filled(outcome);
    const std::string json = merged.dump();
    m_insertExtra.bind(1, kernel).bind(2, std::string_view(json)).run();
}

std::int64_t RowWriter::originId(const std::string& name) {
    if (const auto known = m_origins.find(name); known != m_origins.end()) return known->second;
    m_database.prepare("INSERT OR IGNORE INTO origin (name) VALUES (?)").bind(1, std::string_view(name)).run();
    auto select = m_database.prepare("SELECT id FROM origin WHERE name = ?");
    select.bind(1, std::string_view(name)).step();
    return m_origins[name] = select.integer(0);
}

} // namespace kernelarium::archive
