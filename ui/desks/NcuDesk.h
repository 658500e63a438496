// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ToolMessages.h"
#include "ui/desks/RunJob.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>

namespace kernelarium::ui {

/// What Nsight Compute measured of a text on this machine.
using NcuState = WorkState<std::shared_ptr<const std::vector<profile::NcuLaunch>>>;

/// What its sampler found warps waiting for, by line.
using StallsState = WorkState<std::shared_ptr<const std::vector<profile::LineStalls>>>;

/// Runs the kernel on the bench under Nsight Compute, one at a time; a newer request replaces an older one.
class NcuDesk : public QObject {
    Q_OBJECT
public:
    /// `program`: kernelarium-cli.
    explicit NcuDesk(QString program, QObject* parent = nullptr);

    /// Where ncu is: found by itself at each measurement.
    void setTool(const protocol::NcuTool& tool) { m_tool = tool; }
    void measure(const RunJob& job, const QString& source);
    void cancel() {
        m_child.cancel("ncu");
        m_child.cancel("stalls");
    }
    void clear(); ///< another kernel is on the bench

    [[nodiscard]] const NcuState& state() const { return m_work.state(); }
    /// Sampled in a run of its own, after the figures; it may fail where they are there.
    [[nodiscard]] const StallsState& stalls() const { return m_stalls.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    void sample(const RunJob& job, const QString& source);

    QString m_program;
    std::optional<protocol::NcuTool> m_tool;
    Work<NcuState::Answer> m_work;
    Work<StallsState::Answer> m_stalls;
    ChildQueue m_child;
};

} // namespace kernelarium::ui
