// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/CudaMemory.h"

#include <algorithm>

namespace kernelarium::device {

Result<void> CudaMemory::read(std::uint64_t address, std::span<std::byte> out) const {
    if (out.empty()) return {};
    if (auto inside = checkRange("A read", address, out.size()); !inside) return inside;
    return m_context->check(m_context->api().cuMemcpyDtoH(out.data(), address, out.size()), "Reading device memory");
}

Result<void> CudaMemory::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    if (auto inside = checkRange("A write", address, bytes.size()); !inside) return inside;
    return m_context->check(m_context->api().cuMemcpyHtoD(address, bytes.data(), bytes.size()),
                            "Writing device memory");
}

Result<void> CudaMemory::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    if (bytes == 0) return {};
    if (auto inside = checkRange("A fill", address, bytes); !inside) return inside;
    return m_context->check(m_context->api().cuMemsetD8(address, value, bytes), "Filling device memory");
}

/// One copy of the pattern crosses the bus; what is there is doubled until the range is full.
Result<void> CudaMemory::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    if (bytes == 0 || pattern.empty()) return {};
    if (auto inside = checkRange("A pattern", address, bytes); !inside) return inside;
    std::uint64_t done = std::min<std::uint64_t>(bytes, pattern.size());
    if (auto first = write(address, pattern.first(done)); !first) return first;
    while (done < bytes) {
        const std::uint64_t count = std::min(done, bytes - done);
        const DriverStatus status = m_context->api().cuMemcpyDtoD(address + done, address, count);
        if (auto copied = m_context->check(status, "Filling device memory"); !copied) return copied;
        done += count;
    }
    return {};
}

Result<void> CudaMemory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (bytes == 0) return {};
    if (auto inside = checkRange("A copy from", from, bytes); !inside) return inside;
    if (auto inside = checkRange("A copy to", to, bytes); !inside) return inside;
    const bool overlaps = to < from + bytes && from < to + bytes;
    if (!overlaps) return m_context->check(m_context->api().cuMemcpyDtoD(to, from, bytes), "Copying device memory");
    // What the GPU makes of overlapping ranges is not defined; by way of this process it is.
    std::vector<std::byte> staged(bytes);
    if (auto fetched = read(from, staged); !fetched) return fetched;
    return write(to, staged);
}

} // namespace kernelarium::device
