// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SessionStore.h"

#include "core/session/AttemptRows.h"
#include "core/session/SessionFile.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::session {

namespace fs = std::filesystem;

struct SessionStore::State {
    fs::path path;
    sqlite::Database database;
    archive::TextCodec codec = {};

    [[nodiscard]] AttemptRows attempts() { return {database, codec}; }
    void touch(std::int64_t session, std::int64_t timeMs);
    void touchOf(std::int64_t attempt, std::int64_t timeMs);
    void mustExist(std::int64_t session);
    /// Changes one text column of an attempt.
    void setText(std::int64_t attempt, const char* sql, std::string_view text);
};

namespace {

std::int64_t nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

sqlite::Refusal missing(std::string_view what, std::int64_t id) {
    return {{"bad_input", fmt::format("There is no {} {} in the session file.", what, id)}};
}

void mustBePossible(const Timing& timing) {
    if (!std::isfinite(timing.milliseconds) || timing.milliseconds < 0)
        throw sqlite::Refusal{{"bad_input", "A time that is not a number cannot be kept in the session file."}};
}

} // namespace

void SessionStore::State::touch(std::int64_t session, std::int64_t timeMs) {
    database.prepare("UPDATE session SET used_ms = max(used_ms, ?) WHERE id = ?")
        .bind(1, timeMs)
        .bind(2, session)
        .run();
}

void SessionStore::State::touchOf(std::int64_t attempt, std::int64_t timeMs) {
    auto row = database.prepare("SELECT session FROM attempt WHERE id = ?");
    if (!row.bind(1, attempt).step()) throw missing("attempt", attempt);
    touch(row.integer(0), timeMs);
}

void SessionStore::State::mustExist(std::int64_t session) {
    auto row = database.prepare("SELECT 1 FROM session WHERE id = ? AND removed_ms IS NULL");
    if (!row.bind(1, session).step()) throw missing("session", session);
}

void SessionStore::State::setText(std::int64_t attempt, const char* sql, std::string_view text) {
    sqlite::Transaction transaction(database);
    touchOf(attempt, nowMs());
    database.prepare(sql).bind(1, text).bind(2, attempt).run();
    transaction.commit();
}

SessionStore::SessionStore(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}
SessionStore::SessionStore(SessionStore&&) noexcept = default;
SessionStore& SessionStore::operator=(SessionStore&&) noexcept = default;
SessionStore::~SessionStore() = default;

const fs::path& SessionStore::path() const {
    return m_state->path;
}

Result<SessionStore> SessionStore::open(const fs::path& path) {
    return guarded(path, [&] {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        return SessionStore(std::make_unique<State>(State{path, openForWriting(path)}));
    });
}

Result<fs::path> SessionStore::setAside(const fs::path& path) {
    return guarded(path, [&] {
        fs::path aside;
        int number = 1;
        do
            aside = fmt::format("{}.aside-{}", path.string(), number++);
        while (fs::exists(aside));
        fs::rename(path, aside);
        // The log belongs to its file: SQLite finds it by name.
        for (const char* side : {"-wal", "-shm"})
            if (fs::exists(path.string() + side)) fs::rename(path.string() + side, aside.string() + side);
        return aside;
    });
}

Result<SessionInfo> SessionStore::createSession(std::string_view name) {
    return guarded(m_state->path, [&] {
        auto& database = m_state->database;
        SessionInfo info;
        info.startedMs = info.lastUsedMs = nowMs();
        sqlite::Transaction transaction(database);
        auto insert = database.prepare("INSERT INTO session (name, started_ms, used_ms) VALUES (?, ?, ?)");
        insert.bind(1, name).bind(2, info.startedMs).bind(3, info.lastUsedMs).run();
        info.id = database.lastInsertId();
        info.name = name.empty() ? fmt::format("Session {}", info.id) : std::string(name);
        auto rename = database.prepare("UPDATE session SET name = ? WHERE id = ?");
        rename.bind(1, std::string_view(info.name)).bind(2, info.id).run();
        transaction.commit();
        return info;
    });
}

