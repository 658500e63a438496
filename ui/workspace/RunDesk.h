// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/threads/ChildQueue.h"
#include "ui/workspace/Kernel.h"
#include "ui/workspace/States.h"

#include <QObject>

namespace kernelarium::ui {

/// What is to be run, and against what.
struct RunJob {
    quint64 generation = 0;                            ///< of the text
    std::shared_ptr<const compile::CompiledUnit> unit; ///< ok
    std::shared_ptr<const task::Card> card;            ///< of its task; null: arguments say what to call it with
    QStringList arguments;
    std::shared_ptr<const compile::CompiledUnit> reference;
    QString referenceName;
    QString size = QStringLiteral("small");
    Target target;
    std::optional<double> claimedMilliseconds; ///< by the archive, for the text as it was archived
};

/// The job as the run child takes it; call it off the GUI thread.
[[nodiscard]] protocol::RunParameters parametersOf(const RunJob& job);

/// Verifies and runs in the run child, one job at a time; a newer job of a kind replaces an older one.
class RunDesk : public QObject {
    Q_OBJECT
public:
    /// Of all runs of one verification together, and of a single run.
    static constexpr std::chrono::milliseconds runLimit{60000};

    explicit RunDesk(std::vector<std::string> command, QObject* parent = nullptr);

    void verify(const RunJob& job);
    /// The verdict on a text that does not compile.
    void verifyRefused(const RunJob& job);
    void run(const RunJob& job);
    /// Counts at full size, a sample of the blocks, and models the time on the target's device.
    void profile(const RunJob& job);
    void cancel();
    /// Forgets results: another kernel is on the bench. What runs is cancelled.
    void clear();

    [[nodiscard]] const VerifyState& verifyState() const { return m_verify; }
    [[nodiscard]] const RunState& runState() const { return m_run; }
    [[nodiscard]] const ProfileState& profileState() const { return m_profile; }
    [[nodiscard]] bool isBusy() const {
        return ui::isBusy(m_verify.stage) || ui::isBusy(m_run.stage) || ui::isBusy(m_profile.stage);
    }
    [[nodiscard]] ChildQueue& child() { return m_child; }
    /// Shows a verdict of earlier, an attempt's.
    void showVerdict(quint64 generation, std::shared_ptr<const verify::Verdict> verdict);

Q_SIGNALS:
    void verifyChanged();
    void runChanged();
    void profileChanged();
    void profileReady(std::shared_ptr<const protocol::ProfileSummary> summary,
                      quint64 generation); ///< of a finished one
    void verdictReady(std::shared_ptr<const verify::Verdict> verdict,
                      quint64 generation); ///< of a finished verification

private:
    template <class T> ChildQueue::Job<T> jobFor(const RunJob& job, const char* method);
    void endVerify(quint64 serial, const RunJob& job, Result<std::shared_ptr<const verify::Verdict>> result);

    VerifyState m_verify;
    RunState m_run;
    ProfileState m_profile;
    quint64 m_verifySerial = 0; ///< of the newest job: older ones' ends are not heard
    quint64 m_runSerial = 0;
    quint64 m_profileSerial = 0;
    ChildQueue m_child;
};

} // namespace kernelarium::ui
