// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace kernelarium::ui {

/// Work off the GUI thread of which only the latest matters. A newer start() stops the running job and drops the
/// waiting one; what they would have delivered never arrives.
class LatestJob : public QObject {
    Q_OBJECT
public:
    /// What the job found, delivered on the GUI thread.
    using Deliver = std::function<void()>;
    using Work = std::function<Deliver(const std::stop_token&)>;

    explicit LatestJob(QObject* parent);
    ~LatestJob() override;

    void start(Work work);
    /// Forgets what runs and waits.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_delivered != m_generation; }

private:
    struct Job {
        Work work;
        std::stop_token stop;
        quint64 generation = 0;
    };
    void serve(const std::stop_token& stop);

    quint64 m_generation = 0;
    quint64 m_delivered = 0;
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;
    std::jthread m_thread; ///< started by the first job; last, so that it ends before what it uses
};

} // namespace kernelarium::ui
