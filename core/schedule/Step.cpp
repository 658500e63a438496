// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Step.h"

namespace kernelarium::schedule {

std::string_view name(Fate fate) {
    switch (fate) {
    case Fate::start: return "start";
    case Fate::control: return "control";
    case Fate::accepted: return "accepted";
    case Fate::refused: return "refused";
    case Fate::faulted: return "faulted";
    case Fate::unproved: return "unproved";
    case Fate::failed: break;
    }
    return "failed";
}

} // namespace kernelarium::schedule
