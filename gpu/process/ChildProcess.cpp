// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ChildProcess.h"

#include "gpu/process/BlasKernels.h"

namespace kernelarium::process {

namespace {

/// OpenBLAS makes a thread for each processor while it is loaded, which spin for a while: of a run that takes a tenth
/// of a second, that was a fifth of all work. Nobody asks for them (core/task/operators/Blas.cpp).
constexpr const char* oneBlasThread = "OPENBLAS_NUM_THREADS=1";

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, Errors errors,
                                         std::vector<std::string> environment) {
    constexpr std::size_t mostErrors = 8192;
    environment.emplace_back(oneBlasThread);
    if (const std::string kernels = blasKernelsHere(); !kernels.empty())
        environment.push_back("OPENBLAS_CORETYPE=" + kernels);
    Result<Channel> channel =
        Channel::start({.words = command, .environment = std::move(environment)}, errors, mostErrors);
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
