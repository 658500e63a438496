// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Memory.h"

#include <algorithm>

namespace kernelarium::host {

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
