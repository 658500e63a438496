// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HeatCanvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr double panelGap = 1;  ///< cells between panels side by side
constexpr double titleRoom = 2; ///< cells above a panel of many
constexpr double fullAt = 2;    ///< log2 of the speed-up with the full colour
constexpr int mostColumns = 5;

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto at = [share](float from, float to) { return float(from + (to - from) * share); };
    return QColor::fromRgbF(at(a.redF(), b.redF()), at(a.greenF(), b.greenF()), at(a.blueF(), b.blueF()));
}

/// "16k" for "16384".
QString shortened(const QString& number) {
    const qint64 value = number.toLongLong();
    return value >= 1024 && value % 1024 == 0 ? QString::number(value / 1024) + QLatin1Char('k') : number;
}

} // namespace

HeatCanvas::HeatCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    setAccessibleName(tr("Map of speed-ups"));
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->grid()->setVisible(false);
    resetView();
}

int HeatCanvas::columns() const {
    return m_data.panels.size() <= 1 ? 1 : std::min(mostColumns, int(m_data.panels.size()));
}
int HeatCanvas::rows() const {
    return std::max(1, (int(m_data.panels.size()) + columns() - 1) / columns());
}

void HeatCanvas::setData(HeatData data) {
    const bool other = data.panels.size() != m_data.panels.size() || data.x != m_data.x || data.y != m_data.y;
    m_data = std::move(data);
    if (!m_data.name.isEmpty()) setAccessibleName(m_data.name);
    xAxis->setLabel(m_data.xTitle);
    yAxis->setLabel(m_data.yTitle);
    useTicks();
    if (other) resetView();
    dataChanged();
}

/// Every value of one map; of many the first, a middle one and the last of each, short.
void HeatCanvas::useTicks() {
    const auto ticker = [](const QStringList& words, int panels, double stride, bool all) {
        QSharedPointer<QCPAxisTickerText> made(new QCPAxisTickerText);
        for (int panel = 0; panel < panels; ++panel)
            for (int i = 0; i < words.size(); ++i)
                if (all || i == 0 || i == words.size() / 2 || i + 1 == words.size())
                    made->addTick(panel * stride + i + 0.5, all ? words[i] : shortened(words[i]));
        return made;
    };
    const bool one = m_data.panels.size() <= 1;
    xAxis->setTicker(ticker(m_data.x, columns(), double(m_data.x.size()) + panelGap, one));
    yAxis->setTicker(ticker(m_data.y, rows(), double(m_data.y.size()) + titleRoom, one));
}

int HeatCanvas::markCount() const {
    return int(m_data.panels.size()) * panelSize();
}

double HeatCanvas::value(int mark) const {
    const auto& values = m_data.panels[std::size_t(mark / panelSize())].values;
    return values[std::size_t(mark % panelSize())];
}

QPointF HeatCanvas::corner(int panel) const {
    const int column = panel % columns(), row = panel / columns();
    return {column * (double(m_data.x.size()) + panelGap), (rows() - 1 - row) * (double(m_data.y.size()) + titleRoom)};
}

QRectF HeatCanvas::cell(int mark) const {
    const QPointF from = corner(mark / panelSize());
    const int place = mark % panelSize();
    const double x = from.x() + place % int(m_data.x.size()), y = from.y() + double(place / int(m_data.x.size()));
    return QRectF(pixelOf(x, y + 1), pixelOf(x + 1, y));
}

int HeatCanvas::markAt(QPointF position) const {
    if (!plotArea().contains(position)) return -1;
    for (int mark = 0; mark < markCount(); ++mark)
        if (cell(mark).contains(position)) return mark;
    return -1;
}

void HeatCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0, columns() * double(std::max<qsizetype>(m_data.x.size(), 1)) + (columns() - 1) * panelGap);
    const double above = m_data.panels.size() > 1 ? titleRoom * 0.9 : 0;
    y = QCPRange(0, rows() * double(std::max<qsizetype>(m_data.y.size(), 1)) + (rows() - 1) * titleRoom + above);
}

QColor HeatCanvas::colour(double ratio, const Palette& palette) {
    const double share = std::clamp(std::log2(ratio) / fullAt, -1.0, 1.0);
    const QColor middle = palette.dark ? QColor("#2b3038") : QColor("#f1f2f4");
    const QColor faster = palette.dark ? QColor("#56b4e9") : QColor("#0072b2"),
                 slower = palette.dark ? QColor("#e69f00") : QColor("#d55e00");
    // Not linear: most of the interest is near 1.
    return mixed(middle, share >= 0 ? faster : slower, std::pow(std::abs(share), 0.7));
}

