// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceContext.h"

namespace kernelarium::device {

/// A moment in a stream's work; destroyed with the object unless the context is lost.
class DeviceEvent {
public:
    explicit DeviceEvent(DeviceContext& context);
    ~DeviceEvent();
    DeviceEvent(const DeviceEvent&) = delete;
    DeviceEvent& operator=(const DeviceEvent&) = delete;

    [[nodiscard]] bool isValid() const { return m_event != nullptr; }
    bool
    record(StreamHandle stream = nullptr); ///< of the default stream; false where the driver refuses: status() says why
    [[nodiscard]] EventHandle handle() const { return m_event; }
    [[nodiscard]] DriverStatus status() const { return m_status; } ///< of the last call

    /// Of two events that have passed; 0 where the driver does not say.
    [[nodiscard]] static double secondsBetween(const DeviceEvent& from, const DeviceEvent& to);

private:
    DeviceContext& m_context;
    EventHandle m_event = nullptr;
    DriverStatus m_status = driverSuccess;
};

} // namespace kernelarium::device
