// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIconEngine>
#include <QString>

namespace kernelarium::ui {

/// Draws one of resources/icons (monochrome, 16 by 16, drawn in `currentColor`) in a colour, sharp at any scale.
class IconEngine : public QIconEngine {
public:
    IconEngine(QString name, QColor colour, QColor disabled);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    [[nodiscard]] QIconEngine* clone() const override { return new IconEngine(*this); }

private:
    QString m_name;
    QColor m_colour;
    QColor m_disabled;
};

} // namespace kernelarium::ui
