// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/DeviceDesk.h"
#include "ui/tour/BusyMeter.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <vector>

namespace kernelarium::ui {

class MainWindow;

/// Takes the window through the whole loop with real key and mouse events: find, open, edit, break, see diagnostics,
/// fix, verify, time, roofline, lesson, statistics. Leaves a picture of each stage and prints a line for it.
class Tour : public QObject {
    Q_OBJECT
public:
    /// `folder` for numbered PNG files; empty: no pictures.
    Tour(MainWindow& window, QString folder, QObject* parent = nullptr);

    void start();
    [[nodiscard]] const BusyMeter& meter() const { return m_meter; }
    /// Called after each stage with its name, before the next begins.
    std::function<void(const QString& stage)> afterStage;

Q_SIGNALS:
    void finished(bool ok, const QString& problem);

public:
    struct Stage {
        QString name;     ///< of the picture: "find"
        QString sentence; ///< what a reader sees in it
        std::function<void()> act;
        std::function<bool()> until; ///< the stage is over
        int limitMs = 60000;
        std::function<bool()> applies = {}; ///< false: the stage is left out
        /// What came of it, printed below the sentence. A stage with one may fail: at its limit the work is cancelled,
        /// that is said, and the tour goes on.
        std::function<QString()> outcome = {};
        std::function<QWidget*()> shown = {}; ///< what the picture is of; without one, or null: the window
    };

private:
    void addStages();
    void addLessonStages();
    void addDeviceStages();
    void addMeasuredStages();
    void addProfilerStages();
    [[nodiscard]] const protocol::DeviceSummary* gpu() const;
    void addPageStages();
    void leaveOutWhatCompiles(); ///< where the toolkit is missing
    void addToolkitStages();
    [[nodiscard]] bool lacksToolkit() const;
    void begin();
    void poll();
    void end(const QString& late);
    void picture();
    [[nodiscard]] int limitMs(const Stage& stage) const;

    MainWindow& m_window;
    QString m_folder;
    std::vector<Stage> m_stages;
    std::size_t m_at = 0;
    QTimer m_poll;
    QElapsedTimer m_clock;
    QElapsedTimer m_whole; ///< since the tour began
    int m_settled = 0;
    bool m_asked = false; ///< whether a stage that waits before it can act has acted
    mutable HostDevices m_devices;
    BusyMeter m_meter;
};

} // namespace kernelarium::ui
