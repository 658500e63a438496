// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/HostCopies.h"

#include <utility>

namespace kernelarium::host {

std::vector<std::byte> HostCopies::contents(std::uint64_t address, std::uint64_t bytes) const {
    if (!m_late) return {};
    std::vector<std::byte> found(bytes);
    if (!m_host.read(address, found)) found.clear();
    return found;
}

std::vector<std::byte> HostCopies::fresh(std::uint64_t bytes) const {
    if (!m_late) return {};
    std::vector<std::byte> pattern(bytes);
    for (std::size_t i = 0; i < pattern.size(); ++i)
        pattern[i] = std::byte(m_poison >> (8 * (i % 4)));
    return pattern;
}

void HostCopies::arrived(Stream stream, std::uint64_t address, std::uint64_t bytes, std::vector<std::byte> before) {
    Pending copy{stream, m_order.nextItem(stream) - 1, address, {}};
    if (m_order.hostKnows(copy.stream, copy.item)) return;
    if (m_late && before.size() == bytes) {
        copy.bytes = contents(address, bytes);
        if (copy.bytes.empty() || !m_host.write(address, before)) copy.bytes.clear();
    }
    ++m_asynchronous;
    m_pending.push_back(std::move(copy));
}

void HostCopies::handOver(const Pending& copy) {
    // Memory that is gone has no reader.
    if (!copy.bytes.empty()) (void)m_host.write(copy.address, copy.bytes);
}

template <class Done> void HostCopies::handOverWhere(Done done) {
    std::vector<Pending> left;
    for (Pending& copy : m_pending) {
        if (done(copy))
            handOver(copy);
        else
            left.push_back(std::move(copy));
    }
    m_pending = std::move(left);
}

void HostCopies::settle() {
    if (m_pending.empty()) return;
    handOverWhere([this](const Pending& copy) { return m_order.hostKnows(copy.stream, copy.item); });
}

void HostCopies::settleAhead(Stream stream) {
    if (m_pending.empty()) return;
    handOverWhere([this, stream](const Pending& copy) { return m_order.isAhead(copy.stream, copy.item, stream); });
}

void HostCopies::settleAll() {
    handOverWhere([](const Pending&) { return true; });
}

} // namespace kernelarium::host
