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
    std::shared_ptr<const protocol::TimeSummary> summary;
    session::Timing timing;
};

/// Takes times in the run child, on its GPU, after what that is doing; a newer request replaces an older one.
class TimeDesk : public QObject {
    Q_OBJECT
public:
    explicit TimeDesk(ChildQueue& child, QObject* parent = nullptr);

    /// The Python with PyTorch for baselines on this machine; empty: one is looked for.
    void setPython(const QString& path) { m_python = path; }
    /// In the mode of the job's target, at the job's size. The first samples' median comes as the state's step.
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

    void hear(quint64 serial, const QString& step);
    void hearEarly(quint64 serial, const QString& early);

    ChildQueue& m_child;
    QString m_python;
    TimeState m_state;
    QString m_early;      ///< what the first samples said, until the end
    quint64 m_serial = 0; ///< of the newest request: older ones' ends are not heard
};

} // namespace kernelarium::ui
