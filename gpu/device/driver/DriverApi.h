// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kernelarium::device {

// What of CUDA's driver library is called here, declared as its ABI has it (CUDA Driver API reference manual), so that
// neither building nor starting the program needs CUDA.
using DriverStatus = int; ///< CUresult
using DeviceOrdinal = int;
using DevicePointer = unsigned long long;
using ContextHandle = struct OpaqueContext*;
using ModuleHandle = struct OpaqueModule*;
using FunctionHandle = struct OpaqueFunction*;
using StreamHandle = struct OpaqueStream*;
using EventHandle = struct OpaqueEvent*;

// CUresult
inline constexpr DriverStatus driverSuccess = 0;
inline constexpr DriverStatus driverInvalidValue = 1;
inline constexpr DriverStatus driverOutOfMemory = 2;
inline constexpr DriverStatus driverNoDevice = 100;
inline constexpr DriverStatus driverInvalidImage = 200;
inline constexpr DriverStatus driverNoBinary = 209;
inline constexpr DriverStatus driverInvalidPtx = 218;
inline constexpr DriverStatus driverUnsupportedPtx = 222;
inline constexpr DriverStatus driverNotFound = 500;
inline constexpr DriverStatus driverNotReady = 600;

// CUfunction_attribute
inline constexpr int functionSharedBytes = 1;
inline constexpr int functionLocalBytes = 3;
inline constexpr int functionRegisters = 4;
inline constexpr int functionDynamicShared = 8;
inline constexpr int functionNonPortableCluster = 14;

// CUlaunchAttributeID
inline constexpr int launchCooperative = 2;
inline constexpr int launchClusterDimension = 4;

/// CUlaunchAttribute: an id, and 64 bytes of which the ones above use three words at most.
struct DriverLaunchAttribute {
    int id = 0;
    int padding = 0;
    union {
        std::array<unsigned, 3> three;
        char bytes[64];
    } value{};
};
static_assert(sizeof(DriverLaunchAttribute) == 72);

/// CUlaunchConfig
struct DriverLaunchConfig {
    unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
    StreamHandle stream;
    DriverLaunchAttribute* attributes;
    unsigned count;
};

/// The functions by the names under which the library exports them; all are there once a Driver is loaded.
struct DriverApi {
    DriverStatus (*cuInit)(unsigned flags) = nullptr;
    DriverStatus (*cuDriverGetVersion)(int* version) = nullptr;
    DriverStatus (*cuGetErrorName)(DriverStatus status, const char** text) = nullptr;
    DriverStatus (*cuGetErrorString)(DriverStatus status, const char** text) = nullptr;

    DriverStatus (*cuDeviceGetCount)(int* count) = nullptr;
    DriverStatus (*cuDeviceGet)(DeviceOrdinal* device, int ordinal) = nullptr;
    DriverStatus (*cuDeviceGetName)(char* name, int capacity, DeviceOrdinal device) = nullptr;
    DriverStatus (*cuDeviceTotalMem)(std::size_t* bytes, DeviceOrdinal device) = nullptr;
    DriverStatus (*cuDeviceGetAttribute)(int* value, int attribute, DeviceOrdinal device) = nullptr;
    DriverStatus (*cuDeviceGetPCIBusId)(char* text, int capacity, DeviceOrdinal device) = nullptr;

    DriverStatus (*cuDevicePrimaryCtxRetain)(ContextHandle* context, DeviceOrdinal device) = nullptr;
    DriverStatus (*cuDevicePrimaryCtxRelease)(DeviceOrdinal device) = nullptr;
    DriverStatus (*cuCtxSetCurrent)(ContextHandle context) = nullptr;
    DriverStatus (*cuCtxSynchronize)() = nullptr;

