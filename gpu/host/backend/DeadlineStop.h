// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace kernelarium::host {

/// A stop token that fires when another one does or when a deadline passes: for work that knows only tokens.
class DeadlineStop {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    DeadlineStop(TimePoint deadline, const std::stop_token& outer)
        : m_outer(outer, Forward{m_source})
        , m_timer([this, deadline](const std::stop_token& ended) { wait(deadline, ended); }) {}

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    struct Forward {
        std::stop_source& source;
        void operator()() const { source.request_stop(); }
    };
    void wait(TimePoint deadline, const std::stop_token& ended) {
        std::unique_lock lock(m_mutex);
        m_wake.wait_until(lock, ended, deadline, [] { return false; });
        if (!ended.stop_requested()) m_source.request_stop();
    }

    std::stop_source m_source;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::stop_callback<Forward> m_outer;
    std::jthread m_timer; ///< last: it uses all of the above
};

} // namespace kernelarium::host
