// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/ScheduleSearch.h"
#include "ui/schedule/ScheduleResult.h"
#include "ui/schedule/ScheduleTimes.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <mutex>

namespace kernelarium::ui {

/// Where a search stands. Its answer is how it ended by itself; one that was stopped is cancelled.
struct ScheduleSearchState : WorkState<schedule::ScheduleEnd> {
    schedule::ScheduleProgress progress;
    SearchPart part = SearchPart::steps;
    std::optional<schedule::Expectation> expectation; ///< with the launch known: better than the subject's
    bool paused = false;
};

/// Looks at the schedule of a kernel, and runs one search at a time, on threads of its own; what a GPU measures runs in
/// children. Steps are in the search's store as they come: a stop, a closed window and a crash cost the step that is
/// open, and the next start goes on.
class ScheduleSearchDesk : public QObject {
    Q_OBJECT
public:
    explicit ScheduleSearchDesk(QObject* parent = nullptr);
    ~ScheduleSearchDesk() override;

    /// Ends a search of another subject.
    void look(ScheduleQuestion question);
    void forget();
    [[nodiscard]] const WorkState<ScheduleSubjectPointer>& lookState() const { return m_look.state(); }
    [[nodiscard]] const ScheduleSubjectPointer& subject() const { return m_subject; } ///< null: nothing
    /// All that were heard of, in their order.
    [[nodiscard]] const std::vector<schedule::Step>& steps() const { return m_steps; }
    /// What the store tells, read after each end; its answer may be null.
    [[nodiscard]] const WorkState<ScheduleResultPointer>& resultState() const { return m_result.state(); }
    [[nodiscard]] ScheduleResultPointer result() const { return m_result.state().answer; }
    /// The schedule that is looked at: the best one, or that without a move. Null: none.
    [[nodiscard]] const ScheduleVariantPointer& variant() const { return m_variant; }
    [[nodiscard]] const WorkState<ScheduleVariantPointer>& undoState() const { return m_undo.state(); }

    void start(); ///< does nothing while the desk is taken, or without a subject
    void pause();
    void goOn();
    void stop(); ///< whatever it is taken by
    [[nodiscard]] const ScheduleSearchState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }
    /// By a search, an undoing or a counting: of these there is one at a time, for the GPU and the store are one's.
    [[nodiscard]] bool isTaken() const { return m_work.isBusy() || m_undo.isBusy() || m_count.isBusy(); }

    void undo(std::uint64_t step); ///< of the best's moves; does nothing while the desk is taken
    void showBest();               ///< with all of its moves again

    /// Has Nsight Compute count the original and the best; the result is read again then. Does nothing where there is
    /// an obstacle.
    void count();
    void stopCounting();
    [[nodiscard]] QString countObstacle() const; ///< why it cannot be asked; empty: it can
    [[nodiscard]] const WorkState<bool>& countState() const { return m_count.state(); }

    /// Whether the variant may be kept or written. Errors: "no_schedule"; "not_proved"; "faulted" (the best did not do
    /// what the original does in a fresh process).
    [[nodiscard]] Result<void> mayWrite() const;
    /// Writes the variant's cubin, or the list of its patches. `done` is told how it ended; errors: those of
    /// mayWrite(), "unwritable_file".
    void writeCubin(const QString& path, std::function<void(Result<void>)> done);
    void writePatches(const QString& path, std::function<void(Result<void>)> done);

Q_SIGNALS:
    void looked();         ///< lookState() and subject()
    void changed();        ///< state() and isTaken(); a few times a second at most while it runs
    void stepped();        ///< steps()
    void resultChanged();  ///< resultState()
    void variantChanged(); ///< variant() and undoState()
    void countChanged();   ///< countState()

private:
    /// What the search's thread has found and the window has not heard yet.
    struct Mailbox {
        std::mutex mutex;
        std::vector<schedule::Step> steps;
        schedule::ScheduleProgress progress;
        SearchPart part = SearchPart::steps;
        std::optional<schedule::Expectation> expectation;
        bool announced = false;
    };
    void readResult();
    void endUndo();
    void announce(const std::shared_ptr<Mailbox>& mailbox);
    void collect(const std::shared_ptr<Mailbox>& mailbox);
    void write(const QString& path, std::string bytes, std::function<void(Result<void>)> done);

    Work<ScheduleSubjectPointer> m_look;
    Work<schedule::ScheduleEnd, ScheduleSearchState> m_work;
    Work<ScheduleResultPointer> m_result;
    Work<ScheduleVariantPointer> m_undo;
    Work<bool> m_count;
    ScheduleSubjectPointer m_subject;
    std::vector<schedule::Step> m_steps;
    ScheduleVariantPointer m_variant;
    std::shared_ptr<tuning::Pause> m_pause;
    std::shared_ptr<Mailbox> m_mailbox; ///< of the newest search
    SerialThread m_reader;
    SerialThread m_gpu; ///< has what takes it, so that nothing is timed beside what is still ending
};

} // namespace kernelarium::ui
