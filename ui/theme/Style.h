// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace kernelarium::ui {

/// Fusion, with what neither its palette nor a style sheet can say: no coloured icons on dialogs' buttons,
/// cells that begin where their column's title does, and room beside a title for the sort arrow.
class Style : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    /// Between a cell's edge and its text; the style sheet gives headers the same.
    static constexpr int cellMargin = 4;
    /// Width of the sort arrow with what keeps it from the title.
    static constexpr int sortArrow = 12;

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

} // namespace kernelarium::ui