Result<void> SessionStore::renameSession(std::int64_t session, std::string_view name) {
    return guarded(m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        m_state->mustExist(session);
        m_state->database.prepare("UPDATE session SET name = ? WHERE id = ?").bind(1, name).bind(2, session).run();
        transaction.commit();
    });
}

Result<std::vector<SessionInfo>> SessionStore::sessions() {
    return guarded(m_state->path, [&] {
        std::vector<SessionInfo> infos;
        auto rows = m_state->database.prepare(
            "SELECT id, name, started_ms, used_ms, (SELECT count(*) FROM attempt WHERE session = session.id) "
            "FROM session WHERE removed_ms IS NULL ORDER BY used_ms DESC, id DESC");
        while (rows.step())
            infos.push_back(
                {rows.integer(0), std::string(rows.text(1)), rows.integer(2), rows.integer(3), rows.integer(4)});
        return infos;
    });
}

Result<void> SessionStore::removeSession(std::int64_t session) {
    return guarded(m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        m_state->mustExist(session);
        auto row = m_state->database.prepare("UPDATE session SET removed_ms = ? WHERE id = ?");
        row.bind(1, nowMs()).bind(2, session).run();
        transaction.commit();
    });
}

Result<void> SessionStore::restoreSession(std::int64_t session) {
    return guarded(m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        m_state->database.prepare("UPDATE session SET removed_ms = NULL WHERE id = ?").bind(1, session).run();
        m_state->mustExist(session);
        transaction.commit();
    });
}

Result<std::int64_t> SessionStore::purgeRemoved(std::int64_t beforeMs) {
    return guarded(m_state->path, [&] {
        auto& database = m_state->database;
        sqlite::Transaction transaction(database);
        auto row = database.prepare("DELETE FROM session WHERE removed_ms < ?");
        row.bind(1, beforeMs).run();
        const auto count = database.number("SELECT changes()");
        m_state->attempts().dropUnusedSources();
        transaction.commit();
        return count;
    });
}

Result<std::vector<AttemptSummary>> SessionStore::attempts(const AttemptFilter& filter) {
    return guarded(m_state->path, [&] { return m_state->attempts().list(filter); });
}

Result<Attempt> SessionStore::attempt(std::int64_t id) {
    return guarded(m_state->path, [&] {
        auto attempt = m_state->attempts().load(id);
        if (!attempt) throw missing("attempt", id);
        return std::move(*attempt);
    });
}

Result<std::int64_t> SessionStore::addAttempt(const Attempt& attempt) {
    return guarded(m_state->path, [&] {
        for (const auto& timing : attempt.timings)
            mustBePossible(timing);
        Attempt stamped = attempt;
        if (stamped.createdMs == 0) stamped.createdMs = nowMs();
        sqlite::Transaction transaction(m_state->database);
        m_state->mustExist(attempt.session);
        auto rows = m_state->attempts();
        auto id = rows.sameAsNewest(stamped);
        if (id == 0) {
            id = rows.insert(stamped);
        } else {
            auto take = m_state->database.prepare(
                "UPDATE attempt SET verdict = iif(?1 = '', verdict, ?1), name = iif(?2 = '', name, ?2), "
                "notes = iif(?3 = '', notes, ?3) WHERE id = ?4");
            take.bind(1, std::string_view(attempt.verdict)).bind(2, std::string_view(attempt.name));
            take.bind(3, std::string_view(attempt.notes)).bind(4, id).run();
            if (!attempt.verdictJson.empty() || !attempt.countersJson.empty()) {
                const auto old = rows.load(id).value();
                rows.writeEvidence(id, attempt.verdictJson.empty() ? old.verdictJson : attempt.verdictJson,
                                   attempt.countersJson.empty() ? old.countersJson : attempt.countersJson);
            }
        }
        for (const auto& timing : attempt.timings)
            rows.insertTiming(id, timing);
        rows.insertTaken(id, attempt.takenFrom);
        m_state->touch(attempt.session, stamped.createdMs);
        transaction.commit();
        return id;
    });
}

