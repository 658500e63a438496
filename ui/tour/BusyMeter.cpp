// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tour/BusyMeter.h"

#include <QMetaObject>
#include <ctime>

namespace kernelarium::ui {

namespace {

double threadCpuMs() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

void raise(BusyMeter::Longest& longest, double ms, const QString& phase) {
    if (ms > longest.ms) longest = {ms, phase};
}

} // namespace

BusyMeter::BusyMeter(QObject* parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token& stop) { loop(stop); }) {}

BusyMeter::~BusyMeter() {
    m_thread.request_stop();
    m_thread.join();
}

void BusyMeter::loop(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!m_running || !m_taken) continue;
        m_taken = false;
        m_sent = std::chrono::steady_clock::now();
        QMetaObject::invokeMethod(this, &BusyMeter::take, Qt::QueuedConnection);
    }
}

void BusyMeter::take() {
    const double cpu = threadCpuMs();
    if (m_running && !m_first) {
        raise(m_waited, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_sent).count(),
              m_phase);
        raise(m_worked, cpu - m_cpuBefore, m_phase);
    }
    m_first = false;
    m_cpuBefore = threadCpuMs();
    m_taken = true;
}

void BusyMeter::start(const QString& phase) {
    m_phase = phase;
    m_first = true;
    m_running = true;
}

void BusyMeter::pause() {
    m_running = false;
}

} // namespace kernelarium::ui
