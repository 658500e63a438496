// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <chrono>
#include <thread>

namespace kernelarium::ui {

/// How long the GUI thread keeps an event waiting. Another thread sends it one a millisecond after the last was taken,
/// and sees when it is taken.
class BusyMeter : public QObject {
    Q_OBJECT
public:
    explicit BusyMeter(QObject* parent = nullptr); ///< of the GUI thread
    ~BusyMeter() override;

    void start(const QString& phase);
    void pause(); ///< what follows until start() is not the program's doing (a screenshot, say)

    struct Longest {
        double ms = 0;
        QString phase;
    };
    /// By the clock: with what else the machine was doing.
    [[nodiscard]] const Longest& waited() const { return m_waited; }
    /// Processor time of the GUI thread between two of the events: its own doing.
    [[nodiscard]] const Longest& worked() const { return m_worked; }

private:
    void loop(const std::stop_token& stop);
    void take();

    std::atomic<bool> m_running{false};
    std::atomic<bool> m_taken{true};
    std::chrono::steady_clock::time_point m_sent; ///< written before the event is sent, read when it is taken
    double m_cpuBefore = 0;
    bool m_first = true;
    QString m_phase;
    Longest m_waited;
    Longest m_worked;
    std::jthread m_thread;
};

} // namespace kernelarium::ui
