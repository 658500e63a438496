// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory that both sides use, and what the runtime says of a pointer.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

namespace kernelarium::host {

namespace {

constexpr int cudaErrorPeerAccessUnsupported = 217, cudaErrorPeerAccessNotEnabled = 705;

int mallocManaged(CudaContext& c, const ApiArguments& a) {
    constexpr std::int64_t global = 1, host = 2; // cudaMemAttachGlobal, cudaMemAttachHost
    const auto bytes = std::uint64_t(a.integer(1));
    const std::int64_t flags = a.integer(2, global);
    if (a.pointer(0) == 0 || bytes == 0 || (flags != global && flags != host)) return cudaErrorInvalidValue;
    const auto made = c.device.allocateManaged(bytes, a.api());
    if (!made && made.error().code == "unsupported") refuse(made.error().message);
    if (!made) return cudaErrorMemoryAllocation;
    c.managed.add(*made, bytes);
    c.host.write(a.pointer(0), *made);
    return cudaSuccess;
}

/// cudaHostGetDevicePointer(&device pointer, host pointer, flags): the same address, under unified addressing.
int devicePointer(CudaContext& c, const ApiArguments& a) {
    if (!c.copies.pinned.holds(a.pointer(1)) || a.integer(2, 0) != 0) return cudaErrorInvalidValue;
    if (!c.device.sharesHostMemory()) refuse(a.api() + " on a GPU: host code is interpreted here");
    c.host.write(a.pointer(0), a.pointer(1));
    return cudaSuccess;
}

int hostFlags(CudaContext& c, const ApiArguments& a) {
    constexpr unsigned mapped = 2; // cudaHostAllocMapped
    if (!c.copies.pinned.holds(a.pointer(1))) return cudaErrorInvalidValue;
    c.host.write(a.pointer(0), mapped);
    return cudaSuccess;
}

/// cudaMemAdvise, cudaMemPrefetchAsync, cudaStreamAttachMemAsync: they move pages, and change nothing that is read.
int advice(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t address = a.api() == "cudaStreamAttachMemAsync" ? a.pointer(1) : a.pointer(0);
    return c.managed.holds(address) ? cudaSuccess : cudaErrorInvalidValue;
}

/// cudaPointerGetAttributes(&type, &device, &device pointer, &host pointer, pointer)
int pointerAttributes(CudaContext& c, const ApiArguments& a) {
    enum : int { unregistered = 0, host = 1, device = 2, managed = 3 };
    const std::uint64_t address = a.pointer(4);
    const bool shared = c.device.sharesHostMemory();
    const int type = c.managed.holds(address)         ? managed
                     : c.device.holds(address)        ? device
                     : c.copies.pinned.holds(address) ? host
                                                      : unregistered;
    c.host.write(a.pointer(0), type);
    c.host.write(a.pointer(1), type == unregistered ? -2 : 0); // cudaInvalidDeviceId
    c.host.write(a.pointer(2), type == unregistered || (type == host && !shared) ? std::uint64_t(0) : address);
    c.host.write(a.pointer(3), type == device ? std::uint64_t(0) : address);
    return cudaSuccess;
}

/// There is one device: nobody has a peer.
int canAccessPeer(CudaContext& c, const ApiArguments& a) {
    if (a.integer(1) != 0 || a.integer(2) != 0) return cudaErrorInvalidDevice;
    c.host.write(a.pointer(0), 0);
    return cudaSuccess;
}

int enablePeer(CudaContext&, const ApiArguments& a) {
    return a.integer(0) == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
}

int disablePeer(CudaContext&, const ApiArguments& a) {
    return a.integer(0) == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}

} // namespace

const std::map<std::string_view, ApiCall>& pointerCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaMallocManaged", mallocManaged},
        {"cudaHostGetDevicePointer", devicePointer},
        {"cudaHostGetFlags", hostFlags},
        {"cudaMemAdvise", advice},
        {"cudaMemPrefetchAsync", advice},
        {"cudaStreamAttachMemAsync", advice},
        {"cudaPointerGetAttributes", pointerAttributes},
        {"cudaDeviceCanAccessPeer", canAccessPeer},
        {"cudaDeviceEnablePeerAccess", enablePeer},
        {"cudaDeviceDisablePeerAccess", disablePeer},
    };
    return table;
}

} // namespace kernelarium::host
