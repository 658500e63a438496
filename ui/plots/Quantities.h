// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

/// Three significant digits with an SI prefix: "3.35 TB/s", "0.25 FLOP/byte" has no use for one: see plainText().
[[nodiscard]] QString siText(double value, const QString& unit);
/// Three significant digits without a prefix or trailing zeros: "0.25", "14.1", "1234".
[[nodiscard]] QString plainText(double value);
/// "4.27 µs", "1.3 ms".
[[nodiscard]] QString timeText(double seconds);
/// "0.00915 ms": always in milliseconds, beside an axis of them.
[[nodiscard]] QString axisTimeText(double milliseconds);
/// Five significant digits: for times that are to be told apart, "1.0105 ms".
[[nodiscard]] QString fineTimeText(double seconds);
/// "41%", "0.62%".
[[nodiscard]] QString percentText(double share);

} // namespace kernelarium::ui
