// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/RooflinePanel.h"

#include "core/perf/DeviceSpec.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/desks/ProfileDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/theme/Theme.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Trials.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr qint64 archivedId = -1;
constexpr qint64 profiledId = -2;

Origin pointOriginOf(session::Timing::Origin origin) {
    if (origin == session::Timing::Origin::archived) return Origin::archived;
    return origin == session::Timing::Origin::measured ? Origin::measured : Origin::modelled;
}

} // namespace

RooflinePanel::RooflinePanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_plot(new RooflinePlot(theme))
    , m_device(new QComboBox)
    , m_source(new QLabel) {
    for (const auto& spec : perf::deviceSpecs())
        m_device->addItem(QString::fromStdString(spec.name), QString::fromStdString(spec.id));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(tr("The device whose roofs are drawn and whose time is modelled"));
    m_source->setProperty("role", "muted");
    m_source->setFont(theme.captionFont());
    m_source->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(12);
    bar->addWidget(m_device);
    bar->addWidget(m_source, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);

    connect(m_device, &QComboBox::activated, this, [this] {
        Target target = m_with.place.target();
        target.device = m_device->currentData().toString();
        m_with.place.setTarget(target);
    });
    connect(m_plot, &RooflinePlot::actionRequested, &around.trials, &Trials::time);
    connect(m_plot, &RooflinePlot::pointActivated, this, [this](qint64 id) {
        m_plot->select(id);
        if (id > 0) Q_EMIT compareRequested(id);
    });
    connect(m_plot, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    connect(&around.place, &Place::changed, this, &RooflinePanel::refreshDevice);
    connect(&around.devices, &DeviceDesk::keptChanged, this, &RooflinePanel::refreshMeasured);
    connect(&around.past, &PastTrials::knownChanged, this, &RooflinePanel::refresh);
    connect(&around.assignment, &Assignment::changed, this, &RooflinePanel::refreshCost);
    connect(&around.profiles, &ProfileDesk::changed, this, &RooflinePanel::refresh);
    refreshDevice();
}

void RooflinePanel::refreshDevice() {
    const QString id = m_with.place.target().device;
    if (id != m_shownDevice) {
        if (const auto* spec = perf::findDeviceSpec(id.toStdString())) {
            m_shownDevice = id;
            m_device->setCurrentIndex(m_device->findData(id));
            m_plot->setDevice(*spec);
            refreshMeasured();
        }
    }
    refresh();
}

void RooflinePanel::refreshMeasured() {
    const auto* spec = perf::findDeviceSpec(m_shownDevice.toStdString());
    if (!spec) return;
    const perf::MeasuredCeilings* measured = perf::ceilingsOf(m_with.devices.kept(), *spec);
    m_plot->setMeasured(measured, *spec);
    if (!measured) {
        const auto source = spec->sources.find("memory");
        m_source->setText(tr("Roofs: data sheet, not measured"));
        m_source->setToolTip(
            tr("Kernel, Target, Measure the device measures them on a GPU.%1")
                .arg(source == spec->sources.end()
                         ? QString()
                         : QLatin1Char('\n') + tr("Data sheet: %1").arg(QString::fromStdString(source->second))));
    } else {
        QStringList doubted, doubts;
        for (const perf::Ceiling& ceiling : measured->ceilings)
            if (const std::string why = perf::whyNotTrusted(ceiling, *spec); !why.empty()) {
                const std::string_view name = perf::ceilingName(ceiling.key);
                doubted << QString::fromUtf8(name.data(), qsizetype(name.size()));
                doubts << tr("%1: %2").arg(doubted.last(), QString::fromStdString(why));
            }
        const QString both = tr("Roofs: data sheet (dashed) and measured (solid)");
        m_source->setText(doubts.isEmpty()     ? both
                          : doubts.size() == 1 ? tr("Unreliable: the roof of %1").arg(doubted.first())
                                               : tr("Unreliable: %1 measured roofs").arg(doubts.size()));
        m_source->setToolTip(doubts.isEmpty() ? both : doubts.join(QLatin1Char('\n')));
    }
}

void RooflinePanel::refreshCost() {
    const auto card = m_with.assignment.card();
    m_cost.reset();
    const quint64 generation = ++m_generation;
    if (!card) {
        refresh();
        return;
    }
    ask<task::Cost>(
        m_thread, this, "cost",
        [card](const std::stop_token&) -> Result<task::Cost> {
            auto symbols = card->size("full");
            if (!symbols) return symbols.error();
            return task::costOf(*card, *symbols);
        },
        [this, generation](Result<task::Cost> cost) {
            if (generation != m_generation || !cost) return;
            m_cost = std::move(*cost);
            refresh();
        });
}

std::optional<RooflinePoint> RooflinePanel::archivedPoint() const {
    const auto& row = m_with.bench.kernel().row;
    if (!row || !row->runtime || !m_cost) return std::nullopt;
    RooflinePoint point;
    point.id = archivedId;
    point.label = tr("%1, as archived").arg(QString::fromStdString(row->name));
    point.flops = m_cost->flops;
    point.bytes = m_cost->compulsoryBytes;
    point.seconds = *row->runtime / 1e3;
    point.origin = Origin::archived;
    point.byteSource = QStringLiteral("compulsory");
    point.size = QStringLiteral("full");
    point.device = publishersDevice();
    point.note = tr("The time is the publishers', on their GPU; the operations and bytes are the task's.");
    return point;
}

std::optional<RooflinePoint> RooflinePanel::profiledPoint() const {
    auto point = archivedPoint();
    const auto& profiles = m_with.profiles.profiles();
    if (!point || !profiles || !profiles->ncu || !*profiles->ncu) return std::nullopt;
    const auto throughput = profile::roofInputs(**profiles->ncu).bytesPerSecond;
    if (!throughput || *throughput <= 0) return std::nullopt;
    point->id = profiledId;
    point->label = tr("%1, with its profile's bytes").arg(QString::fromStdString(m_with.bench.kernel().row->name));
    point->bytes = *throughput * point->seconds;
    point->byteSource = QStringLiteral("profiler");
    point->note = tr("The bytes are the archived profile's memory throughput times the archived time of the whole "
                     "call: right where one kernel takes most of it, and less than the task's where the L2 cache kept "
                     "data from call to call. Neither names its GPU.");
    return point;
}

void RooflinePanel::refresh() {
    const Kernel& kernel = m_with.bench.kernel();
    if (kernel.isEmpty()) {
        m_plot->setTrail({});
        m_plot->setPoints({});
        return;
    }
    show(m_with.past.known());
}

void RooflinePanel::show(const std::vector<session::AttemptSummary>& attempts) {
    const auto* spec = perf::findDeviceSpec(m_with.place.target().device.toStdString());
    std::vector<RooflinePoint> points;
    std::vector<qint64> trail;
    if (auto archived = archivedPoint()) points.push_back(std::move(*archived));
    if (auto profiled = profiledPoint()) points.push_back(std::move(*profiled));
    for (const auto& attempt : attempts)
        for (const auto& timing : attempt.timings) {
            if (!spec || perf::findDeviceSpec(timing.device) != spec || timing.flops <= 0 || timing.bytes <= 0)
                continue;
            RooflinePoint point;
            point.id = attempt.id;
            point.label = tr("#%1 %2")
                              .arg(attempt.id)
                              .arg(QString::fromStdString(attempt.name.empty() ? attempt.kernelTitle : attempt.name));
            // The task's work for every point: operations that a kernel adds must not lift it.
            const bool ofTask = m_cost && m_cost->flops > 0 && timing.size == "full";
            point.flops = ofTask ? m_cost->flops : timing.flops;
            point.bytes = timing.bytes;
            point.seconds = timing.milliseconds / 1e3;
            point.origin = pointOriginOf(timing.origin);
            point.byteSource = QString::fromStdString(timing.byteSource);
            point.size = sizeText(timing);
            point.device = QString::fromStdString(timing.device);
            point.note = QString::fromStdString(attempt.notes);
            if (ofTask)
                point.note += (point.note.isEmpty() ? QString() : QStringLiteral("\n")) +
                              tr("The operations are the task's; the kernel executed %1.")
                                  .arg(siText(timing.flops, QStringLiteral("FLOP")));
            const bool verified = attempt.verdict == "verified";
            if (!verified)
                point.label += tr(" (%1)").arg(attempt.verdict.empty() ? tr("not verified")
                                                                       : QString::fromStdString(attempt.verdict));
            points.push_back(std::move(point));
            // What is not known to be right is shown, but is not a step on the way, and never the best.
            if (verified && attempt.session == m_with.session.current() &&
                (trail.empty() || trail.back() != attempt.id))
                trail.push_back(attempt.id);
        }
    m_plot->setTrail(std::move(trail));
    m_plot->setPoints(std::move(points));
    if (m_with.trials.lastAttempt() > 0) m_plot->select(m_with.trials.lastAttempt());
}

} // namespace kernelarium::ui
