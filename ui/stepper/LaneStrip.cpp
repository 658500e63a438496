// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/LaneStrip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace kernelarium::ui {

namespace {
constexpr int lanes = 32;
constexpr int cellHeight = 20;
constexpr int widestCell = 24;
} // namespace

LaneStrip::LaneStrip(StepWalk& walk, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_walk(walk)
    , m_theme(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Lanes of the warp"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto refresh = [this] {
        setAccessibleDescription(text());
        update();
    };
    connect(&walk, &StepWalk::moved, this, refresh);
    connect(&walk, &StepWalk::laneChanged, this, refresh);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize LaneStrip::sizeHint() const {
    return {lanes * widestCell, cellHeight + 4};
}
QSize LaneStrip::minimumSizeHint() const {
    return {lanes * 10, cellHeight + 4};
}

QRect LaneStrip::cell(int lane) const {
    const int size = std::clamp(width() / lanes, 8, widestCell);
    return {lane * size, 2, size - 2, cellHeight};
}

int LaneStrip::laneAt(const QPoint& point) const {
    const int size = std::clamp(width() / lanes, 8, widestCell);
    return point.x() < 0 || point.x() >= size * lanes ? -1 : point.x() / size;
}

std::uint32_t LaneStrip::faultyLanes() const {
    std::uint32_t found = 0;
    for (const recording::StepFault& f : m_walk.step().faults)
        found |= f.lanes;
    return found;
}

QString LaneStrip::text() const {
    if (m_walk.isEmpty()) return {};
    const recording::Step& s = m_walk.step();
    QString text =
        tr("lane %1; active: %2").arg(m_walk.lane()).arg(QString::fromStdString(recording::lanesText(s.active)));
    if (s.on != s.active)
        text += tr("; predicate holds in: %1").arg(QString::fromStdString(recording::lanesText(s.on)));
    if (const std::uint32_t faulty = faultyLanes())
        text += tr("; at fault: %1").arg(QString::fromStdString(recording::lanesText(faulty)));
    return text;
}

void LaneStrip::paintEvent(QPaintEvent*) {
    if (m_walk.isEmpty()) return;
    QPainter painter(this);
    const Palette& p = m_theme.colours();
    const recording::Step& s = m_walk.step();
    const std::uint32_t faulty = faultyLanes();
    painter.setFont(m_theme.captionFont());
    for (int lane = 0; lane < lanes; ++lane) {
        const QRect at = cell(lane);
        const bool active = s.active >> lane & 1, on = s.on >> lane & 1;
        painter.fillRect(at, on ? p.accent : p.field);
        painter.setPen(active ? p.accent : p.line);
        painter.drawRect(at.adjusted(0, 0, -1, -1));
        painter.setPen(on ? p.accentText : active ? p.accent : p.muted);
        if (faulty >> lane & 1)
            painter.drawText(at, Qt::AlignCenter, QStringLiteral("×"));
        else if (active && !on)
            painter.drawText(at, Qt::AlignCenter, QStringLiteral("·"));
        else if (at.width() >= 16)
            painter.drawText(at, Qt::AlignCenter, QString::number(lane));
        if (lane != m_walk.lane()) continue;
        painter.setPen(QPen(hasFocus() ? p.warning : p.text, 2));
        painter.drawRect(at.adjusted(0, -1, 0, 1));
    }
}

void LaneStrip::mousePressEvent(QMouseEvent* event) {
    const int lane = laneAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && lane >= 0) m_walk.setLane(lane);
}

void LaneStrip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left: m_walk.setLane(m_walk.lane() - 1); break;
    case Qt::Key_Right: m_walk.setLane(m_walk.lane() + 1); break;
    case Qt::Key_Home: m_walk.setLane(0); break;
    case Qt::Key_End: m_walk.setLane(lanes - 1); break;
    default: QWidget::keyPressEvent(event);
    }
}

bool LaneStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !m_walk.isEmpty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), text(), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

} // namespace kernelarium::ui
