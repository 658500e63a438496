// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/FrontEndCopy.h"

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace {

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

FrontEndCopy::FrontEndCopy(bool copies, std::stop_token stop)
    : m_stop(std::move(stop)) {
    if (!copies) return;
    if (std::optional<process::DescriptorPair> pipe = process::DescriptorPair::pipe()) m_pipe = std::move(*pipe);
}

FrontEndCopy::~FrontEndCopy() {
    if (m_copy <= 0 || m_isCopy) return;
    ::kill(m_copy, SIGKILL);
    while (::waitpid(m_copy, nullptr, 0) < 0 && errno == EINTR) {
    }
}

int FrontEndCopy::askedOn(void* object, void*) {
    auto* self = static_cast<FrontEndCopy*>(object);
    if (self->m_isCopy || self->m_stop.stop_requested()) return 1;
    if (self->m_pipe.writing.isOpen()) self->copy();
    return self->m_isCopy ? 1 : 0;
}

void FrontEndCopy::copy() {
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

/// Their size goes first, so that nobody waits for the copy's end, which takes as long as what it had to do.
void FrontEndCopy::endCopy(const std::string& messages) {
    const std::size_t size = messages.size();
    const bool written = writeAll(m_pipe.writing.number(), reinterpret_cast<const char*>(&size), sizeof size) &&
                         writeAll(m_pipe.writing.number(), messages.data(), size);
    ::_exit(written ? 0 : 1);
}

void FrontEndCopy::noMore() {
    if (m_isCopy) ::_exit(1);
    m_pipe.writing.close();
}

std::optional<std::string> FrontEndCopy::messages() {
    const int file = m_pipe.reading.number();
    std::size_t size = 0;
    if (!m_pipe.reading.isOpen() || !readAll(file, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
    std::string all(size, '\0');
    if (!readAll(file, all.data(), size)) return std::nullopt;
    return all;
}

} // namespace kernelarium::compile
