// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/DeviceEvent.h"

namespace kernelarium::device {

DeviceEvent::DeviceEvent(DeviceContext& context)
    : m_context(context) {
    constexpr unsigned plain = 0; // CU_EVENT_DEFAULT
    m_status = m_context.api().cuEventCreate(&m_event, plain);
    if (m_status != driverSuccess) m_event = nullptr;
}

DeviceEvent::~DeviceEvent() {
    if (m_event && !m_context.isLost()) m_context.api().cuEventDestroy(m_event);
}

bool DeviceEvent::record(StreamHandle stream) {
    if (m_event) m_status = m_context.api().cuEventRecord(m_event, stream);
    return m_event && m_status == driverSuccess;
}

double DeviceEvent::secondsBetween(const DeviceEvent& from, const DeviceEvent& to) {
    float milliseconds = 0;
    if (from.m_context.api().cuEventElapsedTime(&milliseconds, from.m_event, to.m_event) != driverSuccess) return 0;
    return double(milliseconds) / 1000;
}

} // namespace kernelarium::device
