// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Measurement.h"

#include <filesystem>
#include <span>

namespace kernelarium::hgemm {

/// What a search chose for a shape in a mode.
struct BestRow {
    std::string device; ///< "NVIDIA H200"
    Shape shape;
    Mode mode = Mode::hot;
    Configuration configuration;
    double seconds = 0;   ///< measured when it was chosen
    double autotuned = 0; ///< cuBLASLt's then, its better layout; 0: not measured
    /// What ours has to gain over cuBLASLt in a search: with less it was as often the slower one in a fresh process. Of
    /// wall time nothing, where a library's call takes the processor longer.
    static constexpr double leastGain = 1.005;
    /// Whether cuBLASLt is called instead.
    [[nodiscard]] bool fallsBackIn(Mode asked) const {
        return autotuned > 0 && seconds * (isWallTime(asked) ? 1 : leastGain) > autotuned;
    }
};

/// Lines of CSV: device,mnk,mode,seconds,autotuned,configuration. Each row's times are finite, and its configuration is
/// one that there is and that takes the shape; no device has a shape twice in one mode, layout and kind of sums. Error
/// "bad_table" with the line and what is wrong there.
[[nodiscard]] Result<std::vector<BestRow>> parseBestTable(std::string_view text);
[[nodiscard]] Result<std::vector<BestRow>> readBestTable(const std::filesystem::path& path);
[[nodiscard]] std::string bestTableText(std::span<const BestRow> rows);
/// The table that is shipped (resources/hgemm/best.csv): where each row was measured is in it.
[[nodiscard]] const std::vector<BestRow>& shippedBestTable();

/// In which mode the kernel for another one is chosen: that of a server, which finds the cache cold, in cold; of calls
/// that are waited for one by one, which find it warm, in hot.
[[nodiscard]] Mode chosenIn(Mode mode);

/// The row of the shape, mode and kind of sums; else of the nearest shape, by the product of the extents' ratios; null
/// where there is none of these, or no near one's configuration takes the shape. The rows are those of one device
/// (TableDevices.h).
[[nodiscard]] const BestRow* bestFor(std::span<const BestRow> rows, const Shape& shape, Mode mode,
                                     bool halfSums = false);

/// "64x128x1024" or "64_128_1024"; one number is a cube. Empty where it is no shape.
[[nodiscard]] std::optional<Shape> shapeOf(std::string_view text);
/// Of CSV with a column mnk, as published tables have it, or plain lines of shapes. Errors: "unreadable_file",
/// "bad_table".
[[nodiscard]] Result<std::vector<Shape>> readShapes(const std::filesystem::path& path);

} // namespace kernelarium::hgemm
