// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Look.h"

#include <cmath>
#include <utility>

namespace kernelarium::tuning {

namespace {

Outcome checkedOutcome(Outcome outcome) {
    if (outcome.value && !std::isfinite(*outcome.value)) outcome.value.reset();
    if (outcome.kind == Outcome::Kind::valued && !outcome.value) {
        outcome.kind = Outcome::Kind::failed;
        outcome.reason = "The evaluation gave no finite value.";
    }
    return outcome;
}

} // namespace

Result<Outcome> lookAt(Evaluation& evaluation, const Candidate& candidate, unsigned tries,
                       const std::stop_token& stop) {
    for (unsigned tried = 1;; ++tried) {
        auto outcome = evaluation.evaluate(candidate, stop);
        if (!outcome) return outcome;
        *outcome = checkedOutcome(std::move(*outcome));
        if (outcome->kind != Outcome::Kind::failed || tried >= tries || stop.stop_requested()) return outcome;
    }
}

} // namespace kernelarium::tuning
