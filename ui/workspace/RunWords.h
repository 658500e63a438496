// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/RunMessages.h"
#include "gpu/protocol/TimeMessages.h"

#include <QString>

namespace kernelarium::ui {

/// A plain run in one line: how it ended, and its outputs in figures.
[[nodiscard]] QString runSentence(const protocol::RunSummary& summary);
/// It is a problem: it did not finish, or an output has no meaning.
[[nodiscard]] bool isProblem(const protocol::RunSummary& summary);

/// A timing in one line: median, noise, samples; and who is faster, where two were timed in pairs.
[[nodiscard]] QString timeSentence(const protocol::TimeSummary& summary);
/// "A is 1.32 times as fast as B, faster with a probability of 0.9998 (30 of 32 pairs)".
[[nodiscard]] QString pairSentence(const protocol::PairedSummary& pairs, const QString& first);

} // namespace kernelarium::ui
