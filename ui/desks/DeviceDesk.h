// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MeasuredCeilings.h"
#include "gpu/protocol/DeviceMessages.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QHash>
#include <QObject>
#include <QStringList>

namespace kernelarium::ui {

/// What a machine has to run kernels on, as of the last time it answered.
using HostDevices = WorkState<protocol::DeviceList>;

/// A GPU's roofs, and where they are kept.
struct MeasuredRoofs {
    perf::MeasuredCeilings ceilings;
    QString file;
};
using MeasureState = WorkState<std::shared_ptr<const MeasuredRoofs>>;

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
    [[nodiscard]] HostDevices at(const QString& host) const { return m_devices.value(host).state(); }
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
    [[nodiscard]] const MeasureState& measureState() const { return m_measure.state(); }

    /// Of all devices that were ever measured by this user.
    [[nodiscard]] const std::vector<perf::MeasuredCeilings>& kept() const { return m_kept; }
    void readKept();

Q_SIGNALS:
    void changed(const QString& host);
    void hostsChanged();
    void measureChanged();
    void keptChanged();

private:
    QString m_program;
    ChildQueue& m_runner;
    QStringList m_hosts;
    QHash<QString, Work<protocol::DeviceList>> m_devices;
    Work<MeasureState::Answer> m_measure;
    std::vector<perf::MeasuredCeilings> m_kept;
    SerialThread m_thread; ///< asks machines
    SerialThread m_files;
};

} // namespace kernelarium::ui
