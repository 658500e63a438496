// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ChildProcess.h"

namespace kernelarium::process {

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, Errors errors) {
    constexpr std::size_t mostErrors = 8192;
    Result<Channel> channel = Channel::start({.words = command}, errors, mostErrors);
    if (!channel) return channel.error();
    return ChildProcess(std::move(*channel));
}

void ChildProcess::send(const std::string& line) {
    m_channel.send(line);
    m_channel.send("\n");
}

ChildProcess::Read ChildProcess::read(std::string& line, std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        if (auto next = m_incoming.next()) {
            line = std::move(next->text);
            return Read::line;
        }
        if (m_channel.outputEnded()) return Read::ended;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() < 0 || !m_channel.exchange(left)) return Read::timeout;
        m_incoming.append(m_channel.takeOutput());
    }
}

const End& ChildProcess::waitForEnd() {
    const bool running = pid() > 0;
    const End& end = m_channel.child().wait();
    if (running) m_channel.receiveErrors(); // said after the last look
    return end;
}

} // namespace kernelarium::process
