// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/target/Problem.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// The enumerating search, in pieces that can be done apart: units() says which there are, explore() does one, merge()
/// brings them together. Nothing here depends on threads, shards, or on what was done before.
namespace kernelarium::mugraph {

/// How far a search goes. Two searches of one problem with equal limits have the same units and the same results.
struct Limits {
    int operators = 12;          ///< of a µGraph, its inputs counted
    int unitDepth = 3;           ///< operators beside the inputs that a unit prescribes
    std::string device = "h200"; ///< whose shared memory and rates bound it: perf::findDeviceSpec()
    bool operator==(const Limits&) const = default;
};
[[nodiscard]] nlohmann::json toJson(const Limits& limits);
/// Error "bad_input".
[[nodiscard]] Result<Limits> limitsFrom(const nlohmann::json& json);

/// The graphs that begin with the same operators. The key is one line of ASCII without spaces, and all there is to say
/// of it: "k:k/product(0,1|k);exp(3)", so Unit{key} is the unit that was written down.
struct Unit {
    std::string key;
    bool operator==(const Unit&) const = default;
};

/// All of a problem's units, in the order in which one process would do them. Short: some milliseconds. Error
/// "bad_input": a limit is out of its range, or the device is not known.
[[nodiscard]] Result<std::vector<Unit>> units(const Problem& problem, const Limits& limits);

/// What became of the extensions that were looked at. Every state but a unit's first was one of them.
struct Counts {
    std::uint64_t states = 0;     ///< graphs that were kept and looked at: a unit's own and all that it leads to
    std::uint64_t extensions = 0; ///< operators that were tried on a state; those of the next lines were dropped
    std::uint64_t expression = 0; ///< the result's abstract expression is no part of the task's
    std::uint64_t reach = 0;      ///< it has indices, or parts of a sum, that nothing could bring together any more
    std::uint64_t memory = 0;     ///< its tiles do not fit into shared memory however small they are
    std::uint64_t bound = 0;      ///< its arithmetic alone takes longer than the task takes formula by formula
    std::uint64_t redundant = 0;  ///< the graph has the same expression over the same indices already
    std::uint64_t unfinished = 0; ///< too few operators are left to use all that was computed
    Counts& operator+=(const Counts& other);
    bool operator==(const Counts&) const = default;
};

/// A complete graph: its abstract expression and its indices are those of the task. That is not evidence that it is
/// right: core/mugraph/check has that.
struct Found {
    std::string graph;       ///< the µGraph in canonical form, as a line of JSON: muGraphFrom() reads it
    std::string hash;        ///< 32 hexadecimal digits of the graph: equal for equal graphs, of whatever card and size
    std::string unit;        ///< the key of the unit that it was found in
    std::uint64_t state = 0; ///< number of the state within its unit, from 1
    double seconds = 0;      ///< no kernel of this graph takes less, by the model (core/mugraph/graph/Tiling.h)
    bool operator==(const Found&) const = default;
};

struct UnitResult {
    std::string unit; ///< its key
    Counts counts;
    std::vector<Found> found; ///< in the order of their states
    bool operator==(const UnitResult&) const = default;
};
[[nodiscard]] nlohmann::json toJson(const UnitResult& result);
/// Checks every field. Error "bad_input".
[[nodiscard]] Result<UnitResult> unitResultFrom(const nlohmann::json& json);

/// Looks at all graphs of a unit. `progress` is told the counts so far about ten times a second, from this thread.
/// Errors: "bad_input" (the key is none of this problem and these limits; what units() tells), "cancelled".
[[nodiscard]] Result<UnitResult> explore(const Problem& problem, const Unit& unit, const Limits& limits,
                                         std::stop_token stop = {},
                                         const std::function<void(const Counts&)>& progress = {});

/// Keeps what units of one problem have in common (expressions in normal form and what is known of them), which makes
/// the second one faster and changes no result. Belongs to one thread.
class Explorer {
public:
    /// Error "bad_input".
    [[nodiscard]] static Result<Explorer> of(const Problem& problem, const Limits& limits);
    Explorer(Explorer&&) noexcept;
    Explorer& operator=(Explorer&&) noexcept;
    ~Explorer();
    /// As mugraph::explore.
    [[nodiscard]] Result<UnitResult> explore(const Unit& unit, std::stop_token stop = {},
                                             const std::function<void(const Counts&)>& progress = {});

private:
    struct Parts;
    explicit Explorer(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// A whole search, or as much of it as was done.
struct Merged {
    std::size_t units = 0, done = 0; ///< of the search; of the results, each unit once
    Counts counts;
    struct Candidate {
        Found found;
        std::uint64_t state = 0; ///< number of the state where one process does all units in their order; of a merge
                                 ///< that lacks earlier units: among the states that are there
    };
    std::vector<Candidate> candidates; ///< by modelled seconds, then by hash
};
/// The same whatever the order of the results, and however often one of them is there. Errors "bad_input": a result's
/// unit is not among `all`, or two results of one unit differ.
[[nodiscard]] Result<Merged> merge(const std::vector<Unit>& all, std::span<const UnitResult> results);

} // namespace kernelarium::mugraph
