// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/session/Session.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::session {

/// The user's session file: SQLite, write-ahead log, synchronous=FULL. What a call has acknowledged is on the
/// disk: it survives the death of the process and of the machine. Several processes may have the same file
/// open; a writer waits up to five seconds for another one (then "busy").
///
/// One object per thread; every call may touch the disk, so never on the GUI's thread.
///
/// Errors of every call: "busy", "disk_full", "damaged_session", "unwritable_file", "bad_input" (no such
/// session or attempt), "session_failure".
class SessionStore {
public:
    /// Opens, creating the file and its folders when absent, and migrates older schemas.
    /// A file that is damaged ("damaged_session"), from a newer version ("newer_session") or no session file
    /// ("not_a_session") is refused and left as it is; setAside() makes room for a new one.
    static Result<SessionStore> open(const std::filesystem::path& path);
    /// Renames a file that was refused, together with its log, and returns its new name. Never overwrites
    /// anything.
    static Result<std::filesystem::path> setAside(const std::filesystem::path& path);

    SessionStore(SessionStore&&) noexcept;
    SessionStore& operator=(SessionStore&&) noexcept;
    ~SessionStore();

    [[nodiscard]] const std::filesystem::path& path() const;

    // Sessions. An empty name becomes "Session N".
    Result<SessionInfo> createSession(std::string_view name);
    Result<void> renameSession(std::int64_t session, std::string_view name);
    Result<std::vector<SessionInfo>> sessions(); ///< last used first; without the removed ones
    /// Hides the session and its attempts. They can be brought back until purgeRemoved().
    Result<void> removeSession(std::int64_t session);
    Result<void> restoreSession(std::int64_t session);
    /// Deletes for good what was removed before that time; the number of sessions.
    Result<std::int64_t> purgeRemoved(std::int64_t beforeMs);

    // Attempts, oldest first.
    Result<std::vector<AttemptSummary>> attempts(const AttemptFilter& filter);
    Result<Attempt> attempt(std::int64_t id);
    /// Adds an attempt and its timings; createdMs of 0 means now. Returns its id.
    ///
    /// When the newest attempt of the same kernel in the same session has the same source and options, no
    /// second one is made: that attempt takes over the new verdict, evidence, name and notes where they are
    /// not empty, the timings are appended to its own, the kernels that changes were taken from likewise, and its id
    /// is returned. An edit that goes back to an
    /// older source is a new attempt: the history shows the way that was taken.
    Result<std::int64_t> addAttempt(const Attempt& attempt);
    /// Replaces verdict and evidence; empty JSON clears it.
    Result<void> setVerdict(std::int64_t attempt, std::string_view verdict, std::string_view verdictJson,
                            std::string_view countersJson);
    Result<void> addTiming(std::int64_t attempt, const Timing& timing);
    Result<void> setName(std::int64_t attempt, std::string_view name);
    Result<void> setNotes(std::int64_t attempt, std::string_view notes);

    // Drafts: one per kernel.
    Result<void> saveDraft(const Draft& draft); ///< changedMs of 0 means now
    Result<std::vector<Draft>> drafts();        ///< last changed first
    Result<std::optional<Draft>> draft(std::string_view kernelKey);
    Result<void> removeDraft(std::string_view kernelKey);

    // Window state, progress of lessons: JSON by key.
    Result<void> setValue(std::string_view key, std::string_view json);
    Result<std::optional<std::string>> value(std::string_view key);

private:
    struct State;
    explicit SessionStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace kernelarium::session
