// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

int writeText(CudaContext& c, std::uint64_t to, std::string_view text, std::size_t capacity) {
    if (capacity == 0) return cudaErrorInvalidValue;
    const std::string kept(text.substr(0, capacity - 1));
    c.host.writeBytes(to, std::as_bytes(std::span(kept.c_str(), kept.size() + 1)));
    return cudaSuccess;
}

int getDevice(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(0), 0);
    return cudaSuccess;
}

int setDevice(CudaContext&, const ApiArguments& a) {
    return a.integer(0) == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

int deviceCount(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(0), 1);
    return cudaSuccess;
}

/// Compute capability of the device family that DeviceLimits describes by its name: "H100 SXM (sm_90)".
int capability(const emulator::DeviceLimits& limits) {
    const std::size_t at = limits.name.find("sm_");
    return at == std::string::npos ? 90 : std::atoi(limits.name.c_str() + at + 3);
}

/// Values of cudaDeviceAttr, numbered as in CUDA's driver_types.h. What the limits do not say is that of an
/// H100 SXM (NVIDIA H100 datasheet and architecture white paper).
std::optional<int> attribute(const CudaContext& c, std::int64_t which) {
    const emulator::DeviceLimits& l = c.device.limits();
    switch (which) {
    case 1: return int(l.multiprocessor.threadsPerBlock);
    case 2: return int(l.maxBlock[0]);
    case 3: return int(l.maxBlock[1]);
    case 4: return int(l.maxBlock[2]);
    case 5: return int(l.maxGrid[0]);
    case 6: return int(l.maxGrid[1]);
    case 7: return int(l.maxGrid[2]);
    case 8: return int(l.maxStaticSharedBytes);
    case 9: return 65536;
    case 10: return 32;
    case 11: return 2147483647;
    case 12: return int(l.multiprocessor.registersPerBlock);
    case 13: return 1980000; // kHz, boost
    case 16: return int(l.multiprocessors);
    case 14: return 512;
    case 15: return 1;
    case 17: return 0;
    case 18: return 0;
    case 19: return 1;
    case 20: return 0; // cudaComputeModeDefault
    case 21: return 131072;
    case 22: return 131072;
    case 23: return 65536;
    case 24: return 16384;
    case 25: return 16384;
    case 26: return 16384;
    case 27: return 32768;
    case 28: return 32768;
    case 29: return 2048;
    case 30: return 512;
    case 31: return 1;
    case 32: return 1;
    case 33: return 1;
    case 34: return 0;
    case 35: return 0;
    case 36: return 2619000; // kHz, HBM3
    case 37: return 5120;
    case 38: return 50 << 20;
    case 39: return int(l.multiprocessor.threads);
    case 40: return 3;
    case 41: return 1;
    case 42: return 32768;
    case 43: return 2048;
    case 50: return 0;
    case 51: return 32;
    case 75: return capability(l) / 10;
    case 76: return capability(l) % 10;
    case 78: return 1;
    case 79: return 1;
    case 80: return 1;
    case 81: return int(l.multiprocessor.sharedBytes);
    case 82: return int(l.multiprocessor.registersPerBlock);
    case 83: return c.device.sharesHostMemory(); // managed memory is the emulator's
    case 84: return 0;
    case 85: return 0;
    case 86: return 0;
    case 87: return 2;
    case 88: return 0;
    case 89: return c.device.sharesHostMemory();
    case 90: return 1;
    case 91: return c.device.sharesHostMemory();
    case 95: return 1;
    case 99: return 1;
    case 100: return 0;
    case 101: return 0;
    case 108: return 30 << 20;
    case 109: return 128 << 20;
    case 97: return int(l.multiprocessor.sharedBytesPerBlock);
    case 106: return int(l.multiprocessor.blocks);
    case 111: return 1024;
    case 115: return 1;
    default: return {};
    }
}

/// Whether a real device's own answer holds: not for what host code meets of memory, which is ours.
bool isOfDevice(std::int64_t which) {
    constexpr std::array ours{18, 19, 41, 83, 88, 89, 91, 100, 101};
    return std::find(ours.begin(), ours.end(), which) == ours.end();
}

int getAttribute(CudaContext& c, const ApiArguments& a) {
    if (a.integer(2, 0) != 0) return cudaErrorInvalidDevice;
    auto value = attribute(c, a.integer(1));
    if (value && isOfDevice(a.integer(1)))
        if (const auto own = c.device.attribute(int(a.integer(1)))) value = own;
    if (!value && c.isProgram) return cudaErrorInvalidValue; // as of a toolkit that does not have it
    if (!value) refuse(fmt::format("cudaDeviceGetAttribute of attribute {}", a.integer(1)));
    c.host.write(a.pointer(0), *value);
    return cudaSuccess;
}

