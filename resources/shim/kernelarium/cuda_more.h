// SPDX-License-Identifier: GPL-3.0-or-later
//
// What programs use of the CUDA runtime beside cuda_api.h: managed and mapped memory, pitched and three-dimensional
// copies, host functions in streams, questions about pointers and devices.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/unsupported.h"

#define KL_API(name, parameters, ...)                                                                                  \
    inline cudaError_t klr_##name parameters {                                                                         \
        return cudaError_t(::kl::cuda(#name, {__VA_ARGS__}));                                                          \
    }

KL_API(cudaHostGetDevicePointer, (void** device, void* host, unsigned flags = 0), device, host, flags)
template <class T> inline cudaError_t klr_cudaHostGetDevicePointer(T** device, void* host, unsigned flags = 0) {
    return klr_cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
KL_API(cudaHostGetFlags, (unsigned* flags, void* p), flags, p)
KL_API(cudaMemAdvise, (const void* p, size_t n, int advice, int device), p, n, advice, device)
template <class L> inline cudaError_t klr_cudaMemAdvise(const void* p, size_t n, int advice, L) {
    return klr_cudaMemAdvise(p, n, advice, 0);
}
KL_API(cudaMemPrefetchAsync, (const void* p, size_t n, int device, cudaStream_t s = 0), p, n, device, s)
template <class L>
inline cudaError_t klr_cudaMemPrefetchAsync(const void* p, size_t n, L, unsigned, cudaStream_t s = 0) {
    return klr_cudaMemPrefetchAsync(p, n, 0, s);
}
inline cudaError_t klr_cudaStreamAttachMemAsync(cudaStream_t s, void* p, size_t n = 0, unsigned flags = 4) {
    return cudaError_t(kl::cuda("cudaStreamAttachMemAsync", {s, p, n, flags}));
}
template <class T>
inline cudaError_t klr_cudaStreamAttachMemAsync(cudaStream_t s, T* p, size_t n = 0, unsigned flags = 4) {
    return klr_cudaStreamAttachMemAsync(s, (void*)p, n, flags);
}
KL_API(cudaDeviceCanAccessPeer, (int* can, int device, int peer), can, device, peer)
KL_API(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), peer, flags)
KL_API(cudaDeviceDisablePeerAccess, (int peer), peer)
KL_API(cudaDeviceGetLimit, (size_t * value, cudaLimit limit), value, limit)
KL_API(cudaDeviceGetCacheConfig, (cudaFuncCache * config), config)
KL_API(cudaDeviceGetSharedMemConfig, (cudaSharedMemConfig * config), config)
KL_API(cudaGetDeviceFlags, (unsigned* flags), flags)
KL_API(cudaDeviceGetPCIBusId, (char* text, int size, int device), text, size, device)
KL_API(cudaSetValidDevices, (int* devices, int count), devices, count)
KL_API(cudaInitDevice, (int device, unsigned deviceFlags, unsigned flags), device, deviceFlags, flags)
KL_API(cudaStreamGetFlags, (cudaStream_t s, unsigned* flags), s, flags)
KL_API(cudaStreamGetPriority, (cudaStream_t s, int* priority), s, priority)
KL_API(cudaEventRecordWithFlags, (cudaEvent_t e, cudaStream_t s = 0, unsigned flags = 0), e, s, flags)
KL_API(cudaCtxResetPersistingL2Cache, ())
template <class... A> inline cudaError_t klr_cudaStreamSetAttribute(A&&...) {
    return cudaSuccess;
}
template <class F> inline cudaError_t klr_cudaFuncSetSharedMemConfig(F* f, cudaSharedMemConfig c) {
    return cudaError_t(kl::cuda("cudaFuncSetSharedMemConfig", {(const void*)f, c}));
}
template <class F>
inline cudaError_t klr_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F* f, int threads,
                                                                              size_t shared, unsigned flags) {
    return cudaError_t(kl::cuda("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                {blocks, (const void*)f, threads, shared, flags}));
}
template <class F>
inline cudaError_t klr_cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGrid, int* block, F* f, size_t shared = 0,
                                                                   int limit = 0, unsigned = 0) {
    return klr_cudaOccupancyMaxPotentialBlockSize(minGrid, block, f, shared, limit);
}
/// The dynamic shared memory of a block of each size is asked for: the best size is looked for among multiples of a
/// warp.
template <class F, class S>
inline cudaError_t klr_cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGrid, int* block, F* f, S sharedOf,
                                                                      int limit = 0) {
    int processors = 0, most = 0, best = 0;
    klr_cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    klr_cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, 0);
    if (limit > 0 && limit < most) most = limit;
    cudaFuncAttributes attributes;
    if (cudaError_t status = klr_cudaFuncGetAttributes(&attributes, f); status != cudaSuccess) return status;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int blocks = 0;
        if (size_t(sharedOf(threads)) > size_t(attributes.maxDynamicSharedSizeBytes)) continue;
        if (cudaError_t status =
                klr_cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, sharedOf(threads));
            status != cudaSuccess)
            return status;
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block = threads;
        *minGrid = blocks * processors;
    }
    return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <class F>
