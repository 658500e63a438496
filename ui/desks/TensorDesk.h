// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"
#include "ui/desks/RunJob.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <array>
#include <memory>

namespace kernelarium::ui {

using TensorAnswer = std::shared_ptr<const tensorview::Answer>;

/// A question about a run's tensors; `answer` is that of `answeredQuery`.
struct TensorState : WorkState<TensorAnswer> {
    tensorview::Query query; ///< of the newest
    tensorview::Query answeredQuery;
};

/// Asks the run child what the tensors of one run hold, after what that is doing. The run is made with the first
/// question and, where something else was asked of the child meanwhile, again: the same text with the same seed.
class TensorDesk : public QObject {
    Q_OBJECT
public:
    /// Of each kind only the newest question counts.
    enum class Kind { figures, picture, values, wrong, writer, written };
    static constexpr std::array kinds{Kind::figures, Kind::picture, Kind::values,
                                      Kind::wrong,   Kind::writer,  Kind::written};

    explicit TensorDesk(ChildQueue& child, QObject* parent = nullptr);

    /// From now on questions are about this run; what is known of another is forgotten. Asks for the first output's
    /// figures.
    void open(const RunJob& job);
    /// Nothing is asked before a run is opened.
    void ask(Kind kind, const tensorview::Query& query);
    void cancel();
    /// Forgets all: another kernel is on the bench.
    void clear();

    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] quint64 generation() const { return m_job.generation; } ///< of the text whose run it is
    [[nodiscard]] bool onGpu() const { return m_job.target.onGpu(); }
    [[nodiscard]] const TensorState& state(Kind kind) const { return work(kind).state(); }
    /// With anything but reading values of a run that was made.
    [[nodiscard]] bool isBusy() const;

Q_SIGNALS:
    void opened(); ///< another run, or none
    void changed(TensorDesk::Kind kind);

private:
    void forget();
    using Question = Work<TensorAnswer, TensorState>;
    [[nodiscard]] const Question& work(Kind kind) const { return m_works[std::size_t(kind)]; }
    [[nodiscard]] Question& work(Kind kind) { return m_works[std::size_t(kind)]; }

    ChildQueue& m_child;
    bool m_open = false;
    RunJob m_job;
    std::array<Question, kinds.size()> m_works;
};

} // namespace kernelarium::ui
