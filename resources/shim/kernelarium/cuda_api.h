// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cuda_runtime.h> for host code. NVRTC declares a part of the runtime for launches from device code; macros send the
// names to ours, which tell the runtime by name. Arguments cross as integers, doubles and KL_POINTER.
#pragma once
#include "kernelarium/prelude.h"
#include "kernelarium/std_types.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#endif

namespace kl {
struct CudaArg : kl_value {
    template <class T, class = std::enable_if_t<std::is_integral<T>::value || std::is_enum<T>::value>>
    constexpr CudaArg(T v)
        : kl_value{KL_INT, 0, {(long long)v}} {}
    CudaArg(double v)
        : kl_value{KL_DOUBLE, 0, {0}} {
        d = v;
    }
    CudaArg(float v)
        : CudaArg(double(v)) {}
    CudaArg(const void* v)
        : kl_value{KL_POINTER, 0, {0}} {
        p = v;
    }
    template <class R, class... A>
    CudaArg(R (*f)(A...))
        : CudaArg(reinterpret_cast<const void*>(f)) {}
};
__noinline__ inline int cuda(const char* api, std::initializer_list<CudaArg> arguments) {
    return kl_cuda(api, arguments.begin(), (int)arguments.size());
}
} // namespace kl

#define KL_API(name, parameters, ...)                                                                                  \
    inline cudaError_t klr_##name parameters {                                                                         \
        return cudaError_t(::kl::cuda(#name, {__VA_ARGS__}));                                                          \
    }

KL_NAMED_API(cudaMalloc, (void** p, size_t n), p, n)
template <class T> inline cudaError_t klr_cudaMalloc(T** p, size_t n) {
    return klr_cudaMalloc(reinterpret_cast<void**>(p), n);
}
KL_NAMED_API(cudaMallocAsync, (void** p, size_t n, cudaStream_t s), p, n, s)
template <class T> inline cudaError_t klr_cudaMallocAsync(T** p, size_t n, cudaStream_t s) {
    return klr_cudaMallocAsync(reinterpret_cast<void**>(p), n, s);
}
KL_NAMED_API(cudaMallocHost, (void** p, size_t n), p, n)
template <class T> inline cudaError_t klr_cudaMallocHost(T** p, size_t n) {
    return klr_cudaMallocHost(reinterpret_cast<void**>(p), n);
}
KL_NAMED_API(cudaMallocManaged, (void** p, size_t n, unsigned f), p, n, f)
template <class T> inline cudaError_t klr_cudaMallocManaged(T** p, size_t n, unsigned f = 1) {
    return klr_cudaMallocManaged(reinterpret_cast<void**>(p), n, f);
}
KL_NAMED_API(cudaFree, (void* p), p)
KL_NAMED_API(cudaFreeAsync, (void* p, cudaStream_t s), p, s)
KL_NAMED_API(cudaFreeHost, (void* p), p)
KL_NAMED_API(cudaHostAlloc, (void** p, size_t n, unsigned flags), p, n, flags)
template <class T> inline cudaError_t klr_cudaHostAlloc(T** p, size_t n, unsigned flags) {
    return klr_cudaHostAlloc(reinterpret_cast<void**>(p), n, flags);
}
KL_NAMED_API(cudaMallocPitch, (void** p, size_t* pitch, size_t width, size_t height), p, pitch, width, height)
template <class T> inline cudaError_t klr_cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
    return klr_cudaMallocPitch(reinterpret_cast<void**>(p), pitch, width, height);
}
KL_NAMED_API(cudaMemcpy, (void* to, const void* from, size_t n, cudaMemcpyKind kind), to, from, n, kind)
KL_NAMED_API(cudaMemcpyAsync, (void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t s = 0), to, from, n,
       kind, s)
KL_NAMED_API(cudaMemcpy2D,
       (void* to, size_t pitchTo, const void* from, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind), to,
       pitchTo, from, pitch, width, height, kind)
KL_NAMED_API(cudaMemcpy2DAsync,
       (void* to, size_t pitchTo, const void* from, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
        cudaStream_t s = 0),
       to, pitchTo, from, pitch, width, height, kind, s)
KL_NAMED_API(cudaMemset, (void* p, int v, size_t n), p, v, n)
KL_NAMED_API(cudaMemset2D, (void* p, size_t pitch, int v, size_t width, size_t height), p, pitch, v, width, height)
KL_NAMED_API(cudaMemset2DAsync, (void* p, size_t pitch, int v, size_t width, size_t height, cudaStream_t s = 0), p, pitch, v,
       width, height, s)
