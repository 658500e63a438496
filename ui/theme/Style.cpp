// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/Style.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionHeader>

namespace kernelarium::ui {

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    // Qt adds one to it for the text of a cell.
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QAbstractItemView*>(widget) != nullptr)
        return cellMargin - 1;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* result) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, result);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    if (element != SE_HeaderArrow) return QProxyStyle::subElementRect(element, option, widget);
    const QRect section = option->rect;
    const int size = sortArrow - 2, left = section.right() - cellMargin - size;
    return {left, section.center().y() - size / 2, size, size};
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    const auto* header =
        element == PE_IndicatorHeaderArrow ? qstyleoption_cast<const QStyleOptionHeader*>(option) : nullptr;
    if (header == nullptr || header->sortIndicator == QStyleOptionHeader::None)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    // A chevron, as everywhere else, upwards where values grow downwards: which Qt calls SortDown.
    const QPointF middle = QRectF(option->rect).center();
    const double across = option->rect.width() / 3.0,
                 tip = (header->sortIndicator == QStyleOptionHeader::SortUp ? 1 : -1) * across / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option->palette.color(QPalette::WindowText), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(
        QPolygonF{middle + QPointF(-across, -tip), middle + QPointF(0, tip), middle + QPointF(across, -tip)});
    painter->restore();
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    const auto* header = element == CE_HeaderLabel ? qstyleoption_cast<const QStyleOptionHeader*>(option) : nullptr;
    if (header == nullptr || header->sortIndicator == QStyleOptionHeader::None)
        return QProxyStyle::drawControl(element, option, painter, widget);
    // A header drawn by a style sheet gives its title the whole section, arrow or not.
    QStyleOptionHeaderV2 beside;
    if (const auto* newer = qstyleoption_cast<const QStyleOptionHeaderV2*>(option))
        beside = *newer;
    else
        static_cast<QStyleOptionHeader&>(beside) = *header;
    beside.rect.setRight(beside.rect.right() - sortArrow);
    beside.text = beside.fontMetrics.elidedText(beside.text, Qt::ElideRight, beside.rect.width());
    QProxyStyle::drawControl(element, &beside, painter, widget);
}

} // namespace kernelarium::ui
