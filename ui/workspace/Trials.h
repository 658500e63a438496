// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/TrialPlan.h"

#include <QObject>
#include <functional>
#include <memory>

namespace kernelarium::ui {

class Assignment;
class Bench;
class Heat;
class Notices;
class Place;
struct Desks;
struct KeptProfile;
struct TimedAttempt;
struct WrittenVerdict;

/// Has the text on the bench verified, run, timed and stepped through, as a TrialPlan decides, and keeps what comes out
/// as attempts. A text that is still being compiled is waited for.
class Trials : public QObject {
    Q_OBJECT
public:
    /// What is tried, with what, and who hears of it. All outlive the trials.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Desks& desks;
        Heat& heat;
        Notices& notices;
        TrialPlan& plan;
    };
    explicit Trials(const Around& around, QObject* parent = nullptr);

    void verify();
    void run();
    void time();  ///< after a verdict: on a GPU, or modelled on the emulator
    void model(); ///< counts at full size and models the time on the target's device
    /// The same of another text for the kernel on the bench. Nothing is kept of it and nobody hears of it but `done`,
    /// which is not called where it does not compile or the run child is wanted for something else.
    void modelOther(const QString& text, std::function<void(const std::shared_ptr<const KeptProfile>&)> done);
    /// Times the text in pairs with an attempt's: which of them is faster?
    void race(qint64 attempt);
    /// Records a block to walk through: a fault's, or the first that may come to a line.
    void stepThrough(const StepTarget& target);
    /// Runs it to see what its tensors hold; in the emulator, wherever it runs otherwise, where that is asked for.
    void lookAtTensors(bool inEmulator = false);
    void measure(); ///< runs the kernel at full size under Nsight Compute, on this machine's GPU
    void cancel();
    /// Whether the text, as last compiled, is a program with a main of its own: it is run, and held against nothing.
    [[nodiscard]] bool isProgram() const;
    [[nodiscard]] bool isTrying() const; ///< whether something that was asked for above, or by a panel, is under way
    [[nodiscard]] bool isBusy() const;   ///< that, or native code is being made for somebody

    void kernelPut();                                                  ///< another kernel is on the bench
    void textChanged();                                                ///< another text of the same
    [[nodiscard]] qint64 lastAttempt() const { return m_lastAttempt; } ///< of this kernel; 0: none

Q_SIGNALS:
    void busyChanged();
    void attemptAdded(qint64 id);
    void timeKept(qint64 attempt, bool inPairs); ///< a measured time

private:
    void connectDesks();
    void go();
    void advance();
    void perform(TrialPlan::Next next);
    void compileReference();
    void fetched(const session::Attempt& rival);
    void dropTime();
    [[nodiscard]] TrialPlan::Ground ground() const;
    [[nodiscard]] RunJob job() const;
    [[nodiscard]] Trial trialNow() const;

    void verdictFound();
    void keepVerdict(const std::shared_ptr<const WrittenVerdict>& verdict, quint64 generation);
    void keepProfile(const std::shared_ptr<const KeptProfile>& profile, quint64 generation);
    void keepTime(const TimedAttempt& timed, quint64 generation);
    enum class Timed { no, alone, inPairs };
    void keep(session::Attempt attempt, Timed timed);

    Around m_with;
    qint64 m_lastAttempt = 0;
    std::shared_ptr<const compile::CompiledUnit> m_reference;
    QString m_referenceOf;    ///< the text that m_reference was compiled from
    Target m_referenceTarget; ///< and what for
};

} // namespace kernelarium::ui
