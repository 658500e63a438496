// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/TextCodec.h"
#include "core/session/Session.h"
#include "core/sqlite/Sqlite.h"

namespace kernelarium::session {

/// Attempts as rows of the file. Calls throw; they run inside the caller's transaction.
class AttemptRows {
public:
    AttemptRows(sqlite::Database& database, archive::TextCodec& codec)
        : m_database(database)
        , m_codec(codec) {}

    [[nodiscard]] std::vector<AttemptSummary> list(const AttemptFilter& filter);
    [[nodiscard]] std::optional<Attempt> load(std::int64_t id);

    /// The newest attempt of this kernel in this session, when it is of the same source and options; else 0.
    [[nodiscard]] std::int64_t sameAsNewest(const Attempt& attempt);
    std::int64_t insert(const Attempt& attempt);
    void writeEvidence(std::int64_t id, std::string_view verdictJson, std::string_view countersJson);
    void insertTiming(std::int64_t id, const Timing& timing);
    /// Adds those that are not there yet.
    void insertTaken(std::int64_t id, const std::vector<OtherParent>& others);
    /// Sources that no attempt needs any more.
    void dropUnusedSources();

private:
    [[nodiscard]] std::int64_t sourceId(std::string_view text);
    void loadEvidence(Attempt& attempt);
    [[nodiscard]] std::string unpack(const sqlite::Statement& row, int sizeColumn, int dataColumn);

    sqlite::Database& m_database;
    archive::TextCodec& m_codec;
};

} // namespace kernelarium::session
