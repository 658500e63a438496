// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Cost.h"
#include "ui/desks/SessionDesk.h"
#include "ui/plots/RooflinePlot.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;

namespace kernelarium::ui {

class Assignment;
class Bench;
class DeviceDesk;
class Notices;
class PastTrials;
class Place;
class ProfileDesk;
class SessionDesk;
class Trials;

/// Where the kernel on the bench and the attempts at it stand under the roofs of the target's device.
class RooflinePanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Trials& trials;
        PastTrials& past;
        DeviceDesk& devices;
        SessionDesk& session;
        ProfileDesk& profiles;
        Notices& notices;
    };
    RooflinePanel(const Around& around, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] RooflinePlot& plot() { return *m_plot; }
    [[nodiscard]] QComboBox& device() { return *m_device; }

Q_SIGNALS:
    void compareRequested(qint64 attempt);

private:
    void refreshDevice();
    void refresh();
    void show(const std::vector<session::AttemptSummary>& attempts);
    void refreshCost();
    void refreshMeasured();
    [[nodiscard]] std::optional<RooflinePoint> archivedPoint() const;
    /// The same with the bytes of the archived profile, where there is one.
    [[nodiscard]] std::optional<RooflinePoint> profiledPoint() const;

    Around m_with;
    RooflinePlot* m_plot;
    QComboBox* m_device;
    QLabel* m_source;
    QString m_shownDevice;
    std::optional<task::Cost> m_cost; ///< of the card's full size
    quint64 m_generation = 0;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
