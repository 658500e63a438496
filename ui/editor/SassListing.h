// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/PtxListing.h"

namespace kernelarium::ui {

/// Reads what nvdisasm prints with source lines (inlined ones followed to the user's file), encodings and live
/// registers. Of each instruction a line stays: offset, instruction, and behind it what the encoding says of its
/// scheduling and how many registers are live. The rest (directives, encodings) is detail.
[[nodiscard]] PtxListing readSass(const QString& text, const std::stop_token& stop = {},
                                  const QString& userFile = QStringLiteral("kernel.cu"));

/// The scheduling that the upper half of a 128-bit instruction (Volta and later) carries: "B01----:R2:W-:Y:S04" waits
/// for barriers 0 and 1, sets barrier 2 when its operands are read, yields, stalls 4 cycles. Layout: Jia et al.,
/// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2.1.
[[nodiscard]] QString controlText(quint64 upperHalf);

} // namespace kernelarium::ui
