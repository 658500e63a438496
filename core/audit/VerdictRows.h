// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/TextCodec.h"
#include "core/audit/StoredVerdict.h"
#include "core/sqlite/Sqlite.h"

#include <functional>
#include <optional>
#include <vector>

namespace kernelarium::audit {

/// The rows of a file of verdicts. Throws; the caller has the transaction.
class VerdictRows {
public:
    VerdictRows(sqlite::Database& database, archive::TextCodec& codec)
        : m_database(database)
        , m_codec(codec) {}

    [[nodiscard]] std::vector<StoredVerdict> all();
    [[nodiscard]] std::optional<StoredVerdict> find(const VerdictKey& key);
    [[nodiscard]] std::optional<std::string> evidence(const VerdictKey& key);
    /// Takes the place of an older one of the same key.
    void put(const JudgedKernel& kernel);
    void forEach(const std::function<void(JudgedKernel)>& visit); ///< with the evidence

private:
    [[nodiscard]] std::string unpacked(sqlite::Statement& row, int bytesColumn);

    sqlite::Database& m_database;
    archive::TextCodec& m_codec;
};

/// Numbers of verdicts as text: "nan" and "inf" among them, and read back bit for bit.
[[nodiscard]] std::string numberText(double value);
[[nodiscard]] double numberFromText(const std::string& text); ///< throws std::invalid_argument

} // namespace kernelarium::audit
