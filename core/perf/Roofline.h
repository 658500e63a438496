// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/DeviceSpec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The roofline model: S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for
/// Multicore Architectures", Communications of the ACM 52(4), 2009:
///     attainable FLOP/s = min(peak FLOP/s, intensity * peak bytes/s),   intensity = FLOPs / bytes,
/// whose two sides meet at the ridge, peak FLOP/s / peak bytes/s. One slanted roof for each memory level, as in
/// C. Yang, T. Kurth, S. Williams, "Hierarchical Roofline Analysis for GPUs", Concurrency and Computation, 2020.
namespace kernelarium::perf {

/// What a roof of bandwidth is of.
enum class MemoryLevel { device, l2, shared };
/// What a roof of arithmetic is of.
enum class Precision { fp32, fp64, fp16, tensorFp16, tensorTf32, tensorFp64, tensorFp8, tensorInt8 };

[[nodiscard]] std::string_view name(MemoryLevel level);   ///< "device memory", "L2 cache", "shared memory and L1"
[[nodiscard]] std::string_view name(Precision precision); ///< "float32", "tensor float16", ...
[[nodiscard]] std::string_view key(MemoryLevel level);    ///< "device", "l2", "shared"
[[nodiscard]] std::string_view key(Precision precision);  ///< "fp32", "tensor_fp16", ...
[[nodiscard]] double elementBytes(Precision precision);   ///< of one operand in memory
[[nodiscard]] std::optional<Precision> parsePrecision(std::string_view key);

/// A bandwidth that cannot be exceeded.
struct MemoryRoof {
    MemoryLevel level = MemoryLevel::device;
    double bytesPerSecond = 0;
};

/// A rate of operations that cannot be exceeded.
struct ComputeRoof {
    Precision precision = Precision::fp32;
    double flopsPerSecond = 0; ///< a multiply-add counts as two
};

/// Intensity in FLOP/byte at which the two bound alike.
[[nodiscard]] double ridge(const MemoryRoof& memory, const ComputeRoof& compute);
/// FLOP/s at an intensity in FLOP/byte.
[[nodiscard]] double attainable(const MemoryRoof& memory, const ComputeRoof& compute, double intensity);

/// The roofs of one device. Datasheet peaks; a roof that the device does not have is absent.
struct Roofline {
    std::string device;               ///< its name
    std::vector<MemoryRoof> memory;   ///< device memory first, then ever nearer to the multiprocessors
    std::vector<ComputeRoof> compute; ///< in the order of Precision
    double l2Bytes = 0;
    double launchSeconds = 0;

    [[nodiscard]] const MemoryRoof* find(MemoryLevel level) const;
    [[nodiscard]] const ComputeRoof* find(Precision precision) const;
};

[[nodiscard]] Roofline rooflineOf(const DeviceSpec& spec);

/// What a kernel did, in the whole of one call.
struct Work {
    double flops = 0;
    double bytes = 0; ///< between device memory and the chip
    double seconds = 0;
    Precision precision = Precision::fp32;
};

/// Which roof is lower at an intensity.
enum class Bound { memory, compute };

/// Where a kernel stands under the roofs of device memory and of its precision.
struct Placement {
    double intensity = 0; ///< FLOP/byte
    double flopsPerSecond = 0;
    double bytesPerSecond = 0;
    double ridge = 0; ///< FLOP/byte
    Bound bound = Bound::memory;
    double attainable = 0; ///< FLOP/s at its intensity
    /// Of the bounding roof's rate, 0 to 1, more where the time or the bytes are not what they seem.
    double share = 0;
};

/// Errors: "bad_input" where time or bytes are not positive, or FLOPs are negative; "no_such_roof" where the device
/// lacks the precision. Without FLOPs the intensity is 0 and the share is that of the memory roof.
Result<Placement> place(const Roofline& roofline, const Work& work);

/// How the bytes of a point were found.
enum class ByteSource { compulsory, emulatorSectors, profiler, unknown };
/// "compulsory", "emulator sectors", "profiler"; anything else is unknown.
[[nodiscard]] ByteSource byteSourceFromWords(std::string_view words);

/// Why a point is where it is, in sentences for a reader who may not know the model.
[[nodiscard]] std::string explain(const Roofline& roofline, const Work& work, const Placement& placement,
                                  ByteSource source);

} // namespace kernelarium::perf
