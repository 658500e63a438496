// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/protocol/TimeMessages.h"

namespace kernelarium::protocol {

/// A timing as a session keeps it: the median of measured samples; FLOPs and compulsory bytes are those of
/// the card's task at that size (null: not known). Its detail has device, driver, clocks, samples and mode.
[[nodiscard]] session::Timing measuredTiming(const TimeSummary& summary, const task::Card* card);

/// The summary that a measured timing's detail holds. Error "protocol": another version wrote it, or it is a
/// modelled one.
Result<TimeSummary> summaryOf(const session::Timing& timing);

} // namespace kernelarium::protocol
