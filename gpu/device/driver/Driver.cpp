// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/Driver.h"

#include "gpu/device/driver/FunctionFinder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr const char* installDriver = "Install NVIDIA's driver (580 or newer for CUDA 13) and check that nvidia-smi "
                                      "lists a GPU, or use --backend emulator.";

void findMemory(FunctionFinder& find, DriverApi& api) {
    find("cuMemGetInfo_v2", api.cuMemGetInfo);
    find("cuMemAlloc_v2", api.cuMemAlloc);
    find("cuMemFree_v2", api.cuMemFree);
    find("cuMemcpyHtoD_v2", api.cuMemcpyHtoD);
    find("cuMemcpyDtoH_v2", api.cuMemcpyDtoH);
    find("cuMemcpyDtoD_v2", api.cuMemcpyDtoD);
    find("cuMemsetD8_v2", api.cuMemsetD8);
    find("cuMemsetD32_v2", api.cuMemsetD32);
    find("cuMemcpyDtoHAsync_v2", api.cuMemcpyDtoHAsync);
    find("cuMemcpyHtoDAsync_v2", api.cuMemcpyHtoDAsync);
    find("cuMemcpyDtoDAsync_v2", api.cuMemcpyDtoDAsync);
    find("cuMemsetD8Async", api.cuMemsetD8Async);
    find("cuMemsetD32Async", api.cuMemsetD32Async);
    find("cuMemAllocHost_v2", api.cuMemAllocHost);
    find("cuMemFreeHost", api.cuMemFreeHost);
}

void findDevices(FunctionFinder& find, DriverApi& api) {
    find("cuInit", api.cuInit);
    find("cuDriverGetVersion", api.cuDriverGetVersion);
    find("cuGetErrorName", api.cuGetErrorName);
    find("cuGetErrorString", api.cuGetErrorString);
    find("cuDeviceGetCount", api.cuDeviceGetCount);
    find("cuDeviceGet", api.cuDeviceGet);
    find("cuDeviceGetName", api.cuDeviceGetName);
    find("cuDeviceTotalMem_v2", api.cuDeviceTotalMem);
    find("cuDeviceGetAttribute", api.cuDeviceGetAttribute);
    find("cuDeviceGetPCIBusId", api.cuDeviceGetPCIBusId);
    find("cuDevicePrimaryCtxRetain", api.cuDevicePrimaryCtxRetain);
    find("cuDevicePrimaryCtxRelease_v2", api.cuDevicePrimaryCtxRelease);
    find("cuCtxSetCurrent", api.cuCtxSetCurrent);
    find("cuCtxSynchronize", api.cuCtxSynchronize);
}

void findLaunches(FunctionFinder& find, DriverApi& api) {
    find("cuModuleLoadDataEx", api.cuModuleLoadDataEx);
    find("cuModuleUnload", api.cuModuleUnload);
    find("cuModuleGetFunction", api.cuModuleGetFunction);
    find("cuModuleGetGlobal_v2", api.cuModuleGetGlobal);
    find("cuFuncGetAttribute", api.cuFuncGetAttribute);
    find("cuFuncSetAttribute", api.cuFuncSetAttribute);
    find("cuLaunchKernel", api.cuLaunchKernel);
    find("cuLaunchCooperativeKernel", api.cuLaunchCooperativeKernel);
    find("cuLaunchKernelEx", api.cuLaunchKernelEx);
    find("cuTensorMapEncodeTiled", api.cuTensorMapEncodeTiled);
    find("cuStreamCreate", api.cuStreamCreate);
    find("cuStreamDestroy_v2", api.cuStreamDestroy);
    find("cuStreamWaitEvent", api.cuStreamWaitEvent);
    find("cuEventCreate", api.cuEventCreate);
    find("cuEventDestroy_v2", api.cuEventDestroy);
    find("cuEventRecord", api.cuEventRecord);
    find("cuEventQuery", api.cuEventQuery);
    find("cuEventElapsedTime", api.cuEventElapsedTime);
}

