// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/UnitSource.h"
#include "core/tuning/store/Store.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::superopt {

/// Where a graph was found.
struct FoundAt {
    std::uint64_t unit = 0;  ///< its number among all units, from 1
    std::uint64_t state = 0; ///< in the unit, from 1
    std::string key;         ///< the unit's
    /// The number of the state where one process does all units in their order; 0: not all units before it are known.
    std::uint64_t ofAll = 0;
};

/// What is known of a graph that was found.
struct FoundCandidate {
    enum class Verdict {
        right,     ///< it stood every rung that is needed
        undecided, ///< no rung refused it, but what it stood is not enough
        refused,   ///< a rung refused it
        failed     ///< the ladder could not be climbed: nothing is known
    };
    std::string hash;
    Verdict verdict = Verdict::failed;
    double bound = 0;  ///< seconds that it takes at least, modelled
    unsigned rung = 0; ///< the last that it stood, or the one that refused it; from 1
    std::vector<RungVerdict> rungs;
    std::string graph;         ///< JSON
    std::string fault;         ///< where rungs disagree, or records of this graph do
    std::int64_t when = 0;     ///< milliseconds since 1970
    std::optional<FoundAt> at; ///< the first place; nothing while its unit is open
};
[[nodiscard]] std::string_view name(FoundCandidate::Verdict verdict); ///< "right", "undecided", "refused", "failed"

/// How many there are.
struct FoundCounts {
    std::uint64_t units = 0;       ///< explored
    std::uint64_t failedUnits = 0; ///< could not be
    StateCounts counts;            ///< of the explored ones
    std::uint64_t right = 0, undecided = 0, refused = 0, failed = 0;
    std::uint64_t faults = 0;
};

/// What a search has found, from the records of its units and candidates in any order: of two of one key the one of the
/// greater standing counts, so that nothing that a rung refused is ever right again.
class FoundTable {
public:
    void take(tuning::JudgedKind kind, const tuning::Judged& judged);
    /// All of a store; see StoreReader for the errors.
    [[nodiscard]] static Result<FoundTable> read(const std::filesystem::path& store);

    [[nodiscard]] bool knows(const std::string& hash) const; ///< and needs no other look
    [[nodiscard]] const FoundCounts& counts() const { return m_counts; }
    /// The right one of the least bound, the first of equals by hash; null: none.
    [[nodiscard]] const tuning::Judged* best() const;
    [[nodiscard]] std::optional<FoundCandidate> find(const std::string& hash) const;
    /// Right ones by bound, then undecided, refused, failed ones; of equal ones by hash. No time of day decides.
    [[nodiscard]] std::vector<FoundCandidate> all() const;
    /// Those that were right and better than all before them, by time.
    [[nodiscard]] std::vector<FoundCandidate> bestSoFar() const;

private:
    struct Known {
        tuning::Judged judged; ///< without its details, which `read` has
        FoundCandidate read;
        unsigned stood = 0; ///< the furthest rung that a record says it stood
        unsigned fell = 0;  ///< the first rung that a record says refused it
        [[nodiscard]] bool contradicts() const { return fell > 0 && stood >= fell; }
    };
    [[nodiscard]] FoundCandidate candidateOf(const Known& known) const;
    void placeAmongAll(std::vector<FoundCandidate>& candidates) const;
    void takeUnit(const tuning::Judged& unit);
    void takeCandidate(const tuning::Judged& candidate);
    void count(const Known& known, bool in);

    std::map<std::string, Known> m_candidates;
    struct KnownUnit {
        std::string key;
        std::uint64_t states = 0;
    };
    std::map<std::uint64_t, KnownUnit> m_units; ///< explored, by number
    std::set<std::string> m_doneKeys, m_failedUnits;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> m_foundAt; ///< hash -> the least unit and state
    std::set<std::pair<double, std::string>> m_right;                         ///< bound and hash
    FoundCounts m_counts;
};

/// For a store. The outcome of a unit is refused where nothing was found in it. `number` is its place among all units,
/// from 1.
[[nodiscard]] tuning::Outcome outcomeOfUnit(const Exploration& exploration, std::uint64_t number);
[[nodiscard]] tuning::Judged judgedOf(const FoundGraph& graph, const Climb& climb);

/// {units, states, pruned {reason: states}, right, undecided, refused, failed, faults, candidates [...], best}: all of
/// it independent of when, where and in how many parts it was found. Graphs and evidence only if asked for.
[[nodiscard]] nlohmann::json toJson(const FoundTable& table, bool withGraphs = false);
[[nodiscard]] nlohmann::json toJson(const FoundCandidate& candidate, bool withGraph = true);

} // namespace kernelarium::superopt
