// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryView.h"

#include "core/hgemm/laboratory/TableDevices.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QSplitter>

namespace kernelarium::ui {

LaboratoryView::LaboratoryView(const LaboratorySite& site, Notices& notices, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_site(site)
    , m_notices(notices)
    , m_desk(new LaboratoryDesk(site.runner, this))
    , m_bar(new LaboratoryBar(theme))
    , m_obstacle(new QLabel)
    , m_plot(new QComboBox)
    , m_axis(new QComboBox)
    , m_device(new QComboBox)
    , m_chart(new ChartPlot(theme))
    , m_table(new FigureView(theme)) {
    build();
    std::vector<hgemm::Shape> known;
    for (const hgemm::BestRow& row : hgemm::shippedBestTable())
        if (std::find(known.begin(), known.end(), row.shape) == known.end()) known.push_back(row.shape);
    m_bar->setKnownShapes(known);
    connect(m_bar, &LaboratoryBar::startRequested, this, &LaboratoryView::start);
    connect(m_bar, &LaboratoryBar::cancelRequested, m_desk, &LaboratoryDesk::cancel);
    connect(m_bar, &LaboratoryBar::modeChanged, this, &LaboratoryView::refresh);
    connect(m_bar, &LaboratoryBar::stateChanged, this, &LaboratoryView::stateChanged);
    connect(m_desk, &LaboratoryDesk::changed, this, [this] {
        m_bar->setState(m_desk->state());
        fillDevices();
        refresh();
    });
    for (QComboBox* box : {m_plot, m_axis})
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            refreshChart();
            Q_EMIT stateChanged();
        });
    connect(m_device, &QComboBox::activated, this, [this] {
        m_wantedDevice = device();
        refresh();
        refreshObstacle();
        Q_EMIT stateChanged();
    });
    const auto followMachine = [this] {
        fillDevices();
        refresh();
        refreshObstacle();
    };
    connect(&m_site.devices, &DeviceDesk::changed, this, followMachine);
    connect(&m_site.place, &Place::changed, this, followMachine);
    connect(m_chart, &PlotPanel::failed, this, [this](const QString& text) { m_notices.post(text, true); });
    connect(m_table, &FigureView::failed, this, [this](const QString& text) { m_notices.post(text, true); });
    fillDevices();
    refreshObstacle();
    refresh();
}

QString LaboratoryView::device() const {
    return m_device->currentText();
}

QString LaboratoryView::gpuAtHand() const {
    const Target& target = m_site.place.target();
    const HostDevices devices = m_site.devices.at(target.host);
    if (devices.stage != Stage::finished) return {};
    const protocol::DeviceSummary* gpu = devices.answer.gpu(target.onGpu() ? target.ordinal : 0);
    return gpu ? QString::fromStdString(gpu->name) : QString();
}

LaboratorySources LaboratoryView::sources() const {
    return {hgemm::shippedBestTable(), hgemm::shippedComparedTable(), m_desk->measured()};
}

void LaboratoryView::fillDevices() {
    const QStringList devices = laboratoryDevices(gpuAtHand(), sources());
    QStringList shown;
    for (int i = 0; i < m_device->count(); ++i)
        shown << m_device->itemText(i);
    if (shown != devices) {
        m_device->clear();
        m_device->addItems(devices);
    }
    m_device->setCurrentIndex(
        std::max(m_wantedDevice.isEmpty() ? 0 : int(devices.indexOf(m_wantedDevice)), devices.isEmpty() ? -1 : 0));
    m_device->setVisible(devices.size() > 1);
}

void LaboratoryView::build() {
    m_obstacle->setTextFormat(Qt::PlainText);
    m_obstacle->setWordWrap(true);
    m_obstacle->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_obstacle->setContentsMargins(12, 8, 12, 0);
    m_obstacle->setAccessibleName(tr("Why nothing can be measured"));
    m_plot->addItems({tr("Speed-up"), tr("Chosen tile"), tr("Chosen stages"), tr("Chosen split of K"),
                      tr("Chosen raster"), tr("Claimed against measured")});
    m_plot->setAccessibleName(tr("Plot"));
    m_plot->setToolTip(tr("What is drawn of each product"));
    m_axis->addItems({tr("by class"), tr("by M"), tr("by N"), tr("by K")});
    m_axis->setAccessibleName(tr("Over"));
    m_axis->setToolTip(tr("Over what it is drawn; the class is what bounds a product"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(tr("Whose figures are shown: the GPU at hand first; devices are never mixed"));
    m_table->setEmptyText(tr("Nothing of this device and mode was measured or is recorded."));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 8, 4);
    row->setSpacing(6);
    row->addWidget(m_plot);
    row->addWidget(m_axis);
    row->addStretch(1);
    row->addWidget(m_device);
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addLayout(row);
    topLayout->addWidget(m_chart, 1);
    auto* split = new QSplitter(Qt::Vertical);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(top);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_obstacle);
    layout->addWidget(m_bar);
    layout->addWidget(split, 1);
}

