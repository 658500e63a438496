// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/search/Limits.h"
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
