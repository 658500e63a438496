// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/DeviceContext.h"

#include <fmt/format.h>

namespace kernelarium::device {

Result<std::shared_ptr<DeviceContext>> DeviceContext::open(std::shared_ptr<const Driver> driver, int ordinal) {
    Result<DeviceInfo> info = describeDevice(*driver, ordinal);
    if (!info) return info.error();
    std::shared_ptr<DeviceContext> context(new DeviceContext);
    context->m_driver = std::move(driver);
    context->m_info = std::move(*info);
    const DriverApi& api = context->api();
    const std::string doing = "Opening " + context->m_info.name;
    if (auto found = context->check(api.cuDeviceGet(&context->m_device, ordinal), doing); !found) return found.error();
    if (auto opened = context->check(api.cuDevicePrimaryCtxRetain(&context->m_context, context->m_device), doing);
        !opened)
        return opened.error();
    if (auto current = context->makeCurrent(); !current) return current.error();
    return context;
}

DeviceContext::~DeviceContext() {
    // A lost context goes with the process; releasing one in which a kernel never ends would wait for ever.
    if (m_context && !isLost()) api().cuDevicePrimaryCtxRelease(m_device);
}

Result<void> DeviceContext::makeCurrent() {
    if (isLost()) return lostError();
    return check(api().cuCtxSetCurrent(m_context), "Using " + m_info.name);
}

Result<void> DeviceContext::check(DriverStatus status, std::string_view doing) {
    if (status == driverSuccess) return {};
    if (losesContext(status)) lose(fmt::format("{}: {}.", doing, m_driver->statusText(status)));
    return m_driver->check(status, doing);
}

void DeviceContext::lose(std::string reason) {
    if (m_lostReason.empty()) m_lostReason = std::move(reason);
}

Error DeviceContext::lostError() const {
    return {"device_lost", "The GPU's context was lost: " + m_lostReason,
            "The run process is started again; try again."};
}

Result<DeviceContext::MemoryState> DeviceContext::memory() {
    if (isLost()) return lostError();
    std::size_t free = 0, total = 0;
    if (auto known = check(api().cuMemGetInfo(&free, &total), "Asking for free device memory"); !known)
        return known.error();
    return MemoryState{free, total};
}

} // namespace kernelarium::device
