// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingMonitor.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace kernelarium::device {

namespace {

constexpr int multiprocessorClock = 1; // NVML_CLOCK_SM
constexpr const char* withoutIt =
    "Clocks and energy stay unknown, so that no sample is dropped for a low clock; times are measured all the same.";

} // namespace

/// The library once it has started. Starting it looks at every GPU of the machine, so it is left running.
struct DeviceMonitor::Library {
    process::DynamicLibrary library;
    int (*start)() = nullptr;
    int (*byBus)(const char*, Handle*) = nullptr;
    int (*clock)(Handle, int, unsigned*) = nullptr;
    int (*highest)(Handle, int, unsigned*) = nullptr;
    int (*energy)(Handle, unsigned long long*) = nullptr;
    int (*version)(char*, unsigned) = nullptr;

    /// The one that runs; opened and started the first time. Errors: those of DeviceMonitor::open.
    static Result<std::shared_ptr<const Library>> started(const std::string& name);

private:
    bool find() {
        return library.find("nvmlInit_v2", start) && library.find("nvmlDeviceGetHandleByPciBusId_v2", byBus) &&
               library.find("nvmlDeviceGetClockInfo", clock) && library.find("nvmlDeviceGetMaxClockInfo", highest) &&
               library.find("nvmlDeviceGetTotalEnergyConsumption", energy) &&
               library.find("nvmlSystemGetDriverVersion", version);
    }
};

Result<std::shared_ptr<const DeviceMonitor::Library>> DeviceMonitor::Library::started(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const Library>> running;
    const std::lock_guard lock(mutex);
    if (const auto known = running.find(name); known != running.end()) return known->second;
    Result<process::DynamicLibrary> loaded = process::DynamicLibrary::open(name);
    if (!loaded)
        return Error{"missing_component", "NVIDIA's management library (" + name + ") is not there.", withoutIt,
                     loaded.error().detail};
    auto fresh = std::make_shared<Library>();
    fresh->library = std::move(*loaded);
    if (!fresh->find()) return Error{"missing_component", name + " lacks functions that are needed.", withoutIt};
    if (const int status = fresh->start(); status != 0)
        return Error{"missing_component", fmt::format("{} does not start (status {}).", name, status), withoutIt};
    running.emplace(name, fresh);
    return std::shared_ptr<const Library>(std::move(fresh));
}

Result<std::unique_ptr<DeviceMonitor>> DeviceMonitor::open(const DeviceContext& context, const std::string& library) {
    Result<std::shared_ptr<const Library>> running = Library::started(library);
    if (!running) return running.error();
    std::unique_ptr<DeviceMonitor> monitor(new DeviceMonitor(std::move(*running)));
    std::array<char, 64> bus{};
    const DriverStatus named = context.api().cuDeviceGetPCIBusId(bus.data(), int(bus.size()), context.info().ordinal);
    const int status = named == driverSuccess ? monitor->m_library->byBus(bus.data(), &monitor->m_device) : named;
    if (status != 0)
        return Error{"missing_component", fmt::format("{} does not find the GPU (status {}).", library, status),
                     withoutIt};
    return monitor;
}

double DeviceMonitor::clockMHz() const {
    unsigned clock = 0;
    return m_library->clock(m_device, multiprocessorClock, &clock) == 0 ? clock : 0;
}

double DeviceMonitor::highestClockMHz() const {
    unsigned clock = 0;
    return m_library->highest(m_device, multiprocessorClock, &clock) == 0 ? clock : 0;
}

std::optional<double> DeviceMonitor::energyJoules() const {
    unsigned long long millijoules = 0;
    if (m_library->energy(m_device, &millijoules) != 0) return {};
    return double(millijoules) / 1000;
}

std::string DeviceMonitor::driverVersion() const {
    std::array<char, 96> text{};
    return m_library->version(text.data(), unsigned(text.size())) == 0 ? std::string(text.data()) : std::string();
}

} // namespace kernelarium::device
