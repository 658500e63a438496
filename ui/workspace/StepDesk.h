// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "ui/threads/ChildQueue.h"
#include "ui/workspace/RunDesk.h"

#include <QObject>

namespace kernelarium::ui {

/// What is to be stepped through, and where to begin.
struct StepTarget {
    recording::Request request;
    int lane = 0; ///< whose values are shown first
};

/// A recording of one block, and the text that it was made of.
struct RecordingState {
    Stage stage = Stage::idle;
    quint64 generation = 0;
    QString step;
    StepTarget target;
    std::shared_ptr<const recording::Recording> recording; ///< of the last that finished
    quint64 recordedGeneration = 0;                        ///< of the text that it is of
    Error error;
};

/// Records in the run child, after what that is doing; a newer request replaces an older one.
class StepDesk : public QObject {
    Q_OBJECT
public:
    explicit StepDesk(ChildQueue& child, QObject* parent = nullptr);

    void record(const RunJob& job, const StepTarget& target);
    /// Forgets the recording: another kernel is on the bench.
    void clear();

    [[nodiscard]] const RecordingState& state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return ui::isBusy(m_state.stage); }

Q_SIGNALS:
    void changed();
    void recorded(); ///< state().recording is new

private:
    void end(quint64 serial, Result<std::shared_ptr<const recording::Recording>> result);

    ChildQueue& m_child;
    RecordingState m_state;
    quint64 m_serial = 0; ///< of the newest request: older ones' ends are not heard
};

} // namespace kernelarium::ui
