// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kernelarium::emulator {

/// Who stored into a watched range: a thread of a kernel, or (without a kernel) the host's side.
struct Writer {
    std::string kernel; ///< mangled name; empty for the host's side
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    int line = 0;     ///< of the user's file; 0 when unknown
    std::string call; ///< of the host's side: "cudaMemcpy", "aten.zeros", ...
    /// Number of the launch since forward began; empty outside of it.
    std::optional<std::uint32_t> launch = {};
    std::array<std::uint32_t, 3> blockSize{}; ///< of the launch
};

/// One of the stores into a watched range.
struct WatchedStore {
    Writer writer;
    std::uint64_t before = 0; ///< the range's first bytes, at most 8, as they were
};

/// An instruction of a launch, or a call of the host's side, that stored into a watched range: what all of its stores
/// have in common.
struct WriteSite {
    Writer writer; ///< without block and thread
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> blockSize{1, 1, 1};
};

/// Who stored last into a grain of a watched range.
struct WriteMark {
    std::uint64_t block = 0;  ///< x + grid x * (y + grid y * z)
    std::uint32_t site = 0;   ///< index into sites(); 0: nobody
    std::uint32_t thread = 0; ///< likewise, in its block
};

/// A range of device addresses and who stored into it. An atomic counts as a store whether or not it changed the
/// value. Of threads that store at the same time any one may come last, as in the memory. Without grains the last
/// stores into any byte of the range are kept; with them, the last store into each grain.
class WriteWatch {
public:
    static constexpr std::size_t mostStores = 64; ///< that are kept; the last ones

    /// `hostWriter` is asked for a name when a copy, fill or library operator writes; may be empty. `grain`: bytes of
    /// the parts whose last stores are kept each; 0: of the range as a whole. `data`: where the range's bytes are.
    WriteWatch(std::uint64_t address, std::uint64_t bytes, std::function<Writer()> hostWriter, std::uint32_t grain = 0,
               const std::byte* data = nullptr)
        : m_address(address)
        , m_bytes(bytes)
        , m_grain(grain)
        , m_data(data)
        , m_hostWriter(std::move(hostWriter))
        , m_sites(1)
        , m_marks(grain ? std::size_t((bytes + grain - 1) / grain) : 0) {}

    [[nodiscard]] std::uint64_t address() const { return m_address; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::uint32_t grain() const { return m_grain; }
    [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t bytes) const {
        return address < m_address + m_bytes && m_address < address + bytes;
    }

    /// A launch begins; what instructions store from now on is its.
    void beginLaunch(std::optional<std::uint32_t> number) {
        const std::lock_guard lock(m_mutex);
        m_launch = number;
        m_siteOf.clear();
    }

    // Without grains.
    void note(Writer writer) {
        const std::lock_guard lock(m_mutex);
        if (!writer.kernel.empty()) writer.launch = m_launch;
        std::uint64_t before = 0;
        if (m_data) std::memcpy(&before, m_data, std::size_t(m_bytes < 8 ? m_bytes : 8));
        if (m_last.size() == mostStores) m_last.pop_front();
        m_last.push_back({std::move(writer), before});
        ++m_stores;
    }
    /// Empty where nobody ever stored there.
    [[nodiscard]] std::optional<Writer> last() const {
        const std::lock_guard lock(m_mutex);
        return m_last.empty() ? std::nullopt : std::optional(m_last.back().writer);
    }
    /// The last stores, in their order, and how many there were.
    [[nodiscard]] const std::deque<WatchedStore>& history() const { return m_last; }
    [[nodiscard]] std::uint64_t stores() const { return m_stores; }

    // With grains.
    struct LaneStore {
        std::uint64_t address = 0;
        std::uint32_t thread = 0;
    };
    /// Lanes of a block's warp store `bytes` bytes each; `site` says what `instruction` is where it is new.
    void noteLanes(const void* instruction, const std::function<WriteSite()>& site, std::uint64_t block,
                   std::span<const LaneStore> lanes, std::uint32_t bytes) {
        const std::lock_guard lock(m_mutex);
        std::uint32_t& number = m_siteOf[instruction];
        if (number == 0) {
            number = std::uint32_t(m_sites.size());
            m_sites.push_back(site());
            m_sites.back().writer.launch = m_launch;
        }
        for (const LaneStore& lane : lanes)
            mark(lane.address, bytes, {block, number, lane.thread});
    }
    [[nodiscard]] const std::vector<WriteSite>& sites() const { return m_sites; } ///< the first is nobody's
    [[nodiscard]] const std::vector<WriteMark>& marks() const { return m_marks; }

    /// The host's side writes there.
    void noteHost(std::uint64_t address, std::uint64_t bytes) {
        Writer writer = m_hostWriter ? m_hostWriter() : Writer{};
        if (m_grain == 0) return note(std::move(writer));
        const std::lock_guard lock(m_mutex);
        const auto known = m_calls.emplace(std::pair(writer.call, writer.line), std::uint32_t(m_sites.size()));
        if (known.second) m_sites.push_back({std::move(writer)});
        mark(address, bytes, {0, known.first->second, 0});
    }
    /// The bytes are fresh memory: nobody has stored there yet.
    void forget(std::uint64_t address, std::uint64_t bytes) {
        const std::lock_guard lock(m_mutex);
        m_last.clear();
        m_stores = 0;
        if (m_grain) mark(address, bytes, {});
    }

private:
    void mark(std::uint64_t address, std::uint64_t bytes, const WriteMark& by) {
        const std::uint64_t from = address > m_address ? address - m_address : 0;
        const std::uint64_t past = address + bytes > m_address ? address + bytes - m_address : 0;
        const std::uint64_t end = past < m_bytes ? past : m_bytes;
        for (std::uint64_t k = from / m_grain; k * m_grain < end; ++k)
            m_marks[std::size_t(k)] = by;
    }

    std::uint64_t m_address;
    std::uint64_t m_bytes;
    std::uint32_t m_grain;
    const std::byte* m_data;
    std::function<Writer()> m_hostWriter;
    mutable std::mutex m_mutex;
    std::optional<std::uint32_t> m_launch;
    std::deque<WatchedStore> m_last;
    std::uint64_t m_stores = 0;
    std::vector<WriteSite> m_sites;
    std::vector<WriteMark> m_marks;
    std::map<const void*, std::uint32_t> m_siteOf; ///< of this launch's instructions
    std::map<std::pair<std::string, int>, std::uint32_t> m_calls;
};

} // namespace kernelarium::emulator
