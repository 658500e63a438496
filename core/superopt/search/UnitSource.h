// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::superopt {

/// What an exploration has counted.
struct StateCounts {
    std::uint64_t states = 0;
    std::map<std::string, std::uint64_t> pruned; ///< states that were given up, by reason
};

/// A graph that computes the target by what the enumeration knows of it: no rung of the ladder has looked at it yet.
struct FoundGraph {
    std::string hash;        ///< of its canonical form, one line: two graphs of one hash are the same
    std::string graph;       ///< a JSON object on one line; the same for the same hash
    std::uint64_t state = 0; ///< of its unit, from 1, at which it was complete
    double bound = 0;        ///< seconds that it takes at least, modelled; finite, the same for the same hash
};

struct Exploration {
    StateCounts counts;
    std::vector<FoundGraph> found; ///< in the order in which they were
};

/// What one rung of the ladder of checks said of a graph.
struct RungVerdict {
    enum class Standing {
        stood,
        fell,     ///< the graph is wrong: `evidence` says where
        undecided ///< it says nothing either way
    };
    std::string name;
    Standing standing = Standing::undecided;
    std::string evidence;
};

/// What the ladder said.
struct Climb {
    std::vector<RungVerdict> rungs; ///< from the first, up to the one that refused it
    bool proven = false;            ///< it stood all that is needed to call it right
    /// Why rungs disagree, where one refused what an earlier one should have: a fault of ours and not of the graph.
    std::string fault;
};

/// A space of graphs in parts that are explored each on its own: the same units, and in each the same graphs at the
/// same states, in every run and whatever other units have found. All but units() is called from several threads at
/// once.
class UnitSource {
public:
    virtual ~UnitSource() = default;
    /// What makes it this space: the card's hash, the generator's version, the limits. Stores of one search agree in
    /// all of it.
    [[nodiscard]] virtual std::map<std::string, std::string> identity() const = 0;
    /// The keys of all units, one line each, always in the same order. Errors: "cancelled", and what makes the search
    /// impossible.
    [[nodiscard]] virtual Result<std::vector<std::string>> units(const std::stop_token& stop) = 0;
    /// Explores one. `tell` is called with what is counted by then, now and then. Errors: "cancelled" at a stop,
    /// another ends the whole search.
    [[nodiscard]] virtual Result<Exploration> explore(const std::string& unit,
                                                      const std::function<void(const StateCounts&)>& tell,
                                                      const std::stop_token& stop) const = 0;
    /// Holds a graph against the target, rung by rung. Errors as explore().
    [[nodiscard]] virtual Result<Climb> climb(const FoundGraph& graph, const std::stop_token& stop) const = 0;
};

} // namespace kernelarium::superopt
