// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensors of gigabytes that hold one drawn pattern over and over: the pattern lies in a memory file whose pages are
// mapped as often as needed, privately, so that a write makes a page of its own.
#include "gpu/emulator/memory/DeviceMemory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::emulator {

namespace {

constexpr std::uint64_t pageBytes = 4096;
/// Below this many bytes writing is as good, and the process has only so many mappings.
constexpr std::uint64_t leastMapped = 1u << 20;

void writeRepeated(std::byte* to, std::uint64_t bytes, std::uint64_t phase, std::span<const std::byte> pattern) {
    while (bytes) {
        const std::uint64_t at = phase % pattern.size();
        const std::uint64_t count = std::min(bytes, pattern.size() - at);
        std::memcpy(to, pattern.data() + at, count);
        to += count;
        phase += count;
        bytes -= count;
    }
}

/// A file descriptor that closes itself.
class MemoryFile {
public:
    explicit MemoryFile(std::span<const std::byte> bytes)
        : m_descriptor(memfd_create("pattern", MFD_CLOEXEC)) {
        std::size_t written = 0;
        while (m_descriptor >= 0 && written < bytes.size()) {
            const ssize_t count = ::write(m_descriptor, bytes.data() + written, bytes.size() - written);
            if (count <= 0)
                close();
            else
                written += std::size_t(count);
        }
    }
    ~MemoryFile() { close(); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Maps the whole file over the bytes there. False where the system refuses.
    [[nodiscard]] bool mapAt(std::byte* where, std::uint64_t bytes) const {
        return m_descriptor >= 0 && mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                                         m_descriptor, 0) != MAP_FAILED;
    }

private:
    void close() {
        if (m_descriptor >= 0) ::close(m_descriptor);
        m_descriptor = -1;
    }
    int m_descriptor;
};

} // namespace

Result<void> DeviceMemory::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    if (bytes == 0 || pattern.empty()) return {};
    const Allocation* a = find(address);
    if (!a || bytes > a->address + a->bytes - address)
        return Error{"out_of_bounds",
                     fmt::format("A pattern of {} bytes at {:#x} is outside every allocation.", bytes, address)};
    std::byte* const start = m_data + (address - base);
    const std::uint64_t head = (pageBytes - reinterpret_cast<std::uintptr_t>(start) % pageBytes) % pageBytes;
    const bool maps = !isTracked() && pattern.size() >= leastMapped && pattern.size() % pageBytes == 0 &&
                      bytes > head + 2 * pattern.size();
    if (!maps) {
        writeRepeated(start, bytes, 0, pattern);
        markInitialised(address, bytes);
        return {};
    }
    writeRepeated(start, head, 0, pattern);
    // The mapped copies begin where the head ended in the pattern.
    std::vector<std::byte> turned(pattern.size());
    writeRepeated(turned.data(), turned.size(), head, pattern);
    const MemoryFile file(turned);
    std::uint64_t at = head;
    while (bytes - at >= turned.size() && file.mapAt(start + at, turned.size()))
        at += turned.size();
    writeRepeated(start + at, bytes - at, at, pattern);
    markInitialised(address, bytes);
    return {};
}

} // namespace kernelarium::emulator
