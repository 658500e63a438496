// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace kernelarium::process {

/// An open file, closed when it goes.
class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }

    [[nodiscard]] int number() const { return m_number; } ///< -1: none
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }
    void close() {
        if (m_number >= 0) ::close(std::exchange(m_number, -1));
    }

private:
    int m_number;
};

/// Two ends that belong together; no program that is started gets them but by dup2().
struct DescriptorPair {
    Descriptor reading; ///< of a socket pair, either
    Descriptor writing;

    /// Empty where there can be none: errno says why.
    static std::optional<DescriptorPair> pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
        return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
    }
    static std::optional<DescriptorPair> sockets() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
        return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
    }
};

} // namespace kernelarium::process
