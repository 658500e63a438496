// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/LatestJob.h"

#include <QMetaObject>
#include <utility>

namespace kernelarium::ui {

LatestJob::LatestJob(QObject* parent)
    : QObject(parent) {}

LatestJob::~LatestJob() {
    cancel();
}

void LatestJob::start(Work work) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    ++m_generation;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = Job{std::move(work), m_stop.get_token(), m_generation};
    }
    if (!m_thread.joinable()) m_thread = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    m_wake.notify_one();
}

void LatestJob::cancel() {
    m_stop.request_stop();
    m_delivered = ++m_generation;
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
}

void LatestJob::serve(const std::stop_token& stop) {
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting.has_value(); })) return;
            job = std::move(*m_waiting);
            m_waiting.reset();
        }
        Deliver deliver = job.work(job.stop);
        QMetaObject::invokeMethod(
            this,
            [this, deliver = std::move(deliver), generation = job.generation] {
                if (generation != m_generation) return;
                m_delivered = generation;
                if (deliver) deliver();
            },
            Qt::QueuedConnection);
    }
}

} // namespace kernelarium::ui
