// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/FrontEndMessages.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace {

constexpr int longestFinding = 1000; ///< milliseconds that a copy may take to read the log

bool writeAll(int file, const char* text, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t n = ::write(file, text + done, size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += std::size_t(n);
    }
    return true;
}

bool readAll(int file, char* text, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t n = ::read(file, text + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR)) return false;
        if (n > 0) done += std::size_t(n);
    }
    return true;
}

} // namespace

FrontEndMessages::FrontEndMessages(Way way, std::stop_token stop)
    : m_way(way)
    , m_stop(std::move(stop)) {
    if (way == Way::none) return;
    if (std::optional<process::DescriptorPair> pipe = process::DescriptorPair::pipe()) m_pipe = std::move(*pipe);
}

FrontEndMessages::~FrontEndMessages() {
    if (m_copy <= 0 || m_isCopy) return;
    ::kill(m_copy, SIGKILL);
    while (::waitpid(m_copy, nullptr, 0) < 0 && errno == EINTR) {
    }
}

int FrontEndMessages::askedOn(void* object, void*) {
    auto* self = static_cast<FrontEndMessages*>(object);
    if (self->m_isCopy || self->m_stop.stop_requested()) return 1;
    if (!self->m_pipe.writing.isOpen()) return 0;
    if (self->m_way == Way::asked) {
        self->send(self->m_log());
        self->m_pipe.writing.close();
        return 0;
    }
    self->copy();
    if (self->m_way == Way::finding) self->find();
    return self->m_isCopy ? 1 : 0;
}

/// In the copy: reads the log. Here: waits for that, which takes no time where it is done at all.
void FrontEndMessages::find() {
    if (m_isCopy) endCopy(m_log());
    pollfd said{m_pipe.reading.number(), POLLIN, 0};
    if (m_copy > 0 && ::poll(&said, 1, longestFinding) <= 0) ::kill(m_copy, SIGKILL);
}

void FrontEndMessages::copy() {
    const pid_t parent = ::getpid();
    m_copy = ::fork();
    if (m_copy == 0) {
        m_isCopy = true;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1); // it died before that
        return;
    }
    m_pipe.writing.close(); // the copy has the only one left, or there is no copy to be had
}

/// Their size goes first, so that nobody waits for the end of the one who sends.
bool FrontEndMessages::send(const std::string& messages) {
    const std::size_t size = messages.size();
    return writeAll(m_pipe.writing.number(), reinterpret_cast<const char*>(&size), sizeof size) &&
           writeAll(m_pipe.writing.number(), messages.data(), size);
}

void FrontEndMessages::endCopy(const std::string& messages) {
    ::_exit(send(messages) ? 0 : 1);
}

void FrontEndMessages::noMore() {
    if (m_isCopy) ::_exit(1);
    m_pipe.writing.close();
}

std::optional<std::string> FrontEndMessages::messages() {
    const int file = m_pipe.reading.number();
    std::size_t size = 0;
    if (!m_pipe.reading.isOpen() || !readAll(file, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
    std::string all(size, '\0');
    if (!readAll(file, all.data(), size)) return std::nullopt;
    return all;
}

} // namespace kernelarium::compile
