// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/FrontEndCopy.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace {

constexpr char whole = '\n'; ///< behind the messages: all of them were written

bool writeAll(int file, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR) return false;
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

void FrontEndCopy::endCopy(const std::string& messages) {
    ::_exit(writeAll(m_pipe.writing.number(), messages + whole) ? 0 : 1);
}

void FrontEndCopy::noMore() {
    if (m_isCopy) ::_exit(1);
    m_pipe.writing.close();
}

std::optional<std::string> FrontEndCopy::messages() {
    std::string all;
    std::array<char, 4096> chunk;
    while (m_pipe.reading.isOpen()) {
        const ssize_t n = ::read(m_pipe.reading.number(), chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        all.append(chunk.data(), std::size_t(n));
    }
    if (all.empty() || all.back() != whole) return std::nullopt;
    all.pop_back();
    return all;
}

} // namespace kernelarium::compile
