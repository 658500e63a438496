// SPDX-License-Identifier: GPL-3.0-or-later
// How quantities are written for people: the window, the command line and the reports all use these. Numbers in JSON
// and CSV are written in full by those who write them.
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::quantities {

/// `digits` significant digits, but whole digits are never rounded away, trailing zeros are dropped and thousands are
/// separated: "0.25", "14.1", "1,234"; "1.2e-07" below 1e-4 and from 1e9 on; "NaN", "∞", "-∞".
[[nodiscard]] std::string number(double value, int digits = 3);

/// A whole number with separated thousands: "8,192".
[[nodiscard]] std::string count(double value);
/// "1 warp", "8,192 warps". Without `many` the plural is `one` with an s.
[[nodiscard]] std::string counted(double value, std::string_view one, std::string_view many = {});

/// With an SI prefix from p to E: si(3.35e12, "B/s") is "3.35 TB/s"; without a unit "12.3 M".
[[nodiscard]] std::string si(double value, std::string_view unit, int digits = 3);
/// "999 B", "16.8 MB": powers of ten.
[[nodiscard]] std::string bytes(double value);

/// "340 ns", "4.27 µs", "1.3 ms", "1,234 s".
[[nodiscard]] std::string seconds(double value, int digits = 3);
/// An estimate, as coarse as one: "45 s", "4 min", "1.5 h"; "unknown" for NaN.
[[nodiscard]] std::string timeLeft(double seconds);

/// Of a share, 1 being the whole: "61%". Below 10% two significant digits ("0.62%"). "0%" and "100%" are said of exact
/// values only: next to them stand "<0.0001%", "99.7%", "99.96%" and ">99.99%"; likewise "100.3%".
[[nodiscard]] std::string percent(double share);

/// Of a ratio: "2.41×"; two significant digits below 0.1: "0.0042×".
[[nodiscard]] std::string times(double ratio);

} // namespace kernelarium::quantities
