// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/cubin/Cubin.h"
#include "core/sass/hazards/Distances.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::sass {

/// Which rule a variant breaks.
enum class ProofRule {
    sameFile,         ///< all but the kernels' code is the same
    followed,         ///< all of a changed kernel's code is understood, and it is known where each branch leads
    sameInstructions, ///< a block holds the instructions that it held
    order,            ///< what depends on one another stands in its order
    place,            ///< fences and listed instructions keep their places and stalls
    scoreboards,      ///< which scoreboards an instruction sets and waits for does not change
    encoding,         ///< stall and yield as ptxas pairs them
    reuse,            ///< an operand stays cached only up to the instruction that it was kept for
    hazard,           ///< nothing is read or written while it is under way
    distance,         ///< nothing with a fixed latency is read or written too soon
};

[[nodiscard]] std::string_view name(ProofRule rule);

/// Why a variant is not proved: the rule, the hazard in words, and where.
struct Refusal {
    ProofRule rule = ProofRule::sameFile;
    std::string kernel;      ///< mangled; empty for sameFile
    std::int64_t place = -1; ///< in the variant's code; -1 where it is none
    std::string text;
};

/// What was looked at.
struct ProofCounts {
    int kernels = 0; ///< with changed code
    int instructions = 0;
    int moved = 0;
    int stallsLowered = 0;
    int stallsRaised = 0;
    long dependences = 0; ///< distances and hazards that were met
};

struct ScheduleProof {
    std::optional<Refusal> refusal; ///< none: proved
    ProofCounts counts;

    [[nodiscard]] bool isProved() const { return !refusal; }
};

/// What "proved" takes for granted; to be shown beside it.
[[nodiscard]] const std::vector<std::string>& proofAssumptions();

/// Holds a variant against the cubin that it was made from: does it compute, instruction for instruction, the same?
/// From the bytes of the two files alone. A distance may shrink down to the least one that the table has for such a
/// pair (or, where the pair is rare, to the largest floor of its two units), never behind a matrix product.
[[nodiscard]] ScheduleProof proveSchedule(const Cubin& original, const Cubin& variant, const DistanceTable& table);

/// The same for one kernel's code. `listed`: see KernelCode.
[[nodiscard]] ScheduleProof proveCode(const std::vector<Word>& original, const std::vector<Word>& variant,
                                      const std::set<std::int64_t>& listed, int computeCapability,
                                      const DistanceTable& table);

} // namespace kernelarium::sass
