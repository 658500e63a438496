// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/StopOnSignal.h"

#include <atomic>
#include <chrono>

namespace kernelarium::cli {

namespace {
std::atomic<bool> interrupted = false; // all that a signal handler may touch
}

StopOnSignal::StopOnSignal() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    sigaction(SIGINT, &action, &m_oldInterrupt);
    sigaction(SIGTERM, &action, &m_oldTerminate);
    m_watch = std::jthread([this](const std::stop_token& end) {
        while (!end.stop_requested() && !interrupted)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (interrupted) m_source.request_stop();
    });
}

StopOnSignal::~StopOnSignal() {
    sigaction(SIGINT, &m_oldInterrupt, nullptr);
    sigaction(SIGTERM, &m_oldTerminate, nullptr);
}

} // namespace kernelarium::cli
