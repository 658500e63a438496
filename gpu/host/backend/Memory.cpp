// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Memory.h"

#include <algorithm>

namespace kernelarium::host {

Result<std::uint64_t> Memory::allocateHolding(std::span<const std::byte> contents, std::string label) {
    Result<std::uint64_t> address = allocate(std::max<std::uint64_t>(contents.size(), 1), std::move(label));
    if (!address || contents.empty()) return address;
    if (Result<void> written = write(*address, contents); !written) return written.error();
    return address;
}

Result<void> Memory::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    if (pattern.empty()) return {};
    while (bytes > 0) {
        const std::uint64_t count = std::min<std::uint64_t>(bytes, pattern.size());
        if (Result<void> written = write(address, pattern.first(count)); !written) return written;
        address += count;
        bytes -= count;
    }
    return {};
}

} // namespace kernelarium::host
