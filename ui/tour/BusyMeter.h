// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

namespace kernelarium::ui {

/// How long the GUI thread is busy without looking at its events: from waking up to going back to sleep.
class BusyMeter : public QObject {
    Q_OBJECT
public:
    explicit BusyMeter(QObject* parent = nullptr); ///< of the thread it is made in

    void start(const QString& phase);
    void pause(); ///< what follows until start() is not the program's doing (a screenshot, say)

    [[nodiscard]] double longestMs() const { return m_longestMs; }
    [[nodiscard]] const QString& longestPhase() const { return m_longestPhase; }

private:
    void note();

    QElapsedTimer m_clock;
    QString m_phase;
    QString m_longestPhase;
    double m_longestMs = 0;
    bool m_running = false;
    bool m_busy = false;
};

} // namespace kernelarium::ui
