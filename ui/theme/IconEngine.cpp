// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/IconEngine.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>
#include <utility>

namespace kernelarium::ui {

IconEngine::IconEngine(QString name, QColor colour, QColor disabled)
    : m_name(std::move(name))
    , m_colour(std::move(colour))
    , m_disabled(std::move(disabled)) {}

void IconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
    QFile file(QStringLiteral(":/icons/") + m_name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("There is no icon named %s", qUtf8Printable(m_name));
        return;
    }
    QByteArray svg = file.readAll();
    svg.replace("currentColor", (mode == QIcon::Disabled ? m_disabled : m_colour).name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    painter->save(); // the painter is the caller's: the text beside the icon comes next
    if (mode == QIcon::Disabled) painter->setOpacity(0.6 * painter->opacity());
    renderer.render(painter, QRectF(rect));
    painter->restore();
}

QPixmap IconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
}

} // namespace kernelarium::ui
