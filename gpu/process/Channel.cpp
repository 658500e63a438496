// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/Channel.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>

namespace kernelarium::process {

Result<Channel> Channel::start(Start start, Errors errors, std::size_t mostErrors) {
    const auto failed = [&] {
        return Error{"missing_component", "Cannot start " + start.words.at(0) + ": " + std::strerror(errno) + "."};
    };
    std::optional<DescriptorPair> sockets = DescriptorPair::sockets();
    if (!sockets) return failed();
    DescriptorPair said;
    if (errors == Errors::kept) {
        std::optional<DescriptorPair> pipe = DescriptorPair::pipe();
        if (!pipe) return failed();
        said = std::move(*pipe);
    } else if (errors == Errors::dropped) {
        said.writing = Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
    }
    start.input = start.output = sockets->writing.number();
    start.errors = said.writing.number();
    Result<Child> child = Child::start(start);
    if (!child) return child.error();
    ::fcntl(sockets->reading.number(), F_SETFL, O_NONBLOCK);
    if (said.reading.isOpen()) ::fcntl(said.reading.number(), F_SETFL, O_NONBLOCK);
    return Channel(std::move(*child), std::move(sockets->reading), std::move(said.reading), mostErrors);
}

void Channel::send(std::string_view bytes) {
    m_outgoing += bytes;
}

void Channel::endInput() {
    m_inputEnds = true;
    if (m_outgoing.empty()) ::shutdown(m_socket.number(), SHUT_WR);
}

void Channel::sendSome() {
    const ssize_t n = ::send(m_socket.number(), m_outgoing.data() + m_sent, m_outgoing.size() - m_sent, MSG_NOSIGNAL);
    if (n > 0) m_sent += std::size_t(n);
    // A program that is gone shows when reading; what was meant for it is dropped.
    if ((n < 0 && errno != EAGAIN && errno != EINTR) || m_sent == m_outgoing.size()) {
        m_outgoing.clear();
        m_sent = 0;
        if (m_inputEnds) ::shutdown(m_socket.number(), SHUT_WR);
    }
}

void Channel::receiveSome() {
    std::array<char, 65536> chunk;
    const ssize_t n = ::recv(m_socket.number(), chunk.data(), chunk.size(), 0);
    if (n > 0) m_output.append(chunk.data(), std::size_t(n));
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) m_outputEnded = true;
}

void Channel::receiveErrors() {
    std::array<char, 4096> chunk;
    while (m_errorPipe.isOpen()) {
        const ssize_t n = ::read(m_errorPipe.number(), chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            m_errorPipe.close();
            return;
        }
        m_errors.append(chunk.data(), std::size_t(n));
        if (m_errors.size() > m_mostErrors) m_errors.erase(0, m_errors.size() - m_mostErrors);
    }
}

bool Channel::exchange(std::chrono::milliseconds timeout) {
    std::array<pollfd, 2> waits{
        pollfd{m_outputEnded ? -1 : m_socket.number(), short(POLLIN | (m_outgoing.empty() ? 0 : POLLOUT)), 0},
        pollfd{m_errorPipe.number(), POLLIN, 0}};
    const int ready = ::poll(waits.data(), waits.size(), int(std::min<std::int64_t>(timeout.count(), 1 << 30)));
    if (ready == 0) return false;
    if (ready < 0) return errno == EINTR;
    if (waits[1].revents) receiveErrors();
    if (waits[0].revents & POLLOUT) sendSome();
    if (waits[0].revents & (POLLIN | POLLHUP | POLLERR)) receiveSome();
    return true;
}

} // namespace kernelarium::process
