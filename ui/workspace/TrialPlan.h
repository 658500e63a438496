// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/StoredVerdict.h"
#include "core/session/Session.h"
#include "ui/desks/RunJob.h"

#include <QtGlobal>
#include <optional>
#include <utility>

namespace kernelarium::ui {

/// What can be wanted of the text on the bench.
enum class Wanted { nothing, verify, run, time, model, step, tensors };

/// Work that was started, as it is kept when it ends, edited meanwhile or not.
struct Trial {
    quint64 generation = 0;                    ///< of the text
    session::Attempt attempt;                  ///< without what comes out of it
    std::optional<audit::VerdictKey> archived; ///< where it is about a kernel as it was archived
    audit::Versions versions;                  ///< of `archived`
};

/// What is wanted of the text on the bench, what waits for what, and what was begun: the decisions between a click and
/// a desk's work, without desks. Whoever owns a plan tells it what happens and does what it says.
///
/// It has five regions, each in one state at a time:
///
/// | region  | state        | on                                            | becomes        | says               |
/// |---------|--------------|-----------------------------------------------|----------------|--------------------|
/// | wanted  | any          | want(w)                                       | w              |                    |
/// |         | w            | advance: the compilation has not ended        | w              | nothing            |
/// |         | w            | advance: it failed or was cancelled           | nothing        | giveUp             |
/// |         | verify       | advance: its own reference is not compiled    | verify         | compileReference   |
/// |         | tensors      | the same                                      | tensors        | compileReference   |
/// |         | time         | the same on a GPU, without a verdict          | time           | compileReference   |
/// |         | verify       | advance: the text does not compile            | nothing        | verify (refused)   |
/// |         | not verify   | advance: the text does not compile            | nothing        | sayBroken          |
/// |         | verify       | advance                                       | nothing        | verify             |
/// |         | run          | advance                                       | nothing        | run                |
/// |         | step         | advance                                       | nothing        | record             |
/// |         | tensors      | advance                                       | nothing        | look               |
/// |         | model        | advance                                       | nothing        | model              |
/// |         | time         | advance: on the emulator                      | nothing        | model              |
/// |         | time         | advance: on a GPU, no verdict on this text    | nothing        | verify; timed: on  |
/// |         | time         | advance: on a GPU, what cannot be timed       | nothing        | refuseTime         |
/// |         | time         | advance: on a GPU                             | nothing        | time               |
/// |         | any          | drop()                                        | nothing        |                    |
/// | timed   | off          | "time" above without a verdict                | on, generation |                    |
/// |         | on           | verdictFound: of this very text               | off            | time or refuseTime |
/// |         | on           | verdictFound: of another, or not compiled     | off            | nothing            |
/// |         | any          | drop(), dropTime()                            | off            |                    |
/// | rival   | any          | race(attempt)                                 | attempt        |                    |
/// |         | attempt      | drop(), dropTime(): it is not raced           | none           |                    |
/// | tried   | any          | begin(trial)                                  | trial          |                    |
/// | shown   | any          | showAttempt(id): its kernel comes first       | attempt        |                    |
/// |         | any          | showJudged(opening)                           | opening        |                    |
/// |         | attempt      | takeShown                                     | nothing        | the attempt        |
/// |         | opening      | takeShown: of this opening                    | nothing        | judged             |
/// |         | opening      | takeShown: of another                         | nothing        |                    |
///
/// A new text, another kernel and a cancellation drop(). Another kernel on the bench does not end what was begun: whose
/// generation is another is not found by tried().
class TrialPlan {
public:
    /// What the owner is to do.
    enum class Next {
        nothing,          ///< nothing is wanted, or it has to wait
        giveUp,           ///< say why there is no unit
        compileReference, ///< and advance() when there is one, or drop()
        sayBroken,        ///< the text does not compile: there is nothing to start
        verify,           ///< also a text that does not compile, which is a verdict
        run,
        record, ///< stepTarget()
        look,   ///< into the tensors; tensorsInEmulator()
        model,
        time,       ///< takeRival()
        refuseTime, ///< the verdict is of a kind that cannot be timed
    };
    /// What is known of the text when a decision is asked for.
    struct Ground {
        quint64 generation = 0;
        bool settled = false;           ///< its compilation has come to an end
        bool hasUnit = false;           ///< which is "finished"
        bool compiles = false;          ///< and the unit is ok
        bool needsReference = false;    ///< it is compared with another kernel, which is not compiled yet
        bool onGpu = false;             ///< it would run on one
        std::optional<bool> canBeTimed; ///< by the verdict on this very text; nothing: there is none
    };

    // Wanted.
    void want(Wanted wanted) { m_wanted = wanted; }
    void wantSteps(const StepTarget& target);
    void wantTime(Rival rival);
    /// `inEmulator`: wherever it runs otherwise.
    void wantTensors(bool inEmulator);
    [[nodiscard]] Wanted wanted() const { return m_wanted; }
    [[nodiscard]] Next advance(const Ground& ground);
    [[nodiscard]] const StepTarget& stepTarget() const { return m_stepTarget; }
    [[nodiscard]] bool tensorsInEmulator() const { return m_tensorsInEmulator; }
    [[nodiscard]] Rival takeRival() { return std::exchange(m_rival, {}); }

    // Timed.
    [[nodiscard]] bool awaitsVerdict() const { return m_timed != 0; }
    [[nodiscard]] Next verdictFound(const Ground& ground);

    // The rival's text on its way.
    void race(qint64 attempt) { m_raced = attempt; }
    [[nodiscard]] bool isRacing(qint64 attempt) const { return m_raced == attempt; }

    void dropTime(); ///< what waits for a verdict, and a rival on its way
    void drop();     ///< that, and what is wanted

    /// Something is still to be started.
    [[nodiscard]] bool isPending() const { return m_wanted != Wanted::nothing || m_timed != 0 || m_raced != 0; }

    // Tried.
    void begin(Trial trial) { m_tried = std::move(trial); }
    /// The trial that was begun last, if it was of that text; else null: it is not kept.
    [[nodiscard]] const Trial* tried(quint64 generation) const;

    // Shown, once its kernel is on the bench.
    void showAttempt(qint64 attempt) { m_shown.attempt = attempt; }
    void showJudged(quint64 opening) { m_judgedOpening = opening; }
    struct Shown {
        qint64 attempt = 0;  ///< 0: none
        bool judged = false; ///< the verdict that is kept of the kernel
    };
    /// A kernel is on the bench, by the request with that number (Bench::openings()).
    [[nodiscard]] Shown takeShown(quint64 opening);

private:
    [[nodiscard]] Next decide(Wanted wanted, const Ground& ground);
    [[nodiscard]] static Next timeOn(const Ground& ground);

    Wanted m_wanted = Wanted::nothing;
    StepTarget m_stepTarget;          ///< of Wanted::step
    Rival m_rival;                    ///< of Wanted::time
    bool m_tensorsInEmulator = false; ///< of Wanted::tensors
    quint64 m_timed = 0;              ///< generation of the text that is timed once it is verified; 0: none
    qint64 m_raced = 0;               ///< attempt whose text is on its way to the race; 0: none
    Trial m_tried;
    Shown m_shown;
    quint64 m_judgedOpening = 0; ///< 0: none
};

} // namespace kernelarium::ui
