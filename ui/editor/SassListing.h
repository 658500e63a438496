// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/PtxListing.h"

namespace kernelarium::ui {

/// Reads what nvdisasm prints with source lines (inlined ones followed to the user's file), encodings and live
/// registers. Of each instruction a line stays: offset, instruction, and behind it what the encoding says of its
/// scheduling and how many registers are live. The rest (directives, encodings) is detail.
[[nodiscard]] PtxListing readSass(const QString& text, const std::stop_token& stop = {},
                                  const QString& userFile = QStringLiteral("kernel.cu"));

/// The scheduling that the upper half of a 128-bit instruction carries, as sass::text() has it.
[[nodiscard]] QString controlText(quint64 upperHalf);

} // namespace kernelarium::ui
