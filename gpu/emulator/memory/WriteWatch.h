// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace kernelarium::emulator {

/// Who stored into a watched range: a thread of a kernel, or (without a kernel) the host's side.
struct Writer {
    std::string kernel; ///< mangled name; empty for the host's side
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    int line = 0;     ///< of the user's file; 0 when unknown
    std::string call; ///< of the host's side: "cudaMemcpy", "aten.zeros", ...
};

/// A range of device addresses and the last one who stored into any byte of it. An atomic counts as a store whether
/// or not it changed the value. Of threads that store at the same time any one may come last, as in the memory.
class WriteWatch {
public:
    /// `hostWriter` is asked for a name when a copy, fill or library operator writes; may be empty.
    WriteWatch(std::uint64_t address, std::uint64_t bytes, std::function<Writer()> hostWriter)
        : m_address(address)
        , m_bytes(bytes)
        , m_hostWriter(std::move(hostWriter)) {}

    [[nodiscard]] std::uint64_t address() const { return m_address; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] bool overlaps(std::uint64_t address, std::uint64_t bytes) const {
        return address < m_address + m_bytes && m_address < address + bytes;
    }
    void note(Writer writer) {
        const std::lock_guard lock(m_mutex);
        m_last = std::move(writer);
    }
    void noteHost() { note(m_hostWriter ? m_hostWriter() : Writer{}); }
    /// Empty where nobody ever stored there.
    [[nodiscard]] std::optional<Writer> last() const {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }

private:
    std::uint64_t m_address;
    std::uint64_t m_bytes;
    std::function<Writer()> m_hostWriter;
    mutable std::mutex m_mutex;
    std::optional<Writer> m_last;
};

} // namespace kernelarium::emulator
