// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/sass/hazards/HazardWalk.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::sass {

/// The smallest distances (cycles from issue to issue) that an assembler keeps between instructions that depend on one
/// another with a fixed latency: what it takes to be enough. Collected by us from code that ptxas wrote for our own
/// kernels (`schedule mine`, archive_data/mine_distances.py); nothing of it is taken from a tool's tables.
///
/// A dependence is named finely, because latencies differ by both instructions, by the operand that reads and by the
/// half of a wide result, and by the generation of the GPU: "9 raw R IMAD.WIDE+1>FFMA.A".
class DistanceTable {
public:
    /// Below so many observations a least distance says little, and is not used.
    static constexpr long enough = 50;

    /// A distance counts when it was met that often: fewer may be of paths that no thread takes, where less is enough.
    static constexpr long attested = 10;

    struct Entry {
        std::string units;       ///< distanceUnitKey
        int least = 0;           ///< the least that is attested
        long count = 0;          ///< how often the dependence was met at all
        long countOfLeast = 0;   ///< how often at this distance
        std::map<int, long> met; ///< all distances; empty for a table that was read
        /// Met so often at its least that this is what the assembler aims at.
        [[nodiscard]] bool isFloor() const {
            return count >= enough && countOfLeast >= attested && countOfLeast * 20 >= count;
        }
        void add(int distance, long times);
    };

    void take(const std::string& key, const std::string& unitKey, int distance);
    void take(const DistanceTable& other);

    /// The least distance of a dependence that was met often enough.
    [[nodiscard]] std::optional<int> least(const std::string& key) const;
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return m_entries; }

    /// For pairs that are seldom met: the largest distance that is plainly a floor (met again and again, and never
    /// less) among all pairs of the same kind and the same two units. `unitKey`: see distanceUnitKey.
    [[nodiscard]] std::optional<int> floorOfUnits(const std::string& unitKey) const;

    /// "dependence,units,least,count,count_of_least" and a line for each; those that were met often enough.
    [[nodiscard]] std::string csv() const;
    /// Errors: "bad_input" with the line's number.
    static Result<DistanceTable> fromCsv(std::string_view text);

private:
    std::map<std::string, Entry> m_entries;
    std::map<std::string, int> m_floors; ///< by units
};

/// The name of a distance that was observed; hazards have none.
[[nodiscard]] std::string distanceKey(const std::vector<Instruction>& code, const Observation& observation,
                                      int computeCapability);

/// The same for all instructions of the two units: "9 raw R integer>floating-point", of guards "...>guard".
[[nodiscard]] std::string distanceUnitKey(const std::vector<Instruction>& code, const Observation& observation,
                                          int computeCapability);

/// All distances of a kernel as it stands.
[[nodiscard]] DistanceTable distancesOf(const std::vector<Instruction>& code, int computeCapability);

/// Our own table: from resources/schedule/distances.csv, over the starter kernels on sm_80, 86, 89 and 90.
[[nodiscard]] const DistanceTable& minedDistances();
/// Which assembler it was mined from: "ptxas 13.0.88".
[[nodiscard]] std::string_view minedFrom();

} // namespace kernelarium::sass
