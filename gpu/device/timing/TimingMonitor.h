// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/device/driver/DeviceContext.h"
#include "gpu/process/DynamicLibrary.h"

#include <memory>
#include <optional>
#include <string>

namespace kernelarium::device {

/// What NVIDIA's management library tells about a GPU while it works. It comes with the driver; containers leave it out
/// at times. It only looks: no setting of the card is ever changed.
class DeviceMonitor {
public:
    /// Errors: "missing_component" with what is absent or refused.
    static Result<std::unique_ptr<DeviceMonitor>> open(const DeviceContext& context,
                                                       const std::string& library = "libnvidia-ml.so.1");

    [[nodiscard]] double clockMHz() const;                    ///< of the multiprocessors, now; 0 where it is not told
    [[nodiscard]] double highestClockMHz() const;             ///< that they can have; 0 where it is not told
    [[nodiscard]] std::optional<double> energyJoules() const; ///< since the driver was loaded
    [[nodiscard]] std::string driverVersion() const;          ///< "580.65.06"; may be empty

private:
    using Handle = struct OpaqueMonitored*;
    struct Library;
    explicit DeviceMonitor(std::shared_ptr<const Library> library)
        : m_library(std::move(library)) {}

    std::shared_ptr<const Library> m_library;
    Handle m_device = nullptr;
};

} // namespace kernelarium::device
