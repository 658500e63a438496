// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "ui/desks/RunJob.h"
#include "ui/desks/WrittenVerdict.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>

namespace kernelarium::ui {

/// The job as the run child takes it.
[[nodiscard]] protocol::RunParameters parametersOf(const RunJob& job);

/// A profile, and what attempts keep of it.
struct KeptProfile : protocol::ProfileSummary {
    session::Timing timing;
    std::string countersText; ///< JSON
};
using ProfilePointer = std::shared_ptr<const KeptProfile>;

using VerifyState = WorkState<VerdictPointer>;
using RunState = WorkState<std::shared_ptr<const protocol::RunSummary>>; ///< with stated arguments
using ProfileState = WorkState<ProfilePointer>;                          ///< modelled from what was counted

/// Verifies and runs in the run child, one job at a time; a newer job of a kind replaces an older one.
class RunDesk : public QObject {
    Q_OBJECT
public:
    /// Of all runs of one verification together, and of a single run.
    static constexpr std::chrono::milliseconds runLimit{60000};

    explicit RunDesk(std::vector<std::string> command, QObject* parent = nullptr);

    /// A text that does not compile has a verdict, too.
    void verify(const RunJob& job);
    void run(const RunJob& job);
    /// Counts at full size, a sample of the blocks, and models the time on the target's device.
    void profile(const RunJob& job);
    /// The same of another text than the one on the bench: nobody hears of it but `done`, and whatever is asked for
    /// meanwhile comes after it.
    void profileOther(const RunJob& job, std::function<void(Result<ProfilePointer>)> done);
    void cancel();
    /// Forgets results: another kernel is on the bench. What runs is cancelled.
    void clear();
    /// Shows a verdict of earlier, an attempt's.
    void showVerdict(quint64 generation, VerdictPointer verdict);

    [[nodiscard]] const VerifyState& verifyState() const { return m_verify.state(); }
    [[nodiscard]] const RunState& runState() const { return m_run.state(); }
    [[nodiscard]] const ProfileState& profileState() const { return m_profile.state(); }
    [[nodiscard]] bool isBusy() const { return m_verify.isBusy() || m_run.isBusy() || m_profile.isBusy(); }
    [[nodiscard]] ChildQueue& child() { return m_child; }

Q_SIGNALS:
    void verifyChanged();
    void runChanged();
    void profileChanged();
    void profileReady(ProfilePointer profile, quint64 generation); ///< of a finished one
    void verdictReady(VerdictPointer verdict, quint64 generation); ///< of a finished verification

private:
    /// Asks the child, and tells by `changed` how the work goes and by `finished` that it went well.
    template <class T>
    void submit(Work<T>& work, ChildQueue::Call<T> call, quint64 generation, void (RunDesk::*changed)(),
                void (RunDesk::*finished)(T, quint64) = nullptr);

    /// The verdict on a text that does not compile: at once, whatever the child is doing.
    void refuse(const RunJob& job);

    Work<VerdictPointer> m_verify;
    Work<std::shared_ptr<const protocol::RunSummary>> m_run;
    Work<ProfilePointer> m_profile;
    ChildQueue m_child;
    SerialThread m_refusals; ///< verdicts on texts that do not compile, which need no child
};

} // namespace kernelarium::ui