KL_NAMED_API(cudaMemsetAsync, (void* p, int v, size_t n, cudaStream_t s = 0), p, v, n, s)
template <class T>
inline cudaError_t klr_cudaMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                          cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaError_t(kl::cuda("cudaMemcpyToSymbol", {(const void*)&symbol, from, n, offset, kind}));
}
template <class T>
inline cudaError_t klr_cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = 0) {
    return cudaError_t(kl::cuda("cudaMemcpyToSymbolAsync", {(const void*)&symbol, from, n, offset, kind, s}));
}
template <class T>
inline cudaError_t klr_cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                            cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaError_t(kl::cuda("cudaMemcpyFromSymbol", {to, (const void*)&symbol, n, offset, kind}));
}
template <class T>
inline cudaError_t klr_cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t n, size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t s = 0) {
    return cudaError_t(kl::cuda("cudaMemcpyFromSymbolAsync", {to, (const void*)&symbol, n, offset, kind, s}));
}
template <class T> inline cudaError_t klr_cudaGetSymbolSize(size_t* size, const T& symbol) {
    return cudaError_t(kl::cuda("cudaGetSymbolSize", {size, (const void*)&symbol}));
}
template <class T> inline cudaError_t klr_cudaGetSymbolAddress(void** address, const T& symbol) {
    return cudaError_t(kl::cuda("cudaGetSymbolAddress", {address, (const void*)&symbol}));
}
template <class T, class U> inline cudaError_t klr_cudaGetSymbolAddress(T** address, const U& symbol) {
    return klr_cudaGetSymbolAddress(reinterpret_cast<void**>(address), symbol);
}
KL_API(cudaDeviceSynchronize, ())
KL_API(cudaGetLastError, ())
KL_API(cudaPeekAtLastError, ())
KL_API(cudaGetDevice, (int* device), device)
KL_API(cudaSetDevice, (int device), device)
KL_API(cudaGetDeviceCount, (int* count), count)
KL_API(cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device), value, attribute, device)
KL_NAMED_API(cudaMemGetInfo, (size_t * free, size_t* total), free, total)
KL_NAMED_API(cudaDeviceReset, ())
KL_NAMED_API(cudaRuntimeGetVersion, (int* version), version)
KL_NAMED_API(cudaDriverGetVersion, (int* version), version)
KL_NAMED_API(cudaSetDeviceFlags, (unsigned flags), flags)
KL_NAMED_API(cudaDeviceSetLimit, (cudaLimit limit, size_t value), limit, value)
KL_NAMED_API(cudaDeviceSetCacheConfig, (cudaFuncCache config), config)
KL_NAMED_API(cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config), config)
KL_NAMED_API(cudaStreamCreate, (cudaStream_t * s), s)
KL_NAMED_API(cudaStreamCreateWithFlags, (cudaStream_t * s, unsigned flags), s, flags)
KL_NAMED_API(cudaStreamCreateWithPriority, (cudaStream_t * s, unsigned flags, int priority), s, flags, priority)
KL_NAMED_API(cudaDeviceGetStreamPriorityRange, (int* least, int* greatest), least, greatest)
KL_NAMED_API(cudaStreamDestroy, (cudaStream_t s), s)
KL_API(cudaStreamSynchronize, (cudaStream_t s), s)
KL_API(cudaStreamQuery, (cudaStream_t s), s)
KL_NAMED_API(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags = 0), s, e, flags)
KL_NAMED_API(cudaEventCreate, (cudaEvent_t * e), e)
KL_NAMED_API(cudaEventCreateWithFlags, (cudaEvent_t * e, unsigned flags), e, flags)
KL_NAMED_API(cudaEventRecord, (cudaEvent_t e, cudaStream_t s = 0), e, s)
KL_NAMED_API(cudaEventSynchronize, (cudaEvent_t e), e)
KL_NAMED_API(cudaEventQuery, (cudaEvent_t e), e)
KL_NAMED_API(cudaEventElapsedTime, (float* ms, cudaEvent_t from, cudaEvent_t to), ms, from, to)
KL_NAMED_API(cudaEventDestroy, (cudaEvent_t e), e)
KL_NAMED_API(cudaHostRegister, (void* p, size_t n, unsigned flags), p, n, flags)
KL_NAMED_API(cudaHostUnregister, (void* p), p)
KL_NAMED_API(cudaProfilerStart, ())
KL_NAMED_API(cudaProfilerStop, ())
template <class F> inline cudaError_t klr_cudaFuncSetAttribute(F* f, cudaFuncAttribute a, int v) {
    return cudaError_t(kl::cuda("cudaFuncSetAttribute", {(const void*)f, a, v}));
}
template <class F> inline cudaError_t klr_cudaFuncSetCacheConfig(F* f, cudaFuncCache c) {
    return cudaError_t(kl::cuda("cudaFuncSetCacheConfig", {(const void*)f, c}));
}
template <class F> inline cudaError_t klr_cudaFuncGetAttributes(cudaFuncAttributes* a, F* f) {
    return cudaError_t(kl::cuda("cudaFuncGetAttributes", {a, (const void*)f}));
}
template <class F>
inline cudaError_t klr_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F* f, int threads, size_t shared) {
    return cudaError_t(
        kl::cuda("cudaOccupancyMaxActiveBlocksPerMultiprocessor", {blocks, (const void*)f, threads, shared}));
}
/// The most that the multiprocessors' occupancy allows. A GPU can hold fewer clusters of more than two blocks: each lies
/// within one group of its multiprocessors, and how large the groups are, no table says.
template <class F>
inline cudaError_t klr_cudaOccupancyMaxActiveClusters(int* clusters, F* f, const cudaLaunchConfig_t* c) {
    unsigned each = 1;
    for (unsigned i = 0; i < c->numAttrs; ++i)
        if (const auto& a = c->attrs[i]; a.id == cudaLaunchAttributeClusterDimension)
            each = a.val.clusterDim.x * a.val.clusterDim.y * a.val.clusterDim.z;
    if (each == 0) return cudaErrorInvalidValue;
    int processors = 0, blocks = 0;
    klr_cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const cudaError_t status = klr_cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, f, int(c->blockDim.x * c->blockDim.y * c->blockDim.z), c->dynamicSmemBytes);
    if (status == cudaSuccess) *clusters = int(unsigned(blocks * processors) / each);
    return status;
}
template <class F>
inline cudaError_t klr_cudaOccupancyMaxPotentialBlockSize(int* minGrid, int* block, F* f, size_t shared = 0,
                                                          int limit = 0) {
    return cudaError_t(kl::cuda("cudaOccupancyMaxPotentialBlockSize", {minGrid, block, (const void*)f, shared, limit}));
}
template <class F>
inline cudaError_t klr_cudaLaunchKernel(F* f, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                        cudaStream_t s = 0) {
    return cudaError_t(kl::cuda(
        "cudaLaunchKernel", {(const void*)f, grid.x, grid.y, grid.z, block.x, block.y, block.z, arguments, shared, s}));
}
template <class F>
inline cudaError_t klr_cudaLaunchCooperativeKernel(F* f, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                                   cudaStream_t s = 0) {
    return cudaError_t(kl::cuda("cudaLaunchCooperativeKernel", {(const void*)f, grid.x, grid.y, grid.z, block.x,
                                                                block.y, block.z, arguments, shared, s}));
}
/// "cudaLaunchKernelEx"(function, grid, block, arguments, dynamic shared bytes, stream, cooperative, cluster x, y, z).
/// Attributes that only order or advise change nothing here.
__noinline__ inline cudaError_t klr_cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** arguments) {
    int cooperative = 0;
    unsigned cluster[3] = {0, 0, 0};
    for (unsigned i = 0; i < c->numAttrs; ++i) {
        const cudaLaunchAttribute& a = c->attrs[i];
        if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative;
        if (a.id != cudaLaunchAttributeClusterDimension) continue;
        cluster[0] = a.val.clusterDim.x;
        cluster[1] = a.val.clusterDim.y;
        cluster[2] = a.val.clusterDim.z;
    }
    return cudaError_t(kl::cuda("cudaLaunchKernelEx", {f, c->gridDim.x, c->gridDim.y, c->gridDim.z, c->blockDim.x,
                                                       c->blockDim.y, c->blockDim.z, arguments, c->dynamicSmemBytes,
                                                       c->stream, cooperative, cluster[0], cluster[1], cluster[2]}));
}
template <class... P> inline cudaError_t kl_launchWith(const cudaLaunchConfig_t* c, const void* f, P... values) {
    void* list[] = {(void*)&values..., nullptr};
    return klr_cudaLaunchKernelExC(c, f, list);
}
template <class... P, class... A>
inline cudaError_t klr_cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*f)(P...), A&&... a) {
    return kl_launchWith<P...>(c, (const void*)f, static_cast<P>(std::forward<A>(a))...);
}
KL_NAMED_API(cudaStreamBeginCapture, (cudaStream_t s, cudaStreamCaptureMode mode), s, mode)
KL_NAMED_API(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t* graph), s, graph)
KL_NAMED_API(cudaStreamIsCapturing, (cudaStream_t s, cudaStreamCaptureStatus* status), s, status)
KL_NAMED_API(cudaThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode * mode), mode)
KL_NAMED_API(cudaGraphDestroy, (cudaGraph_t graph), graph)
KL_NAMED_API(cudaGraphExecDestroy, (cudaGraphExec_t exec), exec)
KL_NAMED_API(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t s), exec, s)
KL_NAMED_API(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t s), exec, s)
inline cudaError_t klr_cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long = 0) {
    return cudaError_t(kl::cuda("cudaGraphInstantiate", {exec, graph}));
}
template <class N>
inline cudaError_t klr_cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, N, char*, size_t) {
    return klr_cudaGraphInstantiate(exec, graph);
}
inline cudaError_t klr_cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long = 0) {
    return klr_cudaGraphInstantiate(exec, graph);
}
inline cudaError_t klr_cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return cudaError_t(kl::cuda("cudaGraphGetNodes", {graph, nodes, count}));
}
#undef KL_API

