// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/threads/SerialThread.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kernelarium::ui {

SerialThread::SerialThread()
    : m_thread([this] { loop(); }) {}

SerialThread::~SerialThread() {
    std::deque<Entry> dropped;
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        const auto firstDropped =
            std::stable_partition(m_waiting.begin(), m_waiting.end(), [](const Entry& entry) { return entry.finish; });
        std::move(firstDropped, m_waiting.end(), std::back_inserter(dropped));
        m_waiting.erase(firstDropped, m_waiting.end());
        if (m_active) m_activeStop.request_stop();
    }
    m_changed.notify_all();
    drop(dropped);
    m_thread.join();
}

void SerialThread::post(Work work) {
    std::deque<Entry> dropped;
    {
        const std::lock_guard lock(m_mutex);
        if (!work.tag.empty()) {
            for (auto it = m_waiting.begin(); it != m_waiting.end();) {
                if (it->work.tag == work.tag) {
                    dropped.push_back(std::move(*it));
                    it = m_waiting.erase(it);
                } else {
                    ++it;
                }
            }
            if (m_active && m_activeTag == work.tag) m_activeStop.request_stop();
        }
        m_waiting.push_back({std::move(work), false});
    }
    m_changed.notify_one();
    drop(dropped);
}

void SerialThread::postToFinish(std::function<void()> run) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back({{{}, [run = std::move(run)](const std::stop_token&) { run(); }, {}}, true});
    }
    m_changed.notify_one();
}

void SerialThread::cancel(const std::string& tag) {
    std::deque<Entry> dropped;
    {
        const std::lock_guard lock(m_mutex);
        for (auto it = m_waiting.begin(); it != m_waiting.end();) {
            if (it->work.tag == tag && !it->finish) {
                dropped.push_back(std::move(*it));
                it = m_waiting.erase(it);
            } else {
                ++it;
            }
        }
        if (m_active && m_activeTag == tag) m_activeStop.request_stop();
    }
    drop(dropped);
}

void SerialThread::cancelAll() {
    std::deque<Entry> dropped;
    {
        const std::lock_guard lock(m_mutex);
        for (auto it = m_waiting.begin(); it != m_waiting.end();) {
            if (!it->finish) {
                dropped.push_back(std::move(*it));
                it = m_waiting.erase(it);
            } else {
                ++it;
            }
        }
        if (m_active) m_activeStop.request_stop();
    }
    drop(dropped);
}

void SerialThread::drop(std::deque<Entry>& entries) {
    for (auto& entry : entries)
        if (entry.work.dropped) entry.work.dropped();
}

void SerialThread::loop() {
    for (;;) {
        Entry entry;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
            if (m_waiting.empty()) return;
            entry = std::move(m_waiting.front());
            m_waiting.pop_front();
            m_active = true;
            m_activeTag = entry.work.tag;
            m_activeStop = std::stop_source();
            stop = m_activeStop.get_token();
        }
        entry.work.run(stop);
        const std::lock_guard lock(m_mutex);
        m_active = false;
        m_activeTag.clear();
    }
}

} // namespace kernelarium::ui
