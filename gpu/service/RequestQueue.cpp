// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/RequestQueue.h"

#include <algorithm>

namespace kernelarium::service {

std::vector<protocol::Request> RequestQueue::push(protocol::Request request) {
    const std::lock_guard lock(m_mutex);
    std::vector<protocol::Request> replaced;
    if (!request.tag.empty()) {
        if (m_activeTag == request.tag) m_activeStop.request_stop();
        for (auto it = m_waiting.begin(); it != m_waiting.end();) {
            if (it->tag != request.tag) {
                ++it;
                continue;
            }
            replaced.push_back(std::move(*it));
            it = m_waiting.erase(it);
        }
    }
    m_waiting.push_back(std::move(request));
    m_changed.notify_one();
    return replaced;
}

std::optional<protocol::Request> RequestQueue::cancel(std::int64_t id) {
    const std::lock_guard lock(m_mutex);
    if (m_activeId == id) m_activeStop.request_stop();
    const auto found =
        std::find_if(m_waiting.begin(), m_waiting.end(), [id](const protocol::Request& r) { return r.id == id; });
    if (found == m_waiting.end()) return std::nullopt;
    protocol::Request request = std::move(*found);
    m_waiting.erase(found);
    return request;
}

void RequestQueue::close() {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_changed.notify_one();
}

std::optional<RequestQueue::Work> RequestQueue::take() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
    if (m_waiting.empty()) return std::nullopt;
    protocol::Request request = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_activeId = request.id;
    m_activeTag = request.tag;
    m_activeStop = std::stop_source();
    return Work{std::move(request), m_activeStop.get_token()};
}

void RequestQueue::done() {
    const std::lock_guard lock(m_mutex);
    m_activeId = -1;
    m_activeTag.clear();
}

void RequestQueue::awaitNext(std::chrono::milliseconds longest) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, longest, [this] { return m_closed || !m_waiting.empty(); });
}

} // namespace kernelarium::service
