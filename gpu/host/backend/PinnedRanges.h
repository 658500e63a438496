// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace kernelarium::host {

/// Page-locked memory of the host code: the driver knows its addresses, as it knows those of device memory.
class PinnedRanges {
public:
    void add(std::uint64_t address, std::uint64_t bytes) {
        if (bytes > 0) m_ends[address] = address + bytes;
    }
    /// False where none begins there.
    bool remove(std::uint64_t address) { return m_ends.erase(address) > 0; }
    [[nodiscard]] bool holds(std::uint64_t address) const {
        const auto after = m_ends.upper_bound(address);
        return after != m_ends.begin() && address < std::prev(after)->second;
    }

private:
    std::map<std::uint64_t, std::uint64_t> m_ends; ///< by first address
};

} // namespace kernelarium::host
