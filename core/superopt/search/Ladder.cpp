// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/Ladder.h"

#include <fmt/format.h>

namespace kernelarium::superopt {

namespace {

using Standing = RungVerdict::Standing;

std::string evidenceText(const proof::Evidence& evidence) {
    if (evidence.outcome == proof::Outcome::doesNotApply) return evidence.reason;
    if (evidence.outcome == proof::Outcome::passed) return evidence.drawn;
    if (!evidence.counterexample) return evidence.reason;
    const proof::Counterexample& at = *evidence.counterexample;
    std::string element;
    for (const std::int64_t index : at.element)
        element += fmt::format("{}{}", element.empty() ? "" : ", ", index);
    return fmt::format("{}{}In output {} at [{}]{} (seed {}, draw {}): expected {}, got {}.", evidence.reason,
                       evidence.reason.empty() ? "" : " ", at.output, element,
                       at.size.empty() ? "" : ", size " + at.size, at.seed, at.draw, at.expected, at.got);
}

} // namespace

Climb climbOf(const proof::Proof& proof) {
    Climb climb;
    std::string exact; // a rung that said equal
    for (const proof::Evidence& evidence : proof.rungs) {
        const Standing standing = evidence.outcome == proof::Outcome::passed   ? Standing::stood
                                  : evidence.outcome == proof::Outcome::failed ? Standing::fell
                                                                               : Standing::undecided;
        climb.rungs.push_back({std::string(proof::name(evidence.rung)), standing, evidenceText(evidence)});
        if (standing == Standing::stood && evidence.rung < proof::Rung::float64) exact = climb.rungs.back().name;
        if (standing == Standing::fell && evidence.rung == proof::Rung::float64 && !exact.empty())
            climb.fault = fmt::format("The rung {} let it pass and float64 refuses it.", exact);
    }
    climb.proven = proof.verdict == proof::Verdict::equal;
    return climb;
}

} // namespace kernelarium::superopt
