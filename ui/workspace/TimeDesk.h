// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "ui/threads/ChildQueue.h"
#include "ui/workspace/RunDesk.h"

#include <QObject>

namespace kernelarium::ui {

/// Another kernel that is timed in pairs with the one on the bench.
struct Rival {
    std::shared_ptr<const compile::CompiledUnit> unit; ///< null: there is none
    QString name;
};

/// A finished timing: what the run child said, and as an attempt keeps it.
struct TimedAttempt {
    std::shared_ptr<const worker::TimeSummary> summary;
    session::Timing timing;
};

/// Takes times in the run child, on its GPU, after what that is doing; a newer request replaces an older one.
class TimeDesk : public QObject {
    Q_OBJECT
public:
    explicit TimeDesk(ChildQueue& child, QObject* parent = nullptr);

    /// In the mode of the job's target, at the job's size.
    void time(const RunJob& job, const Rival& rival);
    /// Forgets the time: another kernel is on the bench.
    void clear();

    [[nodiscard]] const TimeState& state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return ui::isBusy(m_state.stage); }

Q_SIGNALS:
    void changed();
    void timed(const TimedAttempt& timed, quint64 generation); ///< of a finished one, with or without samples

private:
    void end(quint64 serial, Result<TimedAttempt> result);

    ChildQueue& m_child;
    TimeState m_state;
    quint64 m_serial = 0; ///< of the newest request: older ones' ends are not heard
};

} // namespace kernelarium::ui
