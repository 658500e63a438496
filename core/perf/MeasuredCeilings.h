// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/perf/Roofline.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::perf {

/// One rate that a device was seen to reach.
struct Ceiling {
    /// "device_read", "device_write", "device_copy", "l2", "shared" in bytes/s; "fp32", "fp64", "fp16", "bf16" and
    /// "tensor_fp16", "tensor_bf16", "tensor_tf32", "tensor_fp64", "tensor_fp8", "tensor_int8" in operations/s, a
    /// multiply-add counted as two; "special" in results/s.
    std::string key;
    double rate = 0;     ///< the best of the samples
    double clockMHz = 0; ///< of the multiprocessors meanwhile; 0: not known
    std::string method;  ///< "wgmma", "mma.sync", ...: which instructions
};

/// The ceilings of one device as `device measure` found them.
struct MeasuredCeilings {
    std::string device; ///< "NVIDIA H200"
    std::string arch;
    std::string driver;
    double highestClockMHz = 0;
    std::int64_t dateMs = 0; ///< since 1970, UTC
    double seconds = 0;      ///< that measuring took
    std::vector<Ceiling> ceilings;
    std::vector<std::string> remarks; ///< what was not measured, and why

    [[nodiscard]] const Ceiling* find(std::string_view key) const;
};

/// For people: "device memory, read".
[[nodiscard]] std::string_view ceilingName(std::string_view key);
/// "B/s", "FLOP/s", "OP/s", "results/s"
[[nodiscard]] std::string_view ceilingUnit(std::string_view key);
/// The same rate in the maker's words; 0 where the data sheet has none.
[[nodiscard]] double datasheetRate(const DeviceSpec& device, std::string_view key);
/// Why a figure is unreliable: below 80% of the data sheet for device memory, 90% for float32 (the probe or the
/// machine is at fault, not the device). Empty where it may be.
[[nodiscard]] std::string whyNotTrusted(const Ceiling& ceiling, const DeviceSpec& device);

/// The roofs as measured: bandwidth of device memory is that of reading.
[[nodiscard]] Roofline rooflineOf(const MeasuredCeilings& ceilings, const DeviceSpec& device);

[[nodiscard]] nlohmann::json toJson(const MeasuredCeilings& ceilings);
/// Error "bad_input".
Result<MeasuredCeilings> measuredCeilingsFromJson(const nlohmann::json& json);

/// Where they are kept: $XDG_DATA_HOME/kernelarium/ceilings (else ~/.local/share/...), a file for each device's name.
[[nodiscard]] std::filesystem::path ceilingsFolder();
/// Replaces what was there, whole or not at all. Error "unwritable_file".
Result<std::filesystem::path> saveCeilings(const MeasuredCeilings& ceilings,
                                           const std::filesystem::path& folder = ceilingsFolder());
/// Empty where this device was never measured. Error "bad_input" for a file that is not what it should be.
Result<std::optional<MeasuredCeilings>> loadCeilings(std::string_view device,
                                                     const std::filesystem::path& folder = ceilingsFolder());
/// Of every device that was ever measured; files that are not what they should be are left out.
[[nodiscard]] std::vector<MeasuredCeilings> keptCeilings(const std::filesystem::path& folder = ceilingsFolder());
/// The newest of them that are of this device; null: it was never measured.
[[nodiscard]] const MeasuredCeilings* ceilingsOf(const std::vector<MeasuredCeilings>& kept, const DeviceSpec& device);

} // namespace kernelarium::perf