Result<void> SessionStore::setVerdict(std::int64_t attempt, std::string_view verdict, std::string_view verdictJson,
                                      std::string_view countersJson) {
    return guarded(m_state->path, [&] {
        sqlite::Transaction transaction(m_state->database);
        m_state->touchOf(attempt, nowMs());
        m_state->database.prepare("UPDATE attempt SET verdict = ? WHERE id = ?")
            .bind(1, verdict)
            .bind(2, attempt)
            .run();
        m_state->attempts().writeEvidence(attempt, verdictJson, countersJson);
        transaction.commit();
    });
}

Result<void> SessionStore::addTiming(std::int64_t attempt, const Timing& timing) {
    return guarded(m_state->path, [&] {
        mustBePossible(timing);
        sqlite::Transaction transaction(m_state->database);
        m_state->touchOf(attempt, nowMs());
        m_state->attempts().insertTiming(attempt, timing);
        transaction.commit();
    });
}

Result<void> SessionStore::setName(std::int64_t attempt, std::string_view name) {
    return guarded(m_state->path, [&] { m_state->setText(attempt, "UPDATE attempt SET name = ? WHERE id = ?", name); });
}

Result<void> SessionStore::setNotes(std::int64_t attempt, std::string_view notes) {
    return guarded(m_state->path,
                   [&] { m_state->setText(attempt, "UPDATE attempt SET notes = ? WHERE id = ?", notes); });
}

namespace {

Draft readDraft(const sqlite::Statement& row) {
    return {std::string(row.text(0)), std::string(row.text(1)), row.integer(2), static_cast<int>(row.integer(3))};
}

} // namespace

Result<void> SessionStore::saveDraft(const Draft& draft) {
    return guarded(m_state->path, [&] {
        auto row = m_state->database.prepare(
            "INSERT OR REPLACE INTO draft (kernel_key, text, changed_ms, cursor_line) VALUES (?, ?, ?, ?)");
        row.bind(1, std::string_view(draft.kernelKey)).bind(2, std::string_view(draft.text));
        row.bind(3, draft.changedMs == 0 ? nowMs() : draft.changedMs);
        row.bind(4, static_cast<std::int64_t>(draft.cursorLine)).run();
    });
}

Result<std::vector<Draft>> SessionStore::drafts() {
    return guarded(m_state->path, [&] {
        std::vector<Draft> drafts;
        auto rows = m_state->database.prepare("SELECT kernel_key, text, changed_ms, cursor_line FROM draft "
                                              "ORDER BY changed_ms DESC, kernel_key");
        while (rows.step())
            drafts.push_back(readDraft(rows));
        return drafts;
    });
}

Result<std::optional<Draft>> SessionStore::draft(std::string_view kernelKey) {
    return guarded(m_state->path, [&]() -> std::optional<Draft> {
        auto row = m_state->database.prepare(
            "SELECT kernel_key, text, changed_ms, cursor_line FROM draft WHERE kernel_key = ?");
        if (!row.bind(1, kernelKey).step()) return std::nullopt;
        return readDraft(row);
    });
}

Result<void> SessionStore::removeDraft(std::string_view kernelKey) {
    return guarded(m_state->path, [&] {
        m_state->database.prepare("DELETE FROM draft WHERE kernel_key = ?").bind(1, kernelKey).run();
    });
}

Result<void> SessionStore::setValue(std::string_view key, std::string_view json) {
    return guarded(m_state->path, [&] {
        auto row = m_state->database.prepare("INSERT OR REPLACE INTO value (key, json) VALUES (?, ?)");
        row.bind(1, key).bind(2, json).run();
    });
}

Result<std::optional<std::string>> SessionStore::value(std::string_view key) {
    return guarded(m_state->path, [&]() -> std::optional<std::string> {
        auto row = m_state->database.prepare("SELECT json FROM value WHERE key = ?");
        if (!row.bind(1, key).step()) return std::nullopt;
        return std::string(row.text(0));
    });
}

} // namespace kernelarium::session
