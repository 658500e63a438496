// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/RunJob.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>

namespace kernelarium::ui {

/// A recording of one block; `answer` is the last that finished.
struct RecordingState : WorkState<std::shared_ptr<const recording::Recording>> {
    StepTarget target; ///< of the newest
};

/// Records in the run child, after what that is doing; a newer request replaces an older one.
class StepDesk : public QObject {
    Q_OBJECT
public:
    explicit StepDesk(ChildQueue& child, QObject* parent = nullptr);

    void record(const RunJob& job, const StepTarget& target);
    /// Forgets the recording: another kernel is on the bench.
    void clear();

    [[nodiscard]] const RecordingState& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();
    void recorded(); ///< state().answer is new

private:
    ChildQueue& m_child;
    Work<std::shared_ptr<const recording::Recording>, RecordingState> m_work;
};

} // namespace kernelarium::ui