/// The runtime writes at most 256 characters.
__noinline__ inline const char* klr_cudaGetErrorString(cudaError_t e) {
    char* text = static_cast<char*>(kl_alloc(256));
    text[0] = 0;
    kl::cuda("cudaGetErrorString", {e, text});
    return text;
}
__noinline__ inline const char* klr_cudaGetErrorName(cudaError_t e) {
    char* text = static_cast<char*>(kl_alloc(256));
    text[0] = 0;
    kl::cuda("cudaGetErrorName", {e, text});
    return text;
}
#ifndef KL_WITHOUT_NAMED_PARTS // field by field, since the structure differs between toolkits
__noinline__ inline cudaError_t klr_cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    memset(p, 0, sizeof *p);
    int v = 0;
    const cudaError_t status = klr_cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess) return status;
    kl::cuda("cudaDeviceGetName", {p->name, 256, device});
    auto get = [&](cudaDeviceAttr a) {
        klr_cudaDeviceGetAttribute(&v, a, device);
        return v;
    };
    size_t free = 0;
    klr_cudaMemGetInfo(&free, &p->totalGlobalMem);
    p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    p->major = get(cudaDevAttrComputeCapabilityMajor);
    p->minor = get(cudaDevAttrComputeCapabilityMinor);
    p->warpSize = get(cudaDevAttrWarpSize);
    p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxThreadsDim[0] = get(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = get(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = get(cudaDevAttrMaxBlockDimZ);
    p->maxGridSize[0] = get(cudaDevAttrMaxGridDimX);
    p->maxGridSize[1] = get(cudaDevAttrMaxGridDimY);
    p->maxGridSize[2] = get(cudaDevAttrMaxGridDimZ);
    p->sharedMemPerBlock = get(cudaDevAttrMaxSharedMemoryPerBlock);
    p->sharedMemPerBlockOptin = get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->sharedMemPerMultiprocessor = get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
    p->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->totalConstMem = get(cudaDevAttrTotalConstantMemory);
    p->l2CacheSize = get(cudaDevAttrL2CacheSize);
    p->memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
    p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->concurrentKernels = get(cudaDevAttrConcurrentKernels);
    p->cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
    return cudaSuccess;
}
#endif
#define cudaDeviceGetAttribute klr_cudaDeviceGetAttribute
#define cudaDeviceGetStreamPriorityRange klr_cudaDeviceGetStreamPriorityRange
#define cudaDeviceReset klr_cudaDeviceReset
#define cudaDeviceSetCacheConfig klr_cudaDeviceSetCacheConfig
#define cudaDeviceSetLimit klr_cudaDeviceSetLimit
#define cudaDeviceSetSharedMemConfig klr_cudaDeviceSetSharedMemConfig
#define cudaDeviceSynchronize klr_cudaDeviceSynchronize
#define cudaDriverGetVersion klr_cudaDriverGetVersion
#define cudaEventCreate klr_cudaEventCreate
#define cudaEventCreateWithFlags klr_cudaEventCreateWithFlags
#define cudaEventDestroy klr_cudaEventDestroy
#define cudaEventElapsedTime klr_cudaEventElapsedTime
#define cudaEventQuery klr_cudaEventQuery
#define cudaEventRecord klr_cudaEventRecord
#define cudaEventSynchronize klr_cudaEventSynchronize
#define cudaFree klr_cudaFree
#define cudaFreeAsync klr_cudaFreeAsync
#define cudaFreeHost klr_cudaFreeHost
#define cudaFuncGetAttributes klr_cudaFuncGetAttributes
#define cudaFuncSetAttribute klr_cudaFuncSetAttribute
#define cudaFuncSetCacheConfig klr_cudaFuncSetCacheConfig
#define cudaGetDevice klr_cudaGetDevice
#define cudaGetDeviceCount klr_cudaGetDeviceCount
#define cudaGetDeviceProperties klr_cudaGetDeviceProperties
#define cudaGetErrorName klr_cudaGetErrorName
#define cudaGetErrorString klr_cudaGetErrorString
#define cudaGetLastError klr_cudaGetLastError
#define cudaGetSymbolAddress klr_cudaGetSymbolAddress
#define cudaGetSymbolSize klr_cudaGetSymbolSize
#define cudaGraphDestroy klr_cudaGraphDestroy
#define cudaGraphExecDestroy klr_cudaGraphExecDestroy
#define cudaGraphGetNodes klr_cudaGraphGetNodes
#define cudaGraphInstantiate klr_cudaGraphInstantiate
#define cudaGraphInstantiateWithFlags klr_cudaGraphInstantiateWithFlags
#define cudaGraphLaunch klr_cudaGraphLaunch
#define cudaGraphUpload klr_cudaGraphUpload
#define cudaHostAlloc klr_cudaHostAlloc
#define cudaHostRegister klr_cudaHostRegister
#define cudaHostUnregister klr_cudaHostUnregister
#define cudaLaunchCooperativeKernel klr_cudaLaunchCooperativeKernel
#define cudaLaunchKernel klr_cudaLaunchKernel
#define cudaLaunchKernelEx klr_cudaLaunchKernelEx
#define cudaLaunchKernelExC klr_cudaLaunchKernelExC
#define cudaMalloc klr_cudaMalloc
#define cudaMallocAsync klr_cudaMallocAsync
#define cudaMallocHost klr_cudaMallocHost
#define cudaMallocManaged klr_cudaMallocManaged
#define cudaMallocPitch klr_cudaMallocPitch
#define cudaMemGetInfo klr_cudaMemGetInfo
#define cudaMemcpy klr_cudaMemcpy
#define cudaMemcpy2D klr_cudaMemcpy2D
#define cudaMemcpy2DAsync klr_cudaMemcpy2DAsync
#define cudaMemcpyAsync klr_cudaMemcpyAsync
#define cudaMemcpyFromSymbol klr_cudaMemcpyFromSymbol
#define cudaMemcpyFromSymbolAsync klr_cudaMemcpyFromSymbolAsync
#define cudaMemcpyToSymbol klr_cudaMemcpyToSymbol
#define cudaMemcpyToSymbolAsync klr_cudaMemcpyToSymbolAsync
#define cudaMemset klr_cudaMemset
#define cudaMemset2D klr_cudaMemset2D
#define cudaMemset2DAsync klr_cudaMemset2DAsync
#define cudaMemsetAsync klr_cudaMemsetAsync
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor klr_cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaOccupancyMaxActiveClusters klr_cudaOccupancyMaxActiveClusters
#define cudaOccupancyMaxPotentialBlockSize klr_cudaOccupancyMaxPotentialBlockSize
#define cudaPeekAtLastError klr_cudaPeekAtLastError
#define cudaProfilerStart klr_cudaProfilerStart
#define cudaProfilerStop klr_cudaProfilerStop
#define cudaRuntimeGetVersion klr_cudaRuntimeGetVersion
#define cudaSetDevice klr_cudaSetDevice
#define cudaSetDeviceFlags klr_cudaSetDeviceFlags
#define cudaStreamBeginCapture klr_cudaStreamBeginCapture
#define cudaStreamEndCapture klr_cudaStreamEndCapture
#define cudaStreamIsCapturing klr_cudaStreamIsCapturing
#define cudaThreadExchangeStreamCaptureMode klr_cudaThreadExchangeStreamCaptureMode
#define cudaStreamCreate klr_cudaStreamCreate
#define cudaStreamCreateWithFlags klr_cudaStreamCreateWithFlags
#define cudaStreamCreateWithPriority klr_cudaStreamCreateWithPriority
#define cudaStreamDestroy klr_cudaStreamDestroy
#define cudaStreamQuery klr_cudaStreamQuery
#define cudaStreamSynchronize klr_cudaStreamSynchronize
#define cudaStreamWaitEvent klr_cudaStreamWaitEvent