void HeatCanvas::paintBelow(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const Palette& p = look().palette;
    for (int mark = 0; mark < markCount(); ++mark) {
        const QRectF rect = cell(mark).adjusted(0.5, 0.5, -0.5, -0.5),
                     seen = rect.intersected(area.adjusted(-1, -1, 1, 1));
        if (seen.isEmpty()) continue;
        const double ratio = value(mark);
        if (std::isnan(ratio)) { // nothing published: a hollow cell
            painter.setPen(QPen(p.grid, 1));
            painter.setBrush(Qt::NoBrush);
            if (seen == rect) painter.drawRect(rect.adjusted(1, 1, -1, -1));
            continue;
        }
        const QColor fill = colour(ratio, p);
        painter.fillRect(seen, fill);
        if (seen != rect) continue;
        painter.setPen(contrast(p.text, fill) >= contrast(p.field, fill) ? p.text : p.field);
        const QString text = QString::number(ratio, 'f', 2);
        if (rect.width() > metrics.horizontalAdvance(text) + 6 && rect.height() > metrics.height())
            painter.drawText(rect, Qt::AlignCenter, text);
        else if (ratio < 1 && rect.width() > 5)
            painter.drawLine(QPointF(rect.center().x() - 2.5, rect.center().y()),
                             QPointF(rect.center().x() + 2.5, rect.center().y()));
    }
}

void HeatCanvas::paintAbove(QPainter& painter) {
    drawScale(painter);
    const QFontMetricsF metrics(painter.font());
    const Palette& p = look().palette;
    if (m_data.panels.size() > 1) {
        painter.setPen(p.text);
        for (std::size_t i = 0; i < m_data.panels.size(); ++i) {
            const QPointF at = corner(int(i));
            const QPointF pixel = pixelOf(at.x(), at.y() + double(m_data.y.size()));
            if (plotArea().contains(pixel + QPointF(1, -4)))
                painter.drawText(pixel + QPointF(1, -4), m_data.panels[i].title);
        }
    }
    const auto frame = [&](int mark, const QColor& colour) {
        const QRectF rect = cell(mark);
        if (!plotArea().adjusted(-1, -1, 1, 1).contains(rect)) return;
        painter.setPen(QPen(p.field, 3.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(colour, 1.8));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    };
    if (m_data.chosen && *m_data.chosen < markCount()) frame(*m_data.chosen, p.text);
    if (current() >= 0 && current() < markCount()) frame(current(), p.accent);
}

void HeatCanvas::drawScale(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const Palette& p = look().palette;
    constexpr double width = 220;
    const QString slower = tr("slower"), faster = tr("faster");
    const double right = metrics.horizontalAdvance(faster) + 12, top = 8, left = area.right() - width - right;
    const double start = left - metrics.horizontalAdvance(slower) - 12, baseline = top + metrics.ascent();
    painter.setPen(p.muted);
    painter.drawText(QPointF(area.left(), baseline),
                     metrics.elidedText(m_data.panels.size() == 1 ? m_data.panels.front().title : m_data.name,
                                        Qt::ElideRight, std::max(0.0, start - area.left() - 24)));
    painter.drawText(QPointF(start, baseline + 4), slower);
    painter.drawText(QPointF(left + width + 12, baseline + 4), faster);
    constexpr int steps = 40;
    for (int i = 0; i < steps; ++i) {
        const double share = (i + 0.5) / steps * 2 - 1;
        painter.fillRect(QRectF(left + i * width / steps, top + metrics.height() - 3, width / steps + 0.5, 5),
                         colour(std::exp2(share * fullAt), p));
    }
    for (const double ratio : {0.25, 0.5, 1.0, 2.0, 4.0}) {
        const QString text = (ratio == 0.25  ? QStringLiteral("≤ ")
                              : ratio == 4.0 ? QStringLiteral("≥ ")
                                             : QString()) +
                             QString::number(ratio) + QStringLiteral("×");
        const double x = left + (std::log2(ratio) / fullAt + 1) / 2 * width, advance = metrics.horizontalAdvance(text);
        painter.setPen(p.muted);
        painter.drawText(QPointF(x - advance / 2, baseline - 4), text);
    }
}

} // namespace kernelarium::ui
