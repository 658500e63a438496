// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/Messages.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace kernelarium::service {

/// Requests that wait, and the one that is being worked on. One thread pushes, one takes.
class RequestQueue {
public:
    /// Gives back the waiting requests that the new one replaces: the caller answers them with `cancelled`. The one in
    /// work is told to stop if it has the same tag.
    [[nodiscard]] std::vector<protocol::Request> push(protocol::Request request);
    /// Stops the request in work, or gives back the waiting one for the caller to answer; empty otherwise.
    [[nodiscard]] std::optional<protocol::Request> cancel(std::int64_t id);
    void close(); ///< nothing more will come

    struct Work {
        protocol::Request request;
        std::stop_token stop;
    };
    /// Waits for the next; empty when the queue is closed and empty.
    [[nodiscard]] std::optional<Work> take();
    void done();
    /// Until there is a request to take or none will come, but no longer than this.
    void awaitNext(std::chrono::milliseconds longest);

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<protocol::Request> m_waiting;
    bool m_closed = false;
    std::int64_t m_activeId = -1;
    std::string m_activeTag;
    std::stop_source m_activeStop;
};

} // namespace kernelarium::service
