// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tour/BusyMeter.h"

#include <QAbstractEventDispatcher>

namespace kernelarium::ui {

BusyMeter::BusyMeter(QObject* parent)
    : QObject(parent) {
    auto* dispatcher = QAbstractEventDispatcher::instance();
    connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] {
        note(); // without anything to wait for, the next round begins here
        m_busy = true;
        m_clock.start();
    });
    connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
        note();
        m_busy = false;
    });
}

void BusyMeter::start(const QString& phase) {
    m_phase = phase;
    m_running = true;
    m_clock.start();
}

void BusyMeter::pause() {
    note();
    m_running = false;
}

void BusyMeter::note() {
    if (!m_running || !m_busy) return;
    const double ms = double(m_clock.nsecsElapsed()) / 1e6;
    if (ms > m_longestMs) {
        m_longestMs = ms;
        m_longestPhase = m_phase;
    }
    m_clock.start();
}

} // namespace kernelarium::ui