/// Statuses of cuInit and of a first context that mean: this machine has no GPU that can be used now.
bool meansNoDevice(DriverStatus status) {
    // not initialised, devices unavailable, no device, invalid device, system not ready, driver mismatch,
    // compatibility not supported
    constexpr std::array none{3, 46, driverNoDevice, 101, 802, 803, 804};
    return std::find(none.begin(), none.end(), status) != none.end();
}

} // namespace

bool losesContext(DriverStatus status) {
    // ECC uncorrectable, hardware stack, illegal instruction, address, misaligned, address space, pc, launch failed,
    // assert, launch timeout, context destroyed, tensor memory leak, contained, unknown
    constexpr std::array lost{214, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999};
    return std::find(lost.begin(), lost.end(), status) != lost.end();
}

Error driverError(DriverStatus status, std::string_view statusText, std::string_view doing) {
    const std::string message = fmt::format("{} failed: {}.", doing, statusText);
    if (meansNoDevice(status)) return {"missing_component", message, installDriver};
    if (status == driverOutOfMemory)
        return {"out_of_memory", message, "Use a smaller size, or end other programs that use the GPU."};
    if (status == driverUnsupportedPtx || status == driverInvalidImage || status == driverNoBinary)
        return {
            "missing_component", message,
            "The driver is older than the CUDA toolkit that compiled this: install a newer driver, or set CUDA_PATH "
            "to a toolkit of the driver's version."};
    if (losesContext(status))
        return {"device_lost", message,
                "The run process is started again; --backend emulator tells the line at fault."};
    return {"device", message, "Try again; if it happens again, check the GPU with nvidia-smi."};
}

Result<void> Driver::resolve(const std::string& library) {
    Result<process::DynamicLibrary> opened = process::DynamicLibrary::open(library);
    if (!opened)
        return Error{"missing_component", "There is no CUDA driver on this machine: " + library + " cannot be loaded.",
                     installDriver, opened.error().detail};
    m_library = std::move(*opened);
    FunctionFinder find(m_library);
    findDevices(find, m_api);
    findMemory(find, m_api);
    findLaunches(find, m_api);
    if (find.missing().empty()) return {};
    return Error{"missing_component",
                 fmt::format("{} lacks {} of the functions needed, {} first: it is not a driver of CUDA 12 or newer.",
                             library, find.missing().size(), find.missing().front()),
                 installDriver};
}

Result<void> Driver::start() {
    if (Result<void> begun = check(m_api.cuInit(0), "Starting the CUDA driver"); !begun) {
        // Whatever cuInit says, without it there is no GPU.
        Error error = begun.error();
        return Error{"missing_component", error.message, installDriver, error.detail};
    }
    if (Result<void> known = check(m_api.cuDriverGetVersion(&m_version), "Asking for the driver's version"); !known)
        return known;
    int count = 0;
    if (Result<void> counted = check(m_api.cuDeviceGetCount(&count), "Counting the GPUs"); !counted) return counted;
    if (count > 0) return {};
    return Error{"missing_component", "The CUDA driver finds no GPU.", installDriver};
}

Result<std::shared_ptr<const Driver>> Driver::load(const std::string& library) {
    std::shared_ptr<Driver> driver(new Driver);
    if (Result<void> found = driver->resolve(library); !found) return found.error();
    if (Result<void> started = driver->start(); !started) return started.error();
    return std::shared_ptr<const Driver>(std::move(driver));
}

std::string Driver::versionText() const {
    return fmt::format("{}.{}", m_version / 1000, m_version % 1000 / 10);
}

std::string Driver::statusText(DriverStatus status) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (m_api.cuGetErrorName(status, &name) != driverSuccess || !name) return fmt::format("CUDA error {}", status);
    if (m_api.cuGetErrorString(status, &text) != driverSuccess || !text) return name;
    return fmt::format("{} ({})", name, text);
}

Result<void> Driver::check(DriverStatus status, std::string_view doing) const {
    if (status == driverSuccess) return {};
    return driverError(status, statusText(status), doing);
}

} // namespace kernelarium::device
