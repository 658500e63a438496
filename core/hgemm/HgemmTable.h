// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::hgemm {

/// C[m,n] = A[m,k] * B[k,n] in half precision.
struct Shape {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    auto operator<=>(const Shape&) const = default;
};

/// Published speed-ups of a set of matrix multiplication kernels over baselines, on one device.
struct HgemmTable {
    std::string device;    ///< "a100"
    std::string precision; ///< "F32F16F16F32": of C's accumulator, A, B and C
    std::string mode;      ///< "offline": calls back to back; "server": calls that come one by one
    std::string origin;    ///< the file it was read from
    std::vector<std::string>
        baselines; ///< "torch.matmul", "cuBLAS-max", ...: of the two layouts and the faster of both
    std::vector<Shape> shapes;
    std::vector<std::vector<double>>
        speedups; ///< by baseline, then by shape: the baseline's time over the kernel's; NaN: none

    /// "a100 F32F16F16F32 offline"
    [[nodiscard]] std::string title() const { return device + " " + precision + " " + mode; }
};

/// A table as it is published, comma-separated: a header "mnk,BASELINE,...", then lines "M_N_K,SPEEDUP,...";
/// an empty field is a missing value. Device, precision and mode come from the file's name,
/// "..._DEVICE_PRECISION_speedup_MODE.csv". Error "bad_hgemm" with the line.
Result<HgemmTable> parseHgemmTable(std::string_view text, std::string_view fileName);
/// Also "unreadable_file".
Result<HgemmTable> readHgemmTable(const std::filesystem::path& path);

/// What a table says of one baseline.
struct HgemmSummary {
    std::string baseline;
    std::int64_t shapes = 0; ///< with a value
    double geometricMean = 0;
    double median = 0;
    double shareSlower = 0; ///< of less than 1
    double worst = 0;
    Shape worstShape; ///< the first of them
    double best = 0;
    Shape bestShape;
};
std::vector<HgemmSummary> summarise(const HgemmTable& table); ///< NaN where no shape has a value

} // namespace kernelarium::hgemm
