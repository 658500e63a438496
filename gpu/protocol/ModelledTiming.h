// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/protocol/ProfileMessages.h"

#include <string>

namespace kernelarium::protocol {

/// A profile as a session keeps it: one modelled time of a whole call, with its FLOPs and the device memory's bytes.
/// `device`: the id of the specification that it was modelled for.
[[nodiscard]] session::Timing modelledTiming(const ProfileSummary& profile, const std::string& device);

/// The launches' counters and notes, as an attempt keeps them: {"size", "launches": [core/perf/Counters.h], "notes"}.
[[nodiscard]] std::string countersText(const ProfileSummary& profile);

} // namespace kernelarium::protocol
