// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace kernelarium::tuning {

/// Holds a search between two evaluations: what is under way ends as ever, nothing new begins. From any thread.
class Pause {
public:
    void begin();
    void end();
    [[nodiscard]] bool holds() const;
    /// Comes back when it does not hold, or at a stop.
    void wait(const std::stop_token& stop);

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_holds = false;
};

} // namespace kernelarium::tuning
