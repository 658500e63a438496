// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MeasuredCeilings.h"
#include "gpu/worker/DeviceMessages.h"
#include "ui/threads/ChildQueue.h"
#include "ui/workspace/States.h"

#include <QHash>
#include <QObject>
#include <QStringList>

namespace kernelarium::ui {

/// What a machine has to run kernels on.
struct HostDevices {
    Stage stage = Stage::idle;
    QString step;
    worker::DeviceList list; ///< of the last time it answered
    Error error;             ///< of failed
};

/// The measuring of a GPU's roofs.
struct MeasureState {
    Stage stage = Stage::idle;
    QString step;
    std::shared_ptr<const perf::MeasuredCeilings> ceilings; ///< of finished
    QString file;                                           ///< where they are kept
    Error error;
};

/// The machines that the user knows and their devices, each asked by a worker of its own; and the roofs that
/// were measured on GPUs, kept in the user's data folder, where the command line finds them, too.
class DeviceDesk : public QObject {
    Q_OBJECT
public:
    /// `runner`: the run child, whose GPU is measured.
    DeviceDesk(QString program, ChildQueue& runner, QObject* parent = nullptr);

    /// Asks a machine ("": this one) which devices it has. A newer request for the same machine replaces an
    /// older one.
    void look(const QString& host);
    [[nodiscard]] HostDevices at(const QString& host) const { return m_devices.value(host); }
    /// Whether a machine is being asked far away, or a GPU measured.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] QString busyText() const; ///< "Asking ada@gpu1: connecting"
    void cancel();

    /// Other machines, "user@host:port".
    [[nodiscard]] const QStringList& hosts() const { return m_hosts; }
    void setHosts(const QStringList& hosts); ///< those that are not names of machines are left out
    /// Error "bad_input".
    Result<QString> addHost(const QString& text);
    void removeHost(const QString& host);

    void measure();
    [[nodiscard]] const MeasureState& measureState() const { return m_measure; }

    /// Of all devices that were ever measured by this user.
    [[nodiscard]] const std::vector<perf::MeasuredCeilings>& kept() const { return m_kept; }
    void readKept();

Q_SIGNALS:
    void changed(const QString& host);
    void hostsChanged();
    void measureChanged();
    void keptChanged();

private:
    void endMeasure(quint64 serial, Result<std::shared_ptr<MeasureState>> result);

    QString m_program;
    ChildQueue& m_runner;
    QStringList m_hosts;
    QHash<QString, HostDevices> m_devices;
    QHash<QString, quint64> m_serials; ///< of the newest request to each machine
    MeasureState m_measure;
    quint64 m_measureSerial = 0;
    std::vector<perf::MeasuredCeilings> m_kept;
    SerialThread m_thread; ///< asks machines
    SerialThread m_files;
};

} // namespace kernelarium::ui
