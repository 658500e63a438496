// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace kernelarium::cli {

/// Turns Ctrl-C and a polite kill into a stop request while it lives: the work ends in order. One at a time.
class StopOnSignal {
public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    struct sigaction m_oldInterrupt {};
    struct sigaction m_oldTerminate {};
    std::jthread m_watch;
};

} // namespace kernelarium::cli
