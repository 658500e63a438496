// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/ScheduleSearch.h"
#include "ui/schedule/ScheduleResult.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <mutex>

namespace kernelarium::ui {

/// Where a search stands. Its answer is how it ended by itself; one that was stopped is cancelled.
struct ScheduleSearchState : WorkState<schedule::ScheduleEnd> {
    schedule::ScheduleProgress progress;
    bool paused = false;
};

/// Looks at the schedule of a kernel, and runs one search at a time, on threads of its own. Steps are in the search's
/// store as they come: a stop, a closed window and a crash cost the step that is open, and the next start goes on.
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

    void start(); ///< does nothing while one runs, or without a subject
    void pause();
    void goOn();
    void stop();
    [[nodiscard]] const ScheduleSearchState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }

    void undo(std::uint64_t step); ///< of the best's moves
    void showBest();               ///< with all of its moves again

    /// Writes the variant's cubin, or the list of its patches. `done` is told how it ended; errors "no_schedule",
    /// "not_proved", "unwritable_file".
    void writeCubin(const QString& path, std::function<void(Result<void>)> done);
    void writePatches(const QString& path, std::function<void(Result<void>)> done);

Q_SIGNALS:
    void looked();         ///< lookState() and subject()
    void changed();        ///< state(); a few times a second at most while it runs
    void stepped();        ///< steps()
    void resultChanged();  ///< resultState()
    void variantChanged(); ///< variant() and undoState()

private:
    /// What the search's thread has found and the window has not heard yet.
    struct Mailbox {
        std::mutex mutex;
        std::vector<schedule::Step> steps;
        schedule::ScheduleProgress progress;
        bool announced = false;
    };
    void readResult();
    void announce(const std::shared_ptr<Mailbox>& mailbox);
    void collect(const std::shared_ptr<Mailbox>& mailbox);
    [[nodiscard]] Result<void> mayWrite() const;
    void write(const QString& path, std::string bytes, std::function<void(Result<void>)> done);

    Work<ScheduleSubjectPointer> m_look;
    Work<schedule::ScheduleEnd, ScheduleSearchState> m_work;
    Work<ScheduleResultPointer> m_result;
    Work<ScheduleVariantPointer> m_undo;
    ScheduleSubjectPointer m_subject;
    std::vector<schedule::Step> m_steps;
    ScheduleVariantPointer m_variant;
    std::shared_ptr<tuning::Pause> m_pause;
    std::shared_ptr<Mailbox> m_mailbox; ///< of the newest search
    SerialThread m_reader;
    SerialThread m_searcher;
};

} // namespace kernelarium::ui
