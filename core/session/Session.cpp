// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/Session.h"

namespace kernelarium::session {

std::string_view name(Timing::Origin origin) {
    switch (origin) {
    case Timing::Origin::archived: return "archived";
    case Timing::Origin::measured: return "measured";
    case Timing::Origin::modelled: return "modelled";
    }
    return "modelled";
}

std::optional<Timing::Origin> parseOrigin(std::string_view word) {
    for (const auto origin : {Timing::Origin::archived, Timing::Origin::measured, Timing::Origin::modelled})
        if (name(origin) == word) return origin;
    return std::nullopt;
}

const Timing* AttemptSummary::best(Timing::Origin origin) const {
    const Timing* best = nullptr;
    for (auto timing = timings.rbegin(); timing != timings.rend(); ++timing) {
        if (timing->origin != origin) continue;
        if (best == nullptr)
            best = &*timing;
        else if (timing->size == best->size && timing->device == best->device &&
                 timing->milliseconds < best->milliseconds)
            best = &*timing;
    }
    return best;
}

} // namespace kernelarium::session
