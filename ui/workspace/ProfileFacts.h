// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/worker/ProfileMessages.h"

#include <QString>
#include <string>

namespace kernelarium::ui {

/// A profile as one modelled time of a whole call.
[[nodiscard]] session::Timing timingOf(const worker::ProfileSummary& profile, const QString& device);
/// The launches' counters and what the model made of them, as an attempt keeps them.
[[nodiscard]] std::string countersJsonOf(const worker::ProfileSummary& profile);

} // namespace kernelarium::ui
