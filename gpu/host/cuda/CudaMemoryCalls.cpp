// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace kernelarium::host {

namespace {

enum CopyKind : std::int64_t { hostToHost = 0, hostToDevice = 1, deviceToHost = 2, deviceToDevice = 3, byAddress = 4 };

int faultOf(CudaContext& c, const ApiArguments& a, const Error& error) {
    verify::Fault fault;
    fault.kind = "out_of_bounds";
    fault.kernel = a.api();
    fault.message = a.api() + ": " + error.message;
    fault.leavesAllocation = true;
    c.log.add(std::move(fault));
    return cudaErrorInvalidValue;
}

int allocateInto(CudaContext& c, const ApiArguments& a, std::uint64_t bytes) {
    if (a.pointer(0) == 0) return cudaErrorInvalidValue;
    std::uint64_t address = 0;
    if (bytes > 0) {
        const auto made = c.device.allocate(bytes, a.api());
        if (!made) return cudaErrorMemoryAllocation;
        address = *made;
    }
    c.host.write(a.pointer(0), address);
    return cudaSuccess;
}

int mallocHost(CudaContext& c, const ApiArguments& a) {
    const auto made = c.host.memory().allocate(std::uint64_t(a.integer(1)), a.api());
    if (!made) return cudaErrorMemoryAllocation;
    c.copies.pinned.add(*made, std::uint64_t(a.integer(1)));
    c.host.memory().share(*made, c.device.sharesHostMemory());
    c.host.write(a.pointer(0), *made);
    return cudaSuccess;
}

int freeHost(CudaContext& c, const ApiArguments& a) {
    if (a.pointer(0) == 0) return cudaSuccess;
    if (!c.copies.pinned.remove(a.pointer(0))) return cudaErrorInvalidValue;
    return c.host.memory().release(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidValue;
}

int registerHost(CudaContext& c, const ApiArguments& a) {
    if (a.pointer(0) == 0 || a.integer(1) == 0) return cudaErrorInvalidValue;
    if (c.copies.pinned.holds(a.pointer(0))) return cudaErrorHostMemoryAlreadyRegistered;
    c.copies.pinned.add(a.pointer(0), std::uint64_t(a.integer(1)));
    c.host.memory().share(a.pointer(0), c.device.sharesHostMemory());
    return cudaSuccess;
}

int unregisterHost(CudaContext& c, const ApiArguments& a) {
    if (!c.copies.pinned.remove(a.pointer(0))) return cudaErrorHostMemoryNotRegistered;
    c.host.memory().share(a.pointer(0), false);
    return cudaSuccess;
}

int mallocPitch(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t pitch = (std::uint64_t(a.integer(2)) + 511) / 512 * 512;
    c.host.write(a.pointer(1), pitch);
    return allocateInto(c, a, pitch * std::uint64_t(a.integer(3)));
}

int release(CudaContext& c, const ApiArguments& a) {
    if (a.pointer(0) == 0) return cudaSuccess;
    c.managed.remove(a.pointer(0));
    return c.device.release(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidValue;
}

std::string_view wordOf(std::int64_t kind) {
    constexpr std::array<std::string_view, 4> words = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice"};
    return words[std::size_t(kind)];
}

/// What the driver makes of a copy's kind under unified addressing, as measured on an H200 for every pair of pageable,
/// page-locked and device memory: it copies from where to where the addresses say, and refuses only a kind that calls
/// pageable memory, whose address it does not know, device memory. CUDA leaves a kind that does not fit undefined.
int checkKind(CudaContext& c, const ApiArguments& a, std::uint64_t to, std::uint64_t from, std::int64_t kind) {
    if (kind < hostToHost || kind > byAddress) return cudaErrorInvalidMemcpyDirection;
    if (kind == byAddress || c.managed.holds(to) || c.managed.holds(from)) return cudaSuccess;
    const bool toDevice = c.device.holds(to), fromDevice = c.device.holds(from);
    const bool saysTo = kind == hostToDevice || kind == deviceToDevice;
    const bool saysFrom = kind == deviceToHost || kind == deviceToDevice;
    if (saysTo && !toDevice && !c.copies.pinned.holds(to)) return cudaErrorInvalidValue;
    if (saysFrom && !fromDevice && !c.copies.pinned.holds(from)) return cudaErrorInvalidValue;
    if (saysTo != toDevice || saysFrom != fromDevice)
        c.log.noteCopyKind(fmt::format("{} is told cudaMemcpy{}, but copies from {} to {} memory.", a.api(),
                                       wordOf(kind), fromDevice ? "device" : "host", toDevice ? "device" : "host"));
    return cudaSuccess;
}

int copyBytes(CudaContext& c, const ApiArguments& a, std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
              std::int64_t kind) {
    if (bytes == 0) return cudaSuccess;
    if (const int status = checkKind(c, a, to, from, kind)) return status;
    const bool toDevice = c.device.holds(to), fromDevice = c.device.holds(from);
    if (toDevice && fromDevice) {
        const auto done = c.device.copy(to, from, bytes);
        return done ? cudaSuccess : faultOf(c, a, done.error());
    }
    std::vector<std::byte> raw(bytes);
    if (fromDevice) {
        if (const auto unwritten = c.device.firstUnwritten(from, bytes)) {
            verify::Fault fault;
            fault.kind = "uninitialised_read";
            fault.kernel = a.api();
            fault.message = fmt::format("{} reads byte {} of its source, which was never written", a.api(), *unwritten);
            c.log.addUnwrittenRead(std::move(fault));
        }
        if (auto done = c.device.read(from, raw); !done) return faultOf(c, a, done.error());
    } else {
        c.host.readBytes(from, raw);
    }
    if (toDevice) {
        if (auto done = c.device.write(to, raw); !done) return faultOf(c, a, done.error());
    } else {
        c.host.writeBytes(to, raw);
    }
    return cudaSuccess;
}

int copyCall(CudaContext& c, const ApiArguments& a) {
    return copyBytes(c, a, a.pointer(0), a.pointer(1), std::uint64_t(a.integer(2)), a.integer(3, byAddress));
}

int copyRows(CudaContext& c, const ApiArguments& a) {
    const auto width = std::uint64_t(a.integer(4));
    if (width > std::uint64_t(a.integer(1)) || width > std::uint64_t(a.integer(3))) return 12; // invalid pitch
    for (std::int64_t row = 0; row < a.integer(5); ++row) {
        const std::uint64_t to = a.pointer(0) + std::uint64_t(row * a.integer(1));
        const std::uint64_t from = a.pointer(2) + std::uint64_t(row * a.integer(3));
        if (const int status = copyBytes(c, a, to, from, width, a.integer(6, byAddress))) return status;
    }
    return cudaSuccess;
}

int setBytes(CudaContext& c, const ApiArguments& a, std::uint64_t at, std::uint64_t bytes, std::uint8_t value) {
    if (bytes == 0) return cudaSuccess;
    if (!c.device.holds(at)) return cudaErrorInvalidValue;
    const auto done = c.device.fill(at, bytes, value);
    return done ? cudaSuccess : faultOf(c, a, done.error());
}

int setCall(CudaContext& c, const ApiArguments& a) {
    return setBytes(c, a, a.pointer(0), std::uint64_t(a.integer(2)), std::uint8_t(a.integer(1)));
}

int setRows(CudaContext& c, const ApiArguments& a) {
    for (std::int64_t row = 0; row < a.integer(4); ++row) {
        const std::uint64_t at = a.pointer(0) + std::uint64_t(row * a.integer(1));
        if (const int status = setBytes(c, a, at, std::uint64_t(a.integer(3)), std::uint8_t(a.integer(2))))
            return status;
    }
    return cudaSuccess;
}

/// The device's variable behind the interpreted program's address of it.
std::optional<DeviceSymbol> symbolOf(const CudaContext& c, std::uint64_t address) {
    const auto name = c.symbols.variableAt ? c.symbols.variableAt(address) : std::nullopt;
    return name ? c.device.symbol(*name) : std::nullopt;
}

int toSymbol(CudaContext& c, const ApiArguments& a) {
    const auto symbol = symbolOf(c, a.pointer(0));
    if (!symbol) return cudaErrorInvalidSymbol;
    const auto bytes = std::uint64_t(a.integer(2)), offset = std::uint64_t(a.integer(3, 0));
    if (offset > symbol->bytes || bytes > symbol->bytes - offset) return cudaErrorInvalidValue;
    const std::uint64_t from = a.pointer(1);
    const std::int64_t kind = a.integer(4, hostToDevice);
    if (kind != hostToDevice && kind != deviceToDevice && kind != byAddress) return cudaErrorInvalidMemcpyDirection;
    return copyBytes(c, a, symbol->address + offset, from, bytes, kind);
}

int fromSymbol(CudaContext& c, const ApiArguments& a) {
    const auto symbol = symbolOf(c, a.pointer(1));
    if (!symbol) return cudaErrorInvalidSymbol;
    const auto bytes = std::uint64_t(a.integer(2)), offset = std::uint64_t(a.integer(3, 0));
    if (offset > symbol->bytes || bytes > symbol->bytes - offset) return cudaErrorInvalidValue;
    const std::int64_t kind = a.integer(4, deviceToHost);
    if (kind != deviceToHost && kind != deviceToDevice && kind != byAddress) return cudaErrorInvalidMemcpyDirection;
    return copyBytes(c, a, a.pointer(0), symbol->address + offset, bytes, kind);
}

int symbolAddress(CudaContext& c, const ApiArguments& a) {
    const auto symbol = symbolOf(c, a.pointer(1));
    if (!symbol) return cudaErrorInvalidSymbol;
    c.host.write(a.pointer(0), symbol->address);
    return cudaSuccess;
}

int symbolSize(CudaContext& c, const ApiArguments& a) {
    const auto symbol = symbolOf(c, a.pointer(1));
    if (!symbol) return cudaErrorInvalidSymbol;
    c.host.write(a.pointer(0), symbol->bytes);
    return cudaSuccess;
}

int memoryInfo(CudaContext& c, const ApiArguments& a) {
    c.askedOfMachine.insert("cudaMemGetInfo()");
    c.host.write(a.pointer(0), c.device.capacity() - std::min(c.device.capacity(), c.device.used()));
    c.host.write(a.pointer(1), c.device.capacity());
    return cudaSuccess;
}

int mallocCall(CudaContext& c, const ApiArguments& a) {
    return allocateInto(c, a, std::uint64_t(a.integer(1)));
}

} // namespace

const std::map<std::string_view, ApiCall>& memoryCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaMalloc", mallocCall},
        {"cudaMallocAsync", mallocCall},
        {"cudaMallocHost", mallocHost},
        {"cudaHostAlloc", mallocHost},
        {"cudaMallocPitch", mallocPitch},
        {"cudaFree", release},
        {"cudaFreeAsync", release},
        {"cudaFreeHost", freeHost},
        {"cudaHostRegister", registerHost},
        {"cudaHostUnregister", unregisterHost},
        {"cudaMemcpy", copyCall},
        {"cudaMemcpyAsync", copyCall},
        {"cudaMemcpy2D", copyRows},
        {"cudaMemcpy2DAsync", copyRows},
        {"cudaMemset", setCall},
        {"cudaMemsetAsync", setCall},
        {"cudaMemset2D", setRows},
        {"cudaMemset2DAsync", setRows},
        {"cudaMemcpyToSymbol", toSymbol},
        {"cudaMemcpyToSymbolAsync", toSymbol},
        {"cudaMemcpyFromSymbol", fromSymbol},
        {"cudaMemcpyFromSymbolAsync", fromSymbol},
        {"cudaGetSymbolAddress", symbolAddress},
        {"cudaGetSymbolSize", symbolSize},
        {"cudaMemGetInfo", memoryInfo},
    };
    return table;
}

} // namespace kernelarium::host
