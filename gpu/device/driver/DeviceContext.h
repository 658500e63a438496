// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceInfo.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kernelarium::device {

/// This process's place on one GPU: its primary context. One thread at a time; makeCurrent() takes it over.
///
/// A context that a kernel's fault has destroyed, or in which a kernel runs that nobody can stop, is lost for good: the
/// process has to end. Everything below says so with "device_lost" from then on, without asking the driver.
class DeviceContext {
public:
    /// Errors: as of Driver::check (a GPU that another program has to itself: "missing_component").
    static Result<std::shared_ptr<DeviceContext>> open(std::shared_ptr<const Driver> driver, int ordinal = 0);
    ~DeviceContext();
    DeviceContext(const DeviceContext&) = delete;
    DeviceContext& operator=(const DeviceContext&) = delete;

    [[nodiscard]] const Driver& driver() const { return *m_driver; }
    [[nodiscard]] const DriverApi& api() const { return m_driver->api(); }
    [[nodiscard]] const DeviceInfo& info() const { return m_info; }

    /// For the calling thread, before it makes any call of the driver.
    Result<void> makeCurrent();
    /// Ok on success; else the error, and the context is lost where the status says so.
    Result<void> check(DriverStatus status, std::string_view doing);

    /// From now on the context is lost; the first reason stays.
    void lose(std::string reason);
    [[nodiscard]] bool isLost() const { return !m_lostReason.empty(); }
    [[nodiscard]] const std::string& lostReason() const { return m_lostReason; } ///< a sentence; empty while it lives
    [[nodiscard]] Error lostError() const;

    struct MemoryState {
        std::uint64_t free = 0;
        std::uint64_t total = 0;
    };
    Result<MemoryState> memory();

private:
    DeviceContext() = default;

    std::shared_ptr<const Driver> m_driver;
    DeviceInfo m_info;
    DeviceOrdinal m_device = 0;
    ContextHandle m_context = nullptr;
    std::string m_lostReason;
};

} // namespace kernelarium::device
