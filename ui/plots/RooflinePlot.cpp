// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/RooflinePlot.h"

#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QDateTime>

namespace kernelarium::ui {

namespace {

perf::Work workOf(const RooflinePoint& p) {
    return {p.flops, p.bytes, p.seconds, p.precision};
}

QString rooflineCell(QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

RooflinePlot::RooflinePlot(Theme& theme, QWidget* parent)
    : RooflinePlot(theme, new RooflineCanvas, parent) {}

RooflinePlot::RooflinePlot(Theme& theme, RooflineCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("roofline"), parent)
    , m_plot(*canvas)
    , m_referenceAction(new QAction(tr("Reference points"), this)) {
    m_referenceAction->setObjectName(QStringLiteral("references"));
    m_referenceAction->setToolTip(
        tr("Marks on the roof the best that CNN layers and the context and generation stages of an LLM could reach"));
    m_referenceAction->setCheckable(true);
    m_referenceAction->setChecked(m_data.references);
    connect(m_referenceAction, &QAction::toggled, this, [this](bool on) {
        m_data.references = on;
        refresh();
    });
    using perf::MemoryLevel, perf::Precision;
    m_data.memory = {MemoryLevel::device, MemoryLevel::l2, MemoryLevel::shared};
    m_data.compute = {Precision::fp32, Precision::tensorTf32, Precision::tensorFp16};
    canvas->setAccessibleName(tr("Roofline"));
    emptyState().setTexts(tr("No kernel on the roofline yet"),
                          tr("How fast kernels are against what the device can do: each is a point at its FLOPs per "
                             "byte and its FLOPs per second, under the roofs of memory and arithmetic."));
    emptyState().setAction(tr("Time this kernel"), tr("Times the kernel, or models its time where there is no GPU"));
    refresh();
}

void RooflinePlot::setDevice(const perf::DeviceSpec& device) {
    m_data.roofline = perf::rooflineOf(device);
    m_data.hasDevice = true;
    makeRoofActions();
    refresh();
}

void RooflinePlot::setMeasured(const perf::MeasuredCeilings* ceilings, const perf::DeviceSpec& device) {
    m_data.measured = {};
    m_data.measuredWhen.clear();
    m_data.distrust.clear();
    if (ceilings) {
        m_data.measured = perf::rooflineOf(*ceilings, device);
        m_data.measuredWhen = QDateTime::fromMSecsSinceEpoch(ceilings->dateMs).toString(QStringLiteral("d MMM yyyy"));
        if (!ceilings->driver.empty())
            m_data.measuredWhen += tr(", driver %1").arg(QString::fromStdString(ceilings->driver));
        for (const perf::Ceiling& ceiling : ceilings->ceilings) {
            const std::string why = perf::whyNotTrusted(ceiling, device);
            const std::string key =
                ceiling.key == "device_read" ? "device" : ceiling.key; // whose roof is that of reading
            if (!why.empty()) m_data.distrust.insert(QString::fromStdString(key), QString::fromStdString(why));
        }
    }
    refresh();
}

void RooflinePlot::setPoints(std::vector<RooflinePoint> points) {
    m_data.points = std::move(points);
    refresh();
}

void RooflinePlot::setTrail(std::vector<qint64> ids) {
    m_data.trail = std::move(ids);
    refresh();
}

void RooflinePlot::select(qint64 id) {
    m_data.selected = id;
    refresh();
}

void RooflinePlot::refresh() {
    m_plot.setData(m_data);
    setEmpty(m_data.points.empty());
}

template <class Kind> void RooflinePlot::addRoofAction(std::set<Kind>& shown, Kind kind) {
    auto* action = new QAction(QString::fromUtf8(name(kind).data(), qsizetype(name(kind).size())), this);
    action->setObjectName(QString::fromUtf8(key(kind).data(), qsizetype(key(kind).size())));
    action->setToolTip(RooflinePlot::tr("Shows or hides this roof"));
    action->setCheckable(true);
    action->setChecked(shown.contains(kind));
    connect(action, &QAction::toggled, this, [this, &shown, kind](bool on) {
        if (on)
            shown.insert(kind);
        else
            shown.erase(kind);
        refresh();
    });
    m_roofActions.append(action);
}

void RooflinePlot::makeRoofActions() {
    qDeleteAll(m_roofActions);
    m_roofActions.clear();
    for (const auto& roof : m_data.roofline.memory)
        addRoofAction(m_data.memory, roof.level);
    for (const auto& roof : m_data.roofline.compute)
        addRoofAction(m_data.compute, roof.precision);
}

void RooflinePlot::activate(int mark) {
    const qint64 id = m_plot.point(mark).id;
    select(id);
    Q_EMIT pointActivated(id);
}

void RooflinePlot::fillMenu(QMenu& menu, int mark) {
    if (mark >= 0) {
        const qint64 id = m_plot.point(mark).id;
        QAction* choose = menu.addAction(tr("Select %1").arg(m_plot.point(mark).label));
        choose->setToolTip(tr("Makes this the current kernel"));
        connect(choose, &QAction::triggered, this, [this, id] {
            select(id);
            Q_EMIT pointActivated(id);
        });
    }
    if (m_roofActions.isEmpty()) return;
    QMenu* roofs = menu.addMenu(tr("Roofs"));
    roofs->setToolTipsVisible(true);
    roofs->addActions(m_roofActions);
    menu.addAction(m_referenceAction);
}

Record RooflinePlot::recordOf(int mark) const {
    const RooflinePoint& p = m_plot.point(mark);
    Record record;
    record.title = p.label;
    record.rows = {
        {tr("Time"), secondsText(p.seconds) + QStringLiteral(", ") + word(p.origin)},
        {tr("Performance"), siText(p.flops / p.seconds, QStringLiteral("FLOP/s"))},
        {tr("Intensity"), numberText(p.flops / p.bytes) + QStringLiteral(" FLOP/byte")},
        {tr("Work"), siText(p.flops, QStringLiteral("FLOP"))},
        {tr("Moved"), bytesText(p.bytes) + (p.byteSource.isEmpty() ? QString() : QStringLiteral(", ") + p.byteSource)}};
    if (!p.size.isEmpty()) record.rows.append({tr("Size"), p.size});
    if (!p.device.isEmpty()) record.rows.append({tr("Device"), p.device});
    if (m_data.hasDevice) {
        const auto placed = perf::place(m_data.roofline, workOf(p));
        record.explanation =
            placed ? QString::fromStdString(explain(m_data.roofline, workOf(p), *placed,
                                                    perf::byteSourceFromWords(p.byteSource.toStdString())))
                   : QString::fromStdString(placed.error().text());
        if (const auto reached = perf::place(m_data.measured, workOf(p)); reached && !m_data.measuredWhen.isEmpty())
            record.rows.append({tr("Of the measured roof"), percentText(reached->share)});
        const QString shown = QString::fromStdString(m_data.roofline.device);
        const auto* timedOn = perf::findDeviceSpec(p.device.toStdString());
        if (!p.device.isEmpty() && p.device != shown && !(timedOn && timedOn->name == m_data.roofline.device))
            record.explanation.prepend(tr("Timed on a device other than that of these roofs. "));
    }
    if (!p.note.isEmpty())
        record.explanation += (record.explanation.isEmpty() ? QString() : QStringLiteral(" ")) + p.note;
    return record;
}

QString RooflinePlot::svg(QSize size, const Palette& palette) const {
    RooflineCanvas fresh;
    fresh.setData(m_data);
    return svgOf(fresh, size, palette);
}

QString RooflinePlot::numbers() const {
    QStringList lines{
        QStringLiteral("id\tlabel\torigin\tflops\tbytes\tbyte_source\tseconds\tflop_per_byte\tflop_per_s\t"
                       "share_of_roof\tbound\tsize\tdevice\tnote")};
    for (const RooflinePoint& p : m_data.points) {
        const auto placed = perf::place(m_data.roofline, workOf(p));
        const auto number = [](double v) { return QString::number(v, 'g', 10); };
        QStringList cells{QString::number(p.id), rooflineCell(p.label),     word(p.origin),
                          number(p.flops),       number(p.bytes),           rooflineCell(p.byteSource),
                          number(p.seconds),     number(p.flops / p.bytes), number(p.flops / p.seconds)};
        if (placed)
            cells << number(placed->share)
                  << (placed->bound == perf::Bound::memory ? QStringLiteral("memory") : QStringLiteral("compute"));
        else
            cells << QString() << QString();
        cells << rooflineCell(p.size) << rooflineCell(p.device) << rooflineCell(p.note);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kernelarium::ui
