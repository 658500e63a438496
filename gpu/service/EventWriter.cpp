// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/EventWriter.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace kernelarium::service {

EventWriter::EventWriter(int descriptor)
    : m_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {
    ::dup2(STDERR_FILENO, descriptor);
}

EventWriter::~EventWriter() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

bool EventWriter::write(const protocol::Event& event) {
    std::string line = toLine(event) + "\n";
    if (line.size() > protocol::longestLine) {
        if (!event.isTerminal()) return true;
        protocol::Event failed;
        failed.kind = protocol::EventKind::failed;
        failed.id = event.id;
        failed.generation = event.generation;
        failed.childEnds = event.childEnds;
        failed.error = {"too_large", fmt::format("The answer has {} MB; 64 MB is the most.", line.size() >> 20),
                        "Use a smaller source or size."};
        line = toLine(failed) + "\n";
    }
    const std::lock_guard lock(m_mutex);
    return send(line);
}

void EventWriter::end(std::string_view line) {
    const std::lock_guard lock(m_mutex);
    (void)send(line);
    std::_Exit(0); // at once: there is no memory to tidy up with
}

bool EventWriter::send(std::string_view line) {
    std::size_t sent = 0;
    while (sent < line.size()) {
        const ssize_t n = ::write(m_descriptor, line.data() + sent, line.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += std::size_t(n);
    }
    return true;
}

bool EventWriter::isHeard(std::chrono::milliseconds within) const {
    pollfd output{m_descriptor, 0, 0};
    return ::poll(&output, 1, int(within.count())) <= 0 || !(output.revents & (POLLERR | POLLHUP));
}

} // namespace kernelarium::service
