// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/StreamOrder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

void StreamOrder::merge(Clock& into, const Clock& from) {
    for (const auto& [stream, items] : from) {
        std::size_t& known = into[stream];
        known = std::max(known, items);
    }
}

void StreamOrder::create(Stream stream, bool blocking) {
    if (!blocking) m_free.insert(stream);
}

StreamOrder::Clock StreamOrder::before(Stream stream) const {
    Clock clock = m_host;
    const auto own = m_seen.find(stream);
    if (own != m_seen.end()) merge(clock, own->second);
    const auto join = [&](Stream other) {
        const auto seen = m_seen.find(other);
        if (seen != m_seen.end()) merge(clock, seen->second);
    };
    if (stream == legacyDefault) {
        for (const auto& [other, items] : m_count)
            if (blocks(other)) join(other);
    } else if (blocks(stream)) {
        join(legacyDefault);
    }
    return clock;
}

std::size_t StreamOrder::nextItem(Stream stream) const {
    const auto count = m_count.find(known(stream));
    return count == m_count.end() ? 1 : count->second + 1;
}

void StreamOrder::work(Stream stream, const std::string& what) {
    stream = known(stream);
    Clock clock = before(stream);
    clock[stream] = ++m_count[stream];
    m_seen[stream] = std::move(clock);
    m_last[stream] = what;
}

void StreamOrder::record(std::uint64_t event, Stream stream) {
    m_events[event] = before(known(stream));
}

void StreamOrder::waitForEvent(Stream stream, std::uint64_t event) {
    const auto recorded = m_events.find(event);
    if (recorded != m_events.end()) merge(m_seen[known(stream)], recorded->second);
}

void StreamOrder::hostWaitsForEvent(std::uint64_t event) {
    const auto recorded = m_events.find(event);
    if (recorded != m_events.end()) merge(m_host, recorded->second);
}

void StreamOrder::hostWaitsFor(Stream stream) {
    merge(m_host, before(known(stream)));
}

void StreamOrder::hostWaitsForAll() {
    merge(m_host, m_count);
}

std::size_t StreamOrder::sideStreams() const {
    return std::size_t(
        std::count_if(m_count.begin(), m_count.end(), [](const auto& entry) { return entry.first != legacyDefault; }));
}

std::vector<std::string> StreamOrder::unjoined() const {
    const Clock joined = before(legacyDefault);
    std::vector<std::string> sentences;
    for (const auto& [stream, items] : m_count) {
        const auto done = joined.find(stream);
        const std::size_t left = items - (done == joined.end() ? 0 : done->second);
        if (left == 0) continue;
        sentences.push_back(
            fmt::format("{} of {} pieces of work on another stream, the last of them {}, need not be done "
                        "when forward's caller goes on: nothing waits for them.",
                        left, items, m_last.at(stream)));
    }
    return sentences;
}

} // namespace kernelarium::host