    DriverStatus (*cuMemGetInfo)(std::size_t* free, std::size_t* total) = nullptr;
    DriverStatus (*cuMemAlloc)(DevicePointer* address, std::size_t bytes) = nullptr;
    DriverStatus (*cuMemFree)(DevicePointer address) = nullptr;
    DriverStatus (*cuMemcpyHtoD)(DevicePointer to, const void* from, std::size_t bytes) = nullptr;
    DriverStatus (*cuMemcpyDtoH)(void* to, DevicePointer from, std::size_t bytes) = nullptr;
    DriverStatus (*cuMemcpyDtoD)(DevicePointer to, DevicePointer from, std::size_t bytes) = nullptr;
    DriverStatus (*cuMemsetD8)(DevicePointer address, unsigned char value, std::size_t count) = nullptr;
    DriverStatus (*cuMemsetD32)(DevicePointer address, unsigned value, std::size_t count) = nullptr;

    DriverStatus (*cuMemcpyDtoHAsync)(void* to, DevicePointer from, std::size_t bytes, StreamHandle stream) = nullptr;
    DriverStatus (*cuMemcpyHtoDAsync)(DevicePointer to, const void* from, std::size_t bytes,
                                      StreamHandle stream) = nullptr;
    DriverStatus (*cuMemcpyDtoDAsync)(DevicePointer to, DevicePointer from, std::size_t bytes,
                                      StreamHandle stream) = nullptr;
    DriverStatus (*cuMemsetD8Async)(DevicePointer address, unsigned char value, std::size_t count,
                                    StreamHandle stream) = nullptr;
    DriverStatus (*cuMemsetD32Async)(DevicePointer address, unsigned value, std::size_t count,
                                     StreamHandle stream) = nullptr;
    DriverStatus (*cuMemAllocHost)(void** address,
                                   std::size_t bytes) = nullptr; ///< the GPU sees it at the same address
    DriverStatus (*cuMemFreeHost)(void* address) = nullptr;

    DriverStatus (*cuModuleLoadDataEx)(ModuleHandle* module, const void* image, unsigned count, int* options,
                                       void** values) = nullptr;
    DriverStatus (*cuModuleUnload)(ModuleHandle module) = nullptr;
    DriverStatus (*cuModuleGetFunction)(FunctionHandle* function, ModuleHandle module, const char* name) = nullptr;
    DriverStatus (*cuModuleGetGlobal)(DevicePointer* address, std::size_t* bytes, ModuleHandle module,
                                      const char* name) = nullptr;
    DriverStatus (*cuFuncGetAttribute)(int* value, int attribute, FunctionHandle function) = nullptr;
    DriverStatus (*cuFuncSetAttribute)(FunctionHandle function, int attribute, int value) = nullptr;

    DriverStatus (*cuLaunchKernel)(FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                   StreamHandle stream, void** parameters, void** extra) = nullptr;
    DriverStatus (*cuLaunchCooperativeKernel)(FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                              unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                              StreamHandle stream, void** parameters) = nullptr;

    DriverStatus (*cuLaunchKernelEx)(const DriverLaunchConfig* config, FunctionHandle function, void** parameters,
                                     void** extra) = nullptr;
    DriverStatus (*cuTensorMapEncodeTiled)(void* map, int type, std::uint32_t rank, DevicePointer address,
                                           const std::uint64_t* extents, const std::uint64_t* strides,
                                           const std::uint32_t* box, const std::uint32_t* elementStrides,
                                           int interleave, int swizzle, int promotion, int fill) = nullptr;

    DriverStatus (*cuStreamCreate)(StreamHandle* stream, unsigned flags) = nullptr;
    DriverStatus (*cuStreamDestroy)(StreamHandle stream) = nullptr;
    DriverStatus (*cuStreamWaitEvent)(StreamHandle stream, EventHandle event, unsigned flags) = nullptr;

    DriverStatus (*cuEventCreate)(EventHandle* event, unsigned flags) = nullptr;
    DriverStatus (*cuEventDestroy)(EventHandle event) = nullptr;
    DriverStatus (*cuEventRecord)(EventHandle event, StreamHandle stream) = nullptr;
    DriverStatus (*cuEventQuery)(EventHandle event) = nullptr;
    DriverStatus (*cuEventElapsedTime)(float* milliseconds, EventHandle from, EventHandle to) = nullptr;
};

} // namespace kernelarium::device
