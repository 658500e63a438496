// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace kernelarium::ui {

// core/quantities with the separators of the reader's locale: everywhere in the window the same.

[[nodiscard]] QString numberText(double value, int digits = 3);       ///< "0.25", "14.1", "1,234", "1.2e-07"
[[nodiscard]] QString siText(double value, const QString& unit = {}); ///< "3.35 TB/s", "12.3 M"
[[nodiscard]] QString bytesText(double bytes);                        ///< "1.5 MB", powers of ten
[[nodiscard]] QString wholeText(std::int64_t count);                  ///< "8,192"
[[nodiscard]] QString percentText(double share);                      ///< "61%"; "–" for NaN

/// "4.27 µs", "1.3 ms"; five digits are for times that are to be told apart: "1.0105 ms".
[[nodiscard]] QString secondsText(double seconds, int digits = 3);
/// "0.00915 ms": always in milliseconds, beside an axis of them.
[[nodiscard]] QString axisTimeText(double milliseconds);
/// "34.700", for columns of times: three or more significant digits, without unit. Empty for NaN.
[[nodiscard]] QString millisecondsText(double milliseconds);
/// "45 s", "4 min", "1.5 h"; "unknown" for NaN.
[[nodiscard]] QString timeLeftText(double seconds);

/// "2.41×", "0.0042×"; empty for NaN; "–" for the 0 of a wrong kernel.
[[nodiscard]] QString speedupText(double ratio);

} // namespace kernelarium::ui