void LaboratoryView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    const QString host = m_site.place.target().host;
    if (m_site.devices.at(host).stage == Stage::idle) m_site.devices.look(host);
}

void LaboratoryView::setPublished(const HgemmDesk::Results* published) {
    m_published = published;
    refresh();
}

void LaboratoryView::start() {
    Result<LaboratoryJob> job = m_bar->job();
    if (!job) {
        m_notices.postError(job.error());
        m_bar->shapes().setFocus(Qt::OtherFocusReason);
        return;
    }
    const std::vector<hgemm::BestRow>& shipped = hgemm::shippedBestTable();
    job->choice = hgemm::rowsOf(shipped, hgemm::deviceFor(shipped, gpuAtHand().toStdString()));
    m_wantedDevice.clear(); // what is measured is looked at
    fillDevices();
    refresh();
    m_desk->start(std::move(*job));
}

void LaboratoryView::refreshObstacle() {
    const HostDevices devices = m_site.devices.at(m_site.place.target().host);
    QString why;
    if (devices.stage == Stage::failed)
        why = QString::fromStdString(devices.error.text());
    else if (devices.stage == Stage::finished && !devices.answer.gpu())
        // The driver's own advice is to take the emulator, which has no such times.
        why = (devices.answer.missing ? QString::fromStdString(devices.answer.missing->message)
                                      : tr("There is no GPU on this machine.")) +
              QLatin1Char(' ') +
              tr("Products are measured on a GPU alone: install NVIDIA's driver and check that nvidia-smi lists it, or "
                 "choose another machine with Kernel, Target.");
    m_bar->setObstacle(why);
    QString recorded;
    if (!why.isEmpty() && !device().isEmpty())
        recorded = QLatin1Char(' ') + tr("Shown is what was measured earlier on an %1.").arg(device());
    m_obstacle->setText(why.isEmpty() ? QString() : tr("Nothing can be measured here. %1").arg(why) + recorded);
    m_obstacle->setVisible(!why.isEmpty());
}

void LaboratoryView::refresh() {
    static const HgemmDesk::Results nothing;
    m_entries = laboratoryEntries(device(), m_bar->mode(), sources(), m_published ? *m_published : nothing);
    m_table->setTable(laboratoryFigures(m_entries, m_bar->mode()));
    refreshChart();
    Q_EMIT shownChanged();
}

void LaboratoryView::refreshChart() {
    const auto plot = static_cast<LaboratoryPlot>(std::max(0, m_plot->currentIndex()));
    m_axis->setEnabled(plot != LaboratoryPlot::claims);
    m_chart->emptyState().setTexts(tr("Nothing to draw"),
                                   plot == LaboratoryPlot::claims
                                       ? tr("Claims come from published tables of an H100: Open tables… adds some.")
                                       : tr("No product of this mode has such a value."));
    m_chart->setData(laboratoryChart(m_entries, plot, static_cast<LaboratoryAxis>(std::max(0, m_axis->currentIndex())),
                                     m_bar->mode()));
}

QByteArray LaboratoryView::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_bar->saveState() << qint32(m_plot->currentIndex()) << qint32(m_axis->currentIndex()) << m_wantedDevice;
    return state;
}

void LaboratoryView::restoreState(const QByteArray& state) {
    QByteArray bar;
    qint32 plot = 0, axis = 0;
    QDataStream in(state);
    in >> bar >> plot >> axis;
    if (in.status() != QDataStream::Ok) return;
    m_bar->restoreState(bar);
    m_plot->setCurrentIndex(std::clamp(plot, 0, m_plot->count() - 1));
    m_axis->setCurrentIndex(std::clamp(axis, 0, m_axis->count() - 1));
    QString device;
    if (in >> device; in.status() != QDataStream::Ok) return; // an older version's
    m_wantedDevice = device;
    fillDevices();
    refreshObstacle();
    refresh();
}

} // namespace kernelarium::ui
