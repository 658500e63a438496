// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceContext.h"
#include "gpu/host/backend/Backend.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::device {

/// A compiled file's device code in the GPU, variables as initialised; unloaded with the object.
class DeviceModule {
public:
    /// Loads the cubin; where the driver has no use for it (made for another architecture), the PTX, which it compiles
    /// itself: usedPtx() then says so. Nothing is loaded where there are no kernels (both are empty).
    /// Errors: "missing_component" (the driver is too old for either), "device_lost", "device" with the driver's log.
    static Result<std::unique_ptr<DeviceModule>> load(std::shared_ptr<DeviceContext> context,
                                                      std::span<const std::byte> cubin, const std::string& ptx);
    ~DeviceModule();
    DeviceModule(const DeviceModule&) = delete;
    DeviceModule& operator=(const DeviceModule&) = delete;

    /// By mangled name; null where the module has no such kernel.
    [[nodiscard]] FunctionHandle function(std::string_view mangled) const;
    [[nodiscard]] std::optional<host::DeviceSymbol> symbol(std::string_view mangled) const;
    [[nodiscard]] int attribute(FunctionHandle function, int which) const; ///< CUfunction_attribute; 0 where refused
    /// Whether the kernels' PTX has this name in it.
    [[nodiscard]] bool mentions(std::string_view mangled) const { return m_ptx.find(mangled) != std::string::npos; }
    [[nodiscard]] bool usedPtx() const { return m_usedPtx; }

private:
    explicit DeviceModule(std::shared_ptr<DeviceContext> context)
        : m_context(std::move(context)) {}
    [[nodiscard]] Result<void> loadPtx(const std::string& ptx);

    std::shared_ptr<DeviceContext> m_context;
    ModuleHandle m_module = nullptr;
    bool m_usedPtx = false;
    std::string m_ptx;
    mutable std::map<std::string, FunctionHandle, std::less<>> m_functions; ///< looked up so far
};

} // namespace kernelarium::device
