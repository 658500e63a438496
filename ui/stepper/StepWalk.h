// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Cursor.h"
#include "core/recording/Words.h"

#include <QObject>
#include <memory>

namespace kernelarium::ui {

/// Where stepping through a recording stands: a step, whose effects are shown, and a lane.
class StepWalk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Stands at `start`, or at the first step.
    void setRecording(std::shared_ptr<const recording::Recording> recording, recording::Found start, int lane);

    [[nodiscard]] bool isEmpty() const { return !m_cursor || m_cursor->recording().steps.empty(); }
    [[nodiscard]] const recording::Recording& recording() const { return m_cursor->recording(); }
    [[nodiscard]] const recording::Cursor& cursor() const { return *m_cursor; }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] const recording::Step& step() const { return recording().steps[m_at]; }
    [[nodiscard]] const recording::Instruction& instruction() const {
        return recording().instructions[step().instruction];
    }
    [[nodiscard]] int lane() const { return m_lane; }
    void setLane(int lane);
    [[nodiscard]] recording::Format format() const { return m_format; }
    void setFormat(recording::Format format);

    /// Where they would go; empty: there is no such step.
    enum class Move { forth, back, nextLine, previousLine, barrier, here };
    [[nodiscard]] recording::Found target(Move move) const;
    /// False where there is none.
    bool go(Move move);
    void goTo(std::size_t step);

Q_SIGNALS:
    void recordingChanged();
    void moved();
    void laneChanged(); ///< the lane, or how values are shown

private:
    std::unique_ptr<recording::Cursor> m_cursor;
    std::size_t m_at = 0;
    int m_lane = 0;
    recording::Format m_format = recording::Format::byType;
};

} // namespace kernelarium::ui
