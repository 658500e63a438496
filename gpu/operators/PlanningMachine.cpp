// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/PlanningMachine.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::operators {

Result<std::uint64_t> PlanningMachine::allocate(std::uint64_t bytes, std::string_view) {
    constexpr std::uint64_t granule = 512;
    const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + granule - 1) / granule * granule;
    const std::uint64_t address = m_next;
    m_next += size;
    m_live[address] = size;
    m_addresses.push_back(address);
    m_used += size;
    m_peak = std::max(m_peak, m_used);
    return address;
}

std::optional<std::size_t> PlanningMachine::allocationOf(std::uint64_t address) const {
    const auto found = std::lower_bound(m_addresses.begin(), m_addresses.end(), address); // they only rise
    if (found == m_addresses.end() || *found != address) return std::nullopt;
    return std::size_t(found - m_addresses.begin());
}

Result<void> PlanningMachine::release(std::uint64_t address) {
    const auto found = m_live.find(address);
    if (found == m_live.end()) return Error{"bad_free", "Released what was not allocated."};
    m_used -= found->second;
    m_live.erase(found);
    return {};
}

Result<void> PlanningMachine::read(std::uint64_t, std::span<std::byte> out) {
    std::fill(out.begin(), out.end(), std::byte{0});
    return {};
}

} // namespace kernelarium::operators
