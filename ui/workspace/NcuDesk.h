// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/tools/Ncu.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/RunDesk.h"

#include <QObject>

namespace kernelarium::ui {

/// What Nsight Compute measured of a text on this machine.
struct NcuState {
    Stage stage = Stage::idle;
    quint64 generation = 0; ///< of the text
    std::shared_ptr<const std::vector<profile::NcuLaunch>> launches;
    Error error;
};

/// Runs the kernel on the bench under Nsight Compute, one at a time; a newer request replaces an older one.
class NcuDesk : public QObject {
    Q_OBJECT
public:
    /// `program`: kernelarium-cli.
    explicit NcuDesk(QString program, QObject* parent = nullptr);

    /// Where ncu is: found by itself at each measurement.
    void setTool(const protocol::NcuTool& tool) { m_tool = tool; }
    void measure(const RunJob& job, const QString& source);
    void cancel() { m_thread.cancel("ncu"); }
    void clear(); ///< another kernel is on the bench

    [[nodiscard]] const NcuState& state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return ui::isBusy(m_state.stage); }

Q_SIGNALS:
    void changed();

private:
    QString m_program;
    std::optional<protocol::NcuTool> m_tool;
    NcuState m_state;
    quint64 m_serial = 0; ///< of the newest request: older ones' ends are not heard
    SerialThread m_thread;
};

} // namespace kernelarium::ui
