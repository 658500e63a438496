// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/LinkStrip.h"

#include "ui/theme/Theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QTableView>

namespace kernelarium::ui {

namespace {

constexpr int stripWidth = 14 * Theme::unit;

} // namespace

LinkStrip::LinkStrip(Theme& theme, QTableView& before, QTableView& after, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_before(before)
    , m_after(after) {
    setFixedWidth(stripWidth);
    setAccessibleName(tr("Links between both listings"));
    setToolTip(tr("From where an instruction stood to where it stands now"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    for (QTableView* table : {&before, &after})
        connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
}

void LinkStrip::setLinks(std::vector<int> cameFrom) {
    m_cameFrom = std::move(cameFrom);
    m_moved = 0;
    for (std::size_t i = 0; i < m_cameFrom.size(); ++i)
        m_moved += m_cameFrom[i] != int(i);
    update();
}

void LinkStrip::setChosen(int before) {
    m_chosen = before;
    update();
}

/// The middle of a row, in the strip's own coordinates.
double LinkStrip::heightOf(const QTableView& table, int row) const {
    const int top = table.rowViewportPosition(row);
    return mapFromGlobal(table.viewport()->mapToGlobal(QPoint(0, top))).y() + table.rowHeight(row) / 2.0;
}

void LinkStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& p = m_theme.colours();
    painter.fillRect(rect(), p.field);
    const QAbstractItemModel *before = m_before.model(), *after = m_after.model();
    for (std::size_t i = 0; i < m_cameFrom.size(); ++i) {
        const int to = int(i), from = m_cameFrom[i];
        const bool isChosen = from == m_chosen;
        if ((from == to && !isChosen) || from < 0 || from >= before->rowCount() || to >= after->rowCount()) continue;
        const double left = heightOf(m_before, from), right = heightOf(m_after, to);
        const auto isSeen = [this](double y) { return y >= 0 && y <= height(); };
        if (!isSeen(left) && !isSeen(right)) continue;
        QPainterPath line(QPointF(0, left));
        line.cubicTo(QPointF(width() / 2.0, left), QPointF(width() / 2.0, right), QPointF(width(), right));
        painter.setPen(QPen(isChosen ? p.accent : p.suspicious, isChosen ? 2.5 : 1.2));
        painter.drawPath(line);
    }
}

} // namespace kernelarium::ui
