// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::tuning {

inline constexpr std::size_t longestRecord = std::size_t(4) << 20; ///< bytes of a line, its end left out

/// One line of a store: a JSON object whose "kind" says what it is. The kinds "header", "candidate" and "unit" are the
/// store's own. Of others it knows only these members, and each may be absent:
///   "key"   what the record is about: of two of one kind and key a merge keeps one. Without it, only a line that is
///           the same byte for byte is the same record.
///   "rank"  a number: the higher is kept. For what climbs rungs, or ends an earlier record of itself.
///   "when"  milliseconds since 1970: of equal ranks the later is kept.
struct Record {
    std::string kind;
    nlohmann::json fields; ///< "kind" included
    std::string line;      ///< as it stands in the file, which passes through unchanged

    [[nodiscard]] std::string key() const;
    [[nodiscard]] double rank() const;
    [[nodiscard]] std::int64_t when() const;
};

/// A record of a kind of one's own. Errors "bad_input": the kind is empty or the store's, the fields are no object, not
/// UTF-8, or "key", "rank" or "when" is not what it must be; "too_large".
[[nodiscard]] Result<Record> recordOf(const std::string& kind, nlohmann::json fields);
/// What a judged record is about.
enum class JudgedKind {
    candidate,
    unit ///< a part of a search's space that is explored on its own, and in which candidates are found
};
[[nodiscard]] std::string_view wordOf(JudgedKind kind); ///< "candidate", "unit": the record's kind
[[nodiscard]] std::optional<JudgedKind>
judgedKindOf(std::string_view kind); ///< nothing for a kind that is no judged one
[[nodiscard]] Result<Record> recordOf(const Judged& judged, JudgedKind kind = JudgedKind::candidate);

/// Reads a line. Error "bad_input" says what is wrong with it.
[[nodiscard]] Result<Record> recordFrom(std::string_view line);
/// Of a record of the kind "candidate" or "unit": its every field is checked. Error "bad_input".
[[nodiscard]] Result<Judged> judgedFrom(const Record& record);

/// A word for an outcome's kind: "valued", "refused", "wrong", "failed".
[[nodiscard]] std::string_view wordOf(Outcome::Kind kind);

} // namespace kernelarium::tuning
