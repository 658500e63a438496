// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/StepWalk.h"

#include <algorithm>

namespace kernelarium::ui {

void StepWalk::setRecording(std::shared_ptr<const recording::Recording> recording, recording::Found start, int lane) {
    m_cursor = recording ? std::make_unique<recording::Cursor>(std::move(recording)) : nullptr;
    m_lane = std::clamp(lane, 0, 31);
    m_at = isEmpty() ? 0 : std::min(start.value_or(0), this->recording().steps.size() - 1);
    if (!isEmpty()) m_cursor->goTo(m_at + 1);
    Q_EMIT recordingChanged();
    Q_EMIT moved();
}

void StepWalk::setLane(int lane) {
    lane = std::clamp(lane, 0, 31);
    if (lane == m_lane) return;
    m_lane = lane;
    Q_EMIT laneChanged();
}

void StepWalk::setFormat(recording::Format format) {
    if (format == m_format) return;
    m_format = format;
    Q_EMIT laneChanged();
}

recording::Found StepWalk::target(Move move) const {
    if (isEmpty()) return std::nullopt;
    const recording::Recording& r = recording();
    const std::optional<std::uint32_t> any;
    const std::optional<std::uint32_t> warp = step().warp;
    switch (move) {
    case Move::forth: return recording::stepAfter(r, m_at, any);
    case Move::back: return recording::stepBefore(r, m_at, any);
    case Move::nextLine: return recording::nextLine(r, m_at, warp);
    case Move::previousLine: return recording::previousLine(r, m_at, warp);
    case Move::barrier: return recording::nextBarrier(r, m_at, warp);
    case Move::here: return recording::nextAtLine(r, m_at, warp, instruction().line);
    }
    return std::nullopt;
}

bool StepWalk::go(Move move) {
    const recording::Found to = target(move);
    if (to) goTo(*to);
    return to.has_value();
}

void StepWalk::goTo(std::size_t step) {
    if (isEmpty()) return;
    step = std::min(step, recording().steps.size() - 1);
    if (step == m_at) return;
    m_at = step;
    m_cursor->goTo(m_at + 1);
    Q_EMIT moved();
}

} // namespace kernelarium::ui
