// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/strategies/Importance.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"
#include "ui/tuning/ArrayRun.h"
#include "ui/tuning/TuneSubject.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

namespace kernelarium::ui {

/// How a sweep is to go about it.
struct TuneOrder {
    std::string strategy;
    std::uint64_t seed = 1;
    tuning::Budget budget;
    std::size_t jobs = 1;
    std::optional<ArrayOrder> array; ///< as jobs of a cluster; `jobs` says nothing then
};

/// Of a sweep that is an array of jobs.
struct ArrayState {
    std::optional<cluster::ArrayProgress> progress; ///< from the first look on
    QString said;                                   ///< the newest of what happened to its tasks
    bool cancelling = false;
    std::optional<cluster::ArrayEnd> end; ///< how the watching ended
};

/// Where a sweep stands. Its answer is how it ended by itself; a sweep that was stopped is cancelled.
struct TuneState : WorkState<tuning::Ended> {
    tuning::Progress progress;
    bool paused = false;
    std::optional<ArrayState> array;
};

using TuneSubjectPointer = std::shared_ptr<const TuneSubject>;
using LookState = WorkState<TuneSubjectPointer>;

/// Reads what is to be tuned, and runs one sweep at a time on threads and children of its own. Points are in the
/// sweep's store as they come: a stop, a closed window and a crash cost what was under way and nothing else, and the
/// next start goes on. While a sweep runs the desk stays with it; what it is asked to look at meanwhile it looks at
/// afterwards. An array of jobs goes on without the desk: the desk leaves it when it is asked to look at another
/// kernel, and watches it again when that one's sweep is looked at.
class TuneDesk : public QObject {
    Q_OBJECT
public:
    /// `program`: kernelarium-cli, whose workers compile and run.
    explicit TuneDesk(QString program, QObject* parent = nullptr);
    ~TuneDesk() override;

    void look(TuneQuestion question, quint64 generation);
    void forget(); ///< there is nothing to look at
    [[nodiscard]] const LookState& lookState() const { return m_look.state(); }
    /// What the points are of; null: nothing.
    [[nodiscard]] const TuneSubjectPointer& subject() const { return m_subject; }
    /// Of the subject, those of earlier sweeps first. One that failed and was looked at again takes its former place.
    [[nodiscard]] const std::vector<tuning::Judged>& points() const { return m_points; }
    /// Of the best of the points, where they are measured.
    [[nodiscard]] const std::vector<protocol::Confirmation>& confirmations() const { return m_confirmations; }
    /// Of as many points as there were when it was calculated; empty: too few.
    [[nodiscard]] const std::optional<tuning::Importance>& importance() const { return m_importance; }

    void start(const TuneOrder& order); ///< does nothing while one runs, or without a space
    void pause();
    void goOn();
    void stop();        ///< what runs on this machine; of an array: leaveArray() or cancelArray()
    void leaveArray();  ///< its tasks go on, and start() watches them again
    void cancelArray(); ///< ends its tasks; what they have found is kept
    /// Of the newest start.
    [[nodiscard]] const TuneOrder& lastOrder() const { return m_lastOrder; }
    /// The subject's array has not come to its end: start() goes on with it.
    [[nodiscard]] bool hasArray() const { return m_hasArray; }
    void setArrayPace(const ArrayPace& pace) { m_pace = pace; }
    void lookForClusters(); ///< clustersFound() follows
    [[nodiscard]] const TuneState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }
    [[nodiscard]] bool isRunningHere() const { return isRunning() && !state().array; }

Q_SIGNALS:
    void looked();      ///< lookState() or subject()
    void pointsReset(); ///< points() are others
    void pointsAdded(); ///< at the end
    void importanceChanged();
    void changed(); ///< state(); a few times a second at most while it runs
    void clustersFound(bool slurm);

private:
    /// What the sweep's threads have found and the window has not heard yet.
    struct Mailbox {
        std::mutex mutex;
        std::vector<tuning::Judged> points;
        tuning::Progress progress;
        std::vector<protocol::Confirmation> confirmations;
        std::optional<ArrayState> array;
        bool arrayGoesOn = false; ///< after the watching
        bool announced = false;   ///< a delivery is under way
    };
    void take(TuneSubjectPointer subject);
    void startArray(protocol::SweepRequest request, ArrayOrder order);
    void leaveForNext();
    void announce(const std::shared_ptr<Mailbox>& mailbox);
    void collect(const std::shared_ptr<Mailbox>& mailbox);
    void add(std::vector<tuning::Judged> points);
    void weigh();
    void goOnLooking();

    std::string m_program;
    Work<TuneSubjectPointer> m_look;
    Work<tuning::Ended, TuneState> m_work;
    TuneSubjectPointer m_subject;
    std::vector<tuning::Judged> m_points;
    std::vector<protocol::Confirmation> m_confirmations;
    std::unordered_map<std::string, std::size_t> m_placeOfKey;
    std::optional<tuning::Importance> m_importance;
    std::size_t m_weighed = 0; ///< points that the importance was last asked for
    bool m_weighing = false;
    QTimer m_weighSoon;
    std::shared_ptr<tuning::Pause> m_pause;
    TuneOrder m_lastOrder;
    bool m_hasArray = false;
    bool m_leavesForNext = false;
    std::set<std::filesystem::path> m_left; ///< stores whose array is not to be watched until it is asked for
    ArrayPace m_pace;
    struct Next {
        TuneQuestion question;
        quint64 generation = 0;
        bool isNothing = false;
    };
    std::optional<Next> m_next; ///< to be looked at when the sweep has ended
    SerialThread m_reader;
    SerialThread m_weigher;
    SerialThread m_canceller;
    SerialThread m_sweeper;
};

} // namespace kernelarium::ui
