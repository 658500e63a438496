// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace kernelarium::ui {

/// One thread that does one thing after another for the window: the owner of a resource that must not be touched from
/// the GUI thread (an archive, the session file, a child). Work with a tag replaces older work of the same tag: waiting
/// work is dropped, work under way is told to stop.
class SerialThread {
public:
    struct Work {
        std::string tag; ///< empty: never replaced
        std::function<void(std::stop_token stop)> run;
        std::function<void()> dropped; ///< called instead of run, from the thread that replaced it or ended the queue
    };

    SerialThread();
    /// Drops what waits, stops what runs, and waits for it. Work that is marked to be finished (finish = true in post)
    /// is done first.
    ~SerialThread();
    SerialThread(const SerialThread&) = delete;
    SerialThread& operator=(const SerialThread&) = delete;

    void post(Work work);
    /// Work that is done even when the queue ends: the user's data.
    void postToFinish(std::function<void()> run);
    void cancel(const std::string& tag);
    void cancelAll();

private:
    struct Entry {
        Work work;
        bool finish = false;
    };
    void loop();
    static void drop(std::deque<Entry>& entries);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Entry> m_waiting;
    std::string m_activeTag;
    bool m_active = false;
    std::stop_source m_activeStop;
    bool m_closed = false;
    std::thread m_thread;
};

} // namespace kernelarium::ui
