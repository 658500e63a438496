// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/device/driver/DriverApi.h"
#include "gpu/process/DynamicLibrary.h"

#include <memory>
#include <string>
#include <string_view>

namespace kernelarium::device {

/// CUDA's driver library, loaded at run time and initialised. It stays loaded as long as this object lives.
class Driver {
public:
    /// Errors: "missing_component" where there is no such library, it lacks a function, or it finds no usable device
    /// (no card, no kernel module, a card in use by others): the message says which, the action what to do.
    static Result<std::shared_ptr<const Driver>> load(const std::string& library = "libcuda.so.1");

    [[nodiscard]] const DriverApi& api() const { return m_api; }
    /// The newest CUDA version that the driver runs, as 1000 * major + 10 * minor.
    [[nodiscard]] int version() const { return m_version; }
    [[nodiscard]] std::string versionText() const; ///< "13.0"

    /// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
    [[nodiscard]] std::string statusText(DriverStatus status) const;
    /// Ok on success, else driverError() of what was being done: "allocating 1.0 GB of device memory".
    [[nodiscard]] Result<void> check(DriverStatus status, std::string_view doing) const;

private:
    Driver() = default;
    [[nodiscard]] Result<void> resolve(const std::string& library);
    [[nodiscard]] Result<void> start();

    process::DynamicLibrary m_library;
    DriverApi m_api;
    int m_version = 0;
};

/// The error for a driver's status: code "missing_component" where the driver or the card cannot be used at all,
/// "out_of_memory", "device_lost" where the context is gone for good, else "device"; the action that fits.
[[nodiscard]] Error driverError(DriverStatus status, std::string_view statusText, std::string_view doing);

/// Whether the context is lost with this status, and with it everything in it: only a new process gets another.
[[nodiscard]] bool losesContext(DriverStatus status);

} // namespace kernelarium::device
