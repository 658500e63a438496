// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <QString>
#include <utility>

namespace kernelarium::ui {

/// Where a piece of work stands. Exactly one of the last three ends it.
enum class Stage { idle, waiting, running, finished, failed, cancelled };

[[nodiscard]] constexpr bool isBusy(Stage stage) {
    return stage == Stage::waiting || stage == Stage::running;
}

/// The end that an outcome is.
template <class T> [[nodiscard]] Stage endOf(const Result<T>& outcome) {
    if (outcome) return Stage::finished;
    return outcome.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
}

/// What is known of a piece of work, for those who show it. A desk whose work has more to say derives from it.
template <class T> struct WorkState {
    using Answer = T;
    Stage stage = Stage::idle;
    quint64 generation = 0; ///< of the text that the newest work is about; 0: of none
    QString step;           ///< while it runs: "reference", "samples", ...
    T answer{};             ///< of the last work that finished
    quint64 answered = 0;   ///< generation of the text that `answer` is about
    Error error;            ///< of failed
};

/// What becomes of the answer of before when work begins: forgotten, with whatever else the state has, or shown until
/// there is a new one.
enum class Former { forgotten, kept };

/// Work of one kind, of which only the newest counts. begin() gives the work a ticket; what comes with an older ticket,
/// or after the end, is not heard. So every piece of work that is heard of has exactly one end: finished, failed (with
/// the reason) or cancelled.
///
///     const auto ticket = m_work.begin(job.generation);
///     Q_EMIT changed();
///     ... m_child.submit(..., [this, ticket](Result<T> result) {
///         if (m_work.end(ticket, std::move(result))) Q_EMIT changed();
///     });
///
/// `State` is WorkState<T>, or derived from it. Of the GUI thread.
template <class T, class State = WorkState<T>> class Work {
public:
    using Ticket = quint64;
    [[nodiscard]] const State& state() const { return m_state; }
    /// What a derived state has besides.
    [[nodiscard]] State& details() { return m_state; }
    [[nodiscard]] bool isBusy() const { return ui::isBusy(m_state.stage); }
    /// The newest work, and not at its end.
    [[nodiscard]] bool isOpen(Ticket ticket) const { return m_open && ticket == m_ticket; }

    Ticket begin(quint64 generation = 0, Former former = Former::forgotten) {
        return open(Stage::running, generation, former);
    }
    /// Work that is to begin a little later, with begin().
    Ticket wait(quint64 generation = 0, Former former = Former::forgotten) {
        return open(Stage::waiting, generation, former);
    }

    /// Returns whether it is heard, as end() does.
    bool progress(Ticket ticket, const QString& step) {
        if (!isOpen(ticket)) return false;
        m_state.step = step;
        return true;
    }
    bool end(Ticket ticket, Result<T> result) {
        if (!isOpen(ticket)) return false;
        m_open = false;
        m_state.step.clear();
        m_state.stage = endOf(result);
        if (result) {
            m_state.answer = std::move(*result);
            m_state.answered = m_state.generation;
            m_state.error = {};
        } else if (m_state.stage == Stage::failed) {
            m_state.error = result.error();
        }
        return true;
    }
    /// Ends what has not ended as cancelled, without waiting for whoever does it. Returns whether there was something.
    bool cancel() { return end(m_ticket, Error{"cancelled", "Cancelled.", {}, {}}); }

    /// Puts an answer of elsewhere in the place of the newest work's, whose end is not heard.
    void show(quint64 generation, T answer) { end(begin(generation), std::move(answer)); }
    /// There is nothing to do now: idle, with the answer of before.
    void rest() {
        m_open = false;
        m_state.stage = Stage::idle;
        m_state.step.clear();
    }
    /// As it was before any work; what is under way is not heard any more.
    void clear() {
        m_open = false;
        ++m_ticket;
        m_state = State{};
    }

private:
    Ticket open(Stage stage, quint64 generation, Former former) {
        if (former == Former::forgotten) m_state = State{};
        m_state.stage = stage;
        m_state.generation = generation;
        m_state.step.clear();
        m_state.error = {};
        m_open = true;
        return ++m_ticket;
    }

    State m_state;
    Ticket m_ticket = 0; ///< of the newest work
    bool m_open = false;
};

} // namespace kernelarium::ui
