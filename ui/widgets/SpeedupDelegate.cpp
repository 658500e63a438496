// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/SpeedupDelegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

SpeedupDelegate::SpeedupDelegate(const Theme& theme, int numberRole, QObject* parent)
    : BarDelegate(parent)
    , m_theme(theme)
    , m_numberRole(numberRole) {}

void SpeedupDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    paintNumber(painter, option, index);
    const double ratio = index.data(m_numberRole).toDouble();
    if (!(ratio > 0)) return;
    constexpr double full = 4; // log2 of 16x
    const double share = std::clamp(std::log2(ratio) / full, -1.0, 1.0);
    const QRectF bar = barIn(option);
    const double middle = bar.center().x(), half = bar.width() / 2;
    const double end = middle + share * half;
    const Palette& p = m_theme.colours();
    painter->save();
    painter->setPen(Qt::NoPen);
    painter->setBrush(p.grid);
    painter->drawRect(bar);
    painter->setBrush(share >= 0 ? p.accent : p.suspicious);
    painter->setOpacity(0.85);
    painter->drawRect(QRectF(std::min(middle, end), bar.top(), std::fabs(end - middle), bar.height()));
    painter->setOpacity(1);
    painter->setBrush(p.muted);
    painter->drawRect(QRectF(middle - 0.5, bar.top() - 1, 1, bar.height() + 2));
    painter->restore();
}

} // namespace kernelarium::ui