int synchronize(CudaContext& c, const ApiArguments&) {
    c.order.hostWaitsForAll();
    return c.device.synchronize() ? cudaSuccess : cudaErrorLaunchFailure;
}

int version(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(0), 13000);
    return cudaSuccess;
}

/// cudaDeviceGetName(out, capacity, device)
int deviceName(CudaContext& c, const ApiArguments& a) {
    if (a.integer(2, 0) != 0) return cudaErrorInvalidDevice;
    c.askedOfMachine.insert("the device's name");
    const std::string name = "NVIDIA " + c.device.limits().name;
    return writeText(c, a.pointer(0), name, std::size_t(a.integer(1)));
}

/// cudaGetErrorString and cudaGetErrorName(code, out): at most 256 characters, which every text of CUDA's
/// fits.
int errorString(CudaContext& c, const ApiArguments& a) {
    return writeText(c, a.pointer(1), cudaErrorText(int(a.integer(0))), 256);
}

int errorName(CudaContext& c, const ApiArguments& a) {
    return writeText(c, a.pointer(1), cudaErrorName(int(a.integer(0))), 256);
}

/// cudaDeviceReset: what the process has on the device is gone, errors as well.
int reset(CudaContext& c, const ApiArguments& a) {
    const int status = c.stickyError == cudaSuccess ? synchronize(c, a) : cudaSuccess;
    if (c.stickyError != cudaSuccess && !c.device.isRemote()) {
        c.resetError = c.stickyError;
        c.stickyError = cudaSuccess;
        c.lastError = cudaSuccess;
    }
    return status;
}

int getLimit(CudaContext& c, const ApiArguments& a) {
    constexpr std::array<std::uint64_t, 3> limits{1024, 8u << 20, 8u << 20}; // stack, printf's buffer, heap
    const std::int64_t which = a.integer(1);
    if (which < 0 || which > 2) return cudaErrorInvalidValue;
    const auto set = c.limits.find(which);
    c.host.write(a.pointer(0), set == c.limits.end() ? limits[std::size_t(which)] : set->second);
    return cudaSuccess;
}

int setLimit(CudaContext& c, const ApiArguments& a) {
    c.limits[a.integer(0)] = std::uint64_t(a.integer(1));
    return cudaSuccess;
}

/// Of hints that nothing depends on: 0.
int noHint(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(0), 0);
    return cudaSuccess;
}

int busId(CudaContext& c, const ApiArguments& a) {
    if (a.integer(2, 0) != 0) return cudaErrorInvalidDevice;
    return writeText(c, a.pointer(0), "0000:01:00.0", std::size_t(std::max<std::int64_t>(a.integer(1), 0)));
}

/// Caching and scheduling hints change nothing here.
int hint(CudaContext&, const ApiArguments&) {
    return cudaSuccess;
}

} // namespace

const std::map<std::string_view, ApiCall>& deviceCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaGetDevice", getDevice},
        {"cudaSetDevice", setDevice},
        {"cudaGetDeviceCount", deviceCount},
        {"cudaDeviceGetAttribute", getAttribute},
        {"cudaDeviceSynchronize", synchronize},
        {"cudaDeviceGetName", deviceName},
        {"cudaGetErrorString", errorString},
        {"cudaGetErrorName", errorName},
        {"cudaRuntimeGetVersion", version},
        {"cudaDriverGetVersion", version},
        {"cudaSetDeviceFlags", hint},
        {"cudaDeviceSetCacheConfig", hint},
        {"cudaDeviceSetSharedMemConfig", hint},
        {"cudaDeviceSetLimit", setLimit},
        {"cudaDeviceGetLimit", getLimit},
        {"cudaDeviceReset", reset},
        {"cudaDeviceGetCacheConfig", noHint},
        {"cudaDeviceGetSharedMemConfig", noHint},
        {"cudaGetDeviceFlags", noHint},
        {"cudaDeviceGetPCIBusId", busId},
        {"cudaSetValidDevices", hint},
        {"cudaInitDevice", hint},
        {"cudaCtxResetPersistingL2Cache", hint},
        {"cudaProfilerStart", hint},
        {"cudaProfilerStop", hint},
    };
    return table;
}

} // namespace kernelarium::host
