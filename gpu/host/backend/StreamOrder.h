// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::host {

/// What of the work on streams is ordered before what, as CUDA's rules have it (Programming Guide, "Streams" and
/// "Legacy default stream"): work of one stream in order, the legacy default stream and blocking streams after each
/// other, events recorded and waited for, host waits. Each stream has a clock: how much of every other stream's work
/// comes before its next one. Work is executed in program order here whatever the streams; this tells whether a GPU
/// would have to keep to it.
class StreamOrder {
public:
    using Stream = std::uint64_t;
    static constexpr Stream legacyDefault = 0; ///< 0 and 1 name it

    void create(Stream stream, bool blocking);
    /// Items of each stream, counted from its first.
    using Clock = std::map<Stream, std::size_t>;
    /// What comes before the next piece of work on the stream, and how many that is on it.
    [[nodiscard]] Clock ahead(Stream stream) const { return before(known(stream)); }
    [[nodiscard]] std::size_t nextItem(Stream stream) const;

    /// A kernel, copy or library call that is put on the stream.
    void work(Stream stream, const std::string& what);
    void record(std::uint64_t event, Stream stream);
    void waitForEvent(Stream stream, std::uint64_t event);
    void hostWaitsForEvent(std::uint64_t event);
    void hostWaitsFor(Stream stream);
    void hostWaitsForAll();

    /// Whether the host has waited for this piece of work of the stream, and whether the next one on another stream
    /// comes after it.
    [[nodiscard]] bool hostKnows(Stream stream, std::size_t item) const { return has(m_host, stream, item); }
    [[nodiscard]] bool isAhead(Stream stream, std::size_t item, Stream of) const {
        return has(before(known(of)), stream, item);
    }

    /// How many streams but the default one had work.
    [[nodiscard]] std::size_t sideStreams() const;
    /// Work that an event on the default stream, recorded now, would not wait for: a sentence for each stream.
    [[nodiscard]] std::vector<std::string> unjoined() const;

private:
    [[nodiscard]] static Stream known(Stream stream) { return stream == 1 ? legacyDefault : stream; }
    [[nodiscard]] static bool has(const Clock& clock, Stream stream, std::size_t item) {
        const auto found = clock.find(known(stream));
        return found != clock.end() && found->second >= item;
    }
    [[nodiscard]] bool blocks(Stream stream) const { return !m_free.contains(stream); }
    /// What comes before the next work on the stream.
    [[nodiscard]] Clock before(Stream stream) const;
    static void merge(Clock& into, const Clock& from);

    std::set<Stream> m_free; ///< streams that do not wait for the legacy default stream
    Clock m_count;           ///< items put on each stream
    std::map<Stream, std::string> m_last;
    std::map<Stream, Clock> m_seen;
    std::map<std::uint64_t, Clock> m_events;
    Clock m_host; ///< what the host knows to be done
};

} // namespace kernelarium::host