inline cudaError_t klr_cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, F* f, int blocks, int threads) {
    return cudaError_t(kl::cuda("cudaOccupancyAvailableDynamicSMemPerBlock", {bytes, (const void*)f, blocks, threads}));
}
inline cudaError_t klr_cudaChooseDevice(int* device, const cudaDeviceProp*) {
    return *device = 0, cudaSuccess;
}
inline cudaError_t klr_cudaMemcpyPeer(void* to, int, const void* from, int, size_t n) {
    return klr_cudaMemcpy(to, from, n, cudaMemcpyDefault);
}
inline cudaError_t klr_cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t n, cudaStream_t s = 0) {
    return klr_cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
}

/// "cudaPointerGetAttributes"(&type, &device, &device pointer, &host pointer, pointer)
inline cudaError_t klr_cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
    int type = 0, device = 0;
    void *onDevice = nullptr, *onHost = nullptr;
    const cudaError_t status =
        cudaError_t(kl::cuda("cudaPointerGetAttributes", {&type, &device, &onDevice, &onHost, p}));
    if (status != cudaSuccess) return status;
    a->type = cudaMemoryType(type);
    a->device = device;
    a->devicePointer = onDevice;
    a->hostPointer = onHost;
    return cudaSuccess;
}

/// Rows of `extent`, slice by slice, through the two-dimensional calls. Arrays are refused.
inline cudaError_t klr_cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent) {
    p->xsize = extent.width;
    p->ysize = extent.height;
    return klr_cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t klr_cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t s = 0) {
    for (size_t z = 0; z < extent.depth; ++z) {
        char* slice = static_cast<char*>(p.ptr) + z * p.pitch * p.ysize;
        if (cudaError_t status = klr_cudaMemset2DAsync(slice, p.pitch, value, extent.width, extent.height, s);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}
inline cudaError_t klr_cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
    return klr_cudaMemset3DAsync(p, value, extent);
}
inline cudaError_t klr_cudaMemcpy3DAsync(const cudaMemcpy3DParms* c, cudaStream_t s = 0) {
    if (c->srcArray || c->dstArray) kl::unsupported("cudaMemcpy3D of an array");
    for (size_t z = 0; z < c->extent.depth; ++z) {
        char* to = static_cast<char*>(c->dstPtr.ptr) +
                   ((z + c->dstPos.z) * c->dstPtr.ysize + c->dstPos.y) * c->dstPtr.pitch + c->dstPos.x;
        const char* from = static_cast<const char*>(c->srcPtr.ptr) +
                           ((z + c->srcPos.z) * c->srcPtr.ysize + c->srcPos.y) * c->srcPtr.pitch + c->srcPos.x;
        if (cudaError_t status = klr_cudaMemcpy2DAsync(to, c->dstPtr.pitch, from, c->srcPtr.pitch, c->extent.width,
                                                       c->extent.height, c->kind, s);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}
inline cudaError_t klr_cudaMemcpy3D(const cudaMemcpy3DParms* c) {
    const cudaError_t status = klr_cudaMemcpy3DAsync(c);
    return status == cudaSuccess ? klr_cudaStreamSynchronize(0) : status;
}
inline cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t width, size_t height) {
    cudaPitchedPtr made;
    made.ptr = p;
    made.pitch = pitch;
    made.xsize = width;
    made.ysize = height;
    return made;
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    cudaPos made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    cudaExtent made;
    made.width = width;
    made.height = height;
    made.depth = depth;
    return made;
}

/// What was queued before is done when a call returns here, so host functions run at once.
template <class F> inline cudaError_t klr_cudaLaunchHostFunc(cudaStream_t s, F f, void* data) {
    const cudaError_t status = cudaError_t(kl::cuda("cudaLaunchHostFunc", {s}));
    if (status == cudaSuccess) f(data);
    return status;
}
template <class F> inline cudaError_t klr_cudaStreamAddCallback(cudaStream_t s, F f, void* data, unsigned) {
    const cudaError_t status = cudaError_t(kl::cuda("cudaStreamAddCallback", {s}));
    if (status == cudaSuccess) f(s, cudaSuccess, data);
    return status;
}
/// Names of before CUDA 13.
inline cudaError_t cudaThreadSynchronize() {
    return klr_cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit() {
    return klr_cudaDeviceReset();
}
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
    return klr_cudaDeviceSetLimit(limit, value);
}
#undef KL_API

/// Members that CUDA 13 took away: programs of before print them.
#if __CUDACC_VER_MAJOR__ >= 13
struct klr_cudaDeviceProp : cudaDeviceProp {
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, maxTexture1DLinear;
    int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
#else
using klr_cudaDeviceProp = cudaDeviceProp;
#endif
__noinline__ inline cudaError_t klr_cudaGetDeviceProperties(klr_cudaDeviceProp* p, int device) {
    memset(p, 0, sizeof *p);
    const cudaError_t status = klr_cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(p), device);
    if (status != cudaSuccess) return status;
    int v = 0;
    const auto get = [&](int a) {
        klr_cudaDeviceGetAttribute(&v, cudaDeviceAttr(a), device);
        return v;
    };
    p->memPitch = get(11);
    p->textureAlignment = get(14);
    p->texturePitchAlignment = get(51);
    p->integrated = get(18);
    p->canMapHostMemory = get(19);
    p->ECCEnabled = get(32);
    p->pciBusID = get(33);
    p->pciDeviceID = get(34);
    p->pciDomainID = get(50);
    p->tccDriver = get(35);
    p->asyncEngineCount = get(40);
    p->unifiedAddressing = get(41);
    p->maxTexture1D = get(21);
    p->maxTexture2D[0] = get(22);
    p->maxTexture2D[1] = get(23);
    p->maxTexture3D[0] = get(24);
    p->maxTexture3D[1] = get(25);
    p->maxTexture3D[2] = get(26);
    p->maxTexture1DLayered[0] = get(42);
    p->maxTexture1DLayered[1] = get(43);
    p->maxTexture2DLayered[0] = get(27);
    p->maxTexture2DLayered[1] = get(28);
    p->maxTexture2DLayered[2] = get(29);
    p->surfaceAlignment = get(30);
    p->streamPrioritiesSupported = get(78);
    p->globalL1CacheSupported = get(79);
    p->localL1CacheSupported = get(80);
    p->managedMemory = get(83);
    p->hostNativeAtomicSupported = get(86);
    p->pageableMemoryAccess = get(88);
    p->concurrentManagedAccess = get(89);
    p->computePreemptionSupported = get(90);
    p->canUseHostPointerForRegisteredMem = get(91);
    p->hostRegisterSupported = get(99);
    p->persistingL2CacheMaxSize = get(108);
    p->accessPolicyMaxWindowSize = get(109);
    p->reservedSharedMemPerBlock = get(111);
    p->memoryPoolsSupported = get(115);
    p->clockRate = get(13);
    p->memoryClockRate = get(36);
    p->deviceOverlap = get(15);
    p->kernelExecTimeoutEnabled = get(17);
    p->computeMode = get(20);
    p->singleToDoublePrecisionPerfRatio = get(87);
    return cudaSuccess;
}
#define cudaDeviceProp klr_cudaDeviceProp

#define cudaChooseDevice klr_cudaChooseDevice
#define cudaCtxResetPersistingL2Cache klr_cudaCtxResetPersistingL2Cache
#define cudaDeviceCanAccessPeer klr_cudaDeviceCanAccessPeer
#define cudaDeviceDisablePeerAccess klr_cudaDeviceDisablePeerAccess
#define cudaDeviceEnablePeerAccess klr_cudaDeviceEnablePeerAccess
#define cudaDeviceGetCacheConfig klr_cudaDeviceGetCacheConfig
#define cudaDeviceGetLimit klr_cudaDeviceGetLimit
#define cudaDeviceGetPCIBusId klr_cudaDeviceGetPCIBusId
#define cudaDeviceGetSharedMemConfig klr_cudaDeviceGetSharedMemConfig
#define cudaEventRecordWithFlags klr_cudaEventRecordWithFlags
#define cudaFuncSetSharedMemConfig klr_cudaFuncSetSharedMemConfig
#define cudaGetDeviceFlags klr_cudaGetDeviceFlags
#define cudaHostGetDevicePointer klr_cudaHostGetDevicePointer
#define cudaHostGetFlags klr_cudaHostGetFlags
#define cudaInitDevice klr_cudaInitDevice
#define cudaLaunchHostFunc klr_cudaLaunchHostFunc
#define cudaMalloc3D klr_cudaMalloc3D
#define cudaMemAdvise klr_cudaMemAdvise
#define cudaMemPrefetchAsync klr_cudaMemPrefetchAsync
#define cudaMemcpy3D klr_cudaMemcpy3D
#define cudaMemcpy3DAsync klr_cudaMemcpy3DAsync
#define cudaMemcpyPeer klr_cudaMemcpyPeer
#define cudaMemcpyPeerAsync klr_cudaMemcpyPeerAsync
#define cudaMemset3D klr_cudaMemset3D
#define cudaMemset3DAsync klr_cudaMemset3DAsync
#define cudaOccupancyAvailableDynamicSMemPerBlock klr_cudaOccupancyAvailableDynamicSMemPerBlock
#define cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags                                                         \
    klr_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
#define cudaOccupancyMaxPotentialBlockSizeVariableSMem klr_cudaOccupancyMaxPotentialBlockSizeVariableSMem
#define cudaOccupancyMaxPotentialBlockSizeWithFlags klr_cudaOccupancyMaxPotentialBlockSizeWithFlags
#define cudaPointerGetAttributes klr_cudaPointerGetAttributes
#define cudaSetValidDevices klr_cudaSetValidDevices
#define cudaStreamAddCallback klr_cudaStreamAddCallback
#define cudaStreamAttachMemAsync klr_cudaStreamAttachMemAsync
#define cudaStreamGetFlags klr_cudaStreamGetFlags
#define cudaStreamGetPriority klr_cudaStreamGetPriority
#define cudaStreamSetAttribute klr_cudaStreamSetAttribute
