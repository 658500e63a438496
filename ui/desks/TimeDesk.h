// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/protocol/TimeMessages.h"
#include "ui/desks/RunJob.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>

namespace kernelarium::ui {

/// A finished timing: what the run child said, and as an attempt keeps it.
struct TimedAttempt {
    std::shared_ptr<const protocol::TimeSummary> summary;
    session::Timing timing;
};

using TimeState = WorkState<std::shared_ptr<const protocol::TimeSummary>>;

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

    [[nodiscard]] const TimeState& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();
    void timed(const TimedAttempt& timed, quint64 generation); ///< of a finished one, with or without samples

private:
    void hear(quint64 ticket, const QString& step);
    void hearEarly(quint64 ticket, const QString& early);
    void end(quint64 ticket, Result<TimedAttempt> result);

    ChildQueue& m_child;
    QString m_python;
    Work<std::shared_ptr<const protocol::TimeSummary>> m_work;
    QString m_early; ///< what the first samples said, until the end
};

} // namespace kernelarium::ui
