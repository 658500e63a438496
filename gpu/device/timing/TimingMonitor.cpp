// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingMonitor.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr int multiprocessorClock = 1; // NVML_CLOCK_SM
constexpr const char* withoutIt =
    "Clocks and energy stay unknown, so that no sample is dropped for a low clock; times are measured all the same.";

} // namespace

bool DeviceMonitor::find() {
    return m_library.find("nvmlInit_v2", m_start) && m_library.find("nvmlShutdown", m_shutdown) &&
           m_library.find("nvmlDeviceGetHandleByPciBusId_v2", m_byBus) &&
           m_library.find("nvmlDeviceGetClockInfo", m_clock) &&
           m_library.find("nvmlDeviceGetMaxClockInfo", m_highest) &&
           m_library.find("nvmlDeviceGetTotalEnergyConsumption", m_energy) &&
           m_library.find("nvmlSystemGetDriverVersion", m_version);
}

Result<std::unique_ptr<DeviceMonitor>> DeviceMonitor::open(const DeviceContext& context, const std::string& library) {
    std::unique_ptr<DeviceMonitor> monitor(new DeviceMonitor);
    Result<process::DynamicLibrary> loaded = process::DynamicLibrary::open(library);
    if (!loaded)
        return Error{"missing_component", "NVIDIA's management library (" + library + ") is not there.", withoutIt,
                     loaded.error().detail};
    monitor->m_library = std::move(*loaded);
    if (!monitor->find()) return Error{"missing_component", library + " lacks functions that are needed.", withoutIt};
    if (const int status = monitor->m_start(); status != 0) {
        monitor->m_shutdown = nullptr;
        return Error{"missing_component", fmt::format("{} does not start (status {}).", library, status), withoutIt};
    }
    std::array<char, 64> bus{};
    const DriverStatus named = context.api().cuDeviceGetPCIBusId(bus.data(), int(bus.size()), context.info().ordinal);
    const int status = named == driverSuccess ? monitor->m_byBus(bus.data(), &monitor->m_device) : named;
    if (status != 0)
        return Error{"missing_component", fmt::format("{} does not find the GPU (status {}).", library, status),
                     withoutIt};
    return monitor;
}

DeviceMonitor::~DeviceMonitor() {
    if (m_shutdown) m_shutdown();
}

double DeviceMonitor::clockMHz() const {
    unsigned clock = 0;
    return m_clock(m_device, multiprocessorClock, &clock) == 0 ? clock : 0;
}

double DeviceMonitor::highestClockMHz() const {
    unsigned clock = 0;
    return m_highest(m_device, multiprocessorClock, &clock) == 0 ? clock : 0;
}

std::optional<double> DeviceMonitor::energyJoules() const {
    unsigned long long millijoules = 0;
    if (m_energy(m_device, &millijoules) != 0) return {};
    return double(millijoules) / 1000;
}

std::string DeviceMonitor::driverVersion() const {
    std::array<char, 96> text{};
    return m_version(text.data(), unsigned(text.size())) == 0 ? std::string(text.data()) : std::string();
}

} // namespace kernelarium::device
