// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/DeviceDialog.h"

#include "ui/desks/DeviceDesk.h"
#include "ui/workspace/Place.h"

#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

DeviceDialog::DeviceDialog(Place& place, DeviceDesk& devices, QWidget* parent)
    : QDialog(parent)
    , m_place(place)
    , m_devices(devices)
    , m_model(new CeilingModel(this))
    , m_device(new QComboBox)
    , m_facts(new QLabel)
    , m_table(new QTableView)
    , m_state(new QLabel)
    , m_progress(new QProgressBar)
    , m_measure(new QPushButton(tr("&Measure"))) {
    setWindowTitle(tr("Peak rates of the GPU"));
    resize(860, 560);
    auto* caption = new QLabel(tr("&Device"));
    caption->setBuddy(m_device);
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(tr("Measured devices"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_facts->setProperty("role", QStringLiteral("muted"));
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Measured ceilings"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_state->setAccessibleName(tr("State"));
    m_progress->setRange(0, 0);
    m_progress->setFixedWidth(120);
    m_progress->setAccessibleName(tr("Progress"));
    auto* copy = new QPushButton(tr("&Copy table"));
    copy->setToolTip(tr("Copy the table, with tabs between cells"));
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(caption);
    top->addWidget(m_device);
    top->addWidget(m_facts, 1);
    auto* work = new QHBoxLayout;
    work->setSpacing(8);
    work->addWidget(m_measure);
    work->addWidget(m_progress);
    work->addWidget(m_state, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::Help);
    buttons->addButton(copy, QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addLayout(work);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(buttons, &QDialogButtonBox::helpRequested, this, &DeviceDialog::helpRequested);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_model->text()); });
    connect(m_device, &QComboBox::currentIndexChanged, this, &DeviceDialog::showChosen);
    connect(m_measure, &QPushButton::clicked, this, [this] {
        if (isBusy(m_devices.measureState().stage))
            m_devices.cancel();
        else
            m_devices.measure();
    });
    connect(&devices, &DeviceDesk::keptChanged, this, &DeviceDialog::refreshDevices);
    connect(&devices, &DeviceDesk::measureChanged, this, &DeviceDialog::refreshState);
    connect(&place, &Place::changed, this, &DeviceDialog::refreshState);
    refreshDevices();
    refreshState();
}

QString DeviceDialog::facts() const {
    return m_facts->text();
}

void DeviceDialog::refreshDevices() {
    const auto& kept = m_devices.kept();
    const auto& measured = m_devices.measureState().answer;
    const QString wanted = measured            ? QString::fromStdString(measured->ceilings.device)
                           : m_device->count() ? m_device->currentText()
                                               : m_place.target().gpu;
    const QSignalBlocker quiet(m_device);
    m_device->clear();
    for (const perf::MeasuredCeilings& ceilings : kept)
        m_device->addItem(QString::fromStdString(ceilings.device));
    m_device->setEnabled(!kept.empty());
    m_device->setCurrentIndex(kept.empty() ? -1 : std::max(0, m_device->findText(wanted)));
    showChosen();
}

void DeviceDialog::showChosen() {
    const int index = m_device->currentIndex();
    const auto& kept = m_devices.kept();
    if (index < 0 || std::size_t(index) >= kept.size()) {
        m_model->setCeilings(std::nullopt);
        m_facts->setText(
            tr("Nothing has been measured yet. Measured bandwidths and rates appear here, and as solid roofs "
               "in the roofline."));
        return;
    }
    const perf::MeasuredCeilings& ceilings = kept[std::size_t(index)];
    const perf::DeviceSpec* spec = perf::findDeviceSpec(ceilings.device);
    m_model->setCeilings(ceilings);
    m_facts->setText(
        tr("measured %1, driver %2, %3 MHz at most; data sheet: %4")
            .arg(QDateTime::fromMSecsSinceEpoch(ceilings.dateMs).toString(QStringLiteral("d MMM yyyy HH:mm")),
                 QString::fromStdString(ceilings.driver), QString::number(ceilings.highestClockMHz, 'f', 0),
                 spec ? QString::fromStdString(spec->name) : tr("unknown")));
    QStringList remarks;
    for (const std::string& remark : ceilings.remarks)
        remarks << QString::fromStdString(remark);
    m_facts->setToolTip(remarks.isEmpty() ? m_facts->text() : remarks.join(QLatin1Char('\n')));
    m_table->resizeColumnsToContents();
}

void DeviceDialog::refreshState() {
    const MeasureState& state = m_devices.measureState();
    const bool busy = isBusy(state.stage);
    const bool onGpu = m_place.target().onGpu();
    m_progress->setVisible(busy);
    m_measure->setText(busy ? tr("&Cancel") : tr("&Measure"));
    m_measure->setEnabled(busy || onGpu);
    m_measure->setToolTip(
        busy    ? tr("Stop measuring; earlier results are kept")
        : onGpu ? tr("Measure the peak rates of %1, which takes up to a minute").arg(placeText(m_place.target()))
                : tr("Not now: the target is the emulator, which has no rates to measure"));
    QString text;
    switch (state.stage) {
    case Stage::idle:
        text = onGpu ? tr("Make sure that nothing else uses %1, then measure it.").arg(placeText(m_place.target()))
                     : tr("Choose a GPU as the target (Kernel, Target) to measure it.");
        break;
    case Stage::waiting:
    case Stage::running: text = state.step.isEmpty() ? tr("Measuring…") : tr("Measuring: %1").arg(state.step); break;
    case Stage::finished: text = tr("Saved in %1.").arg(state.answer->file); break;
    case Stage::failed: text = QString::fromStdString(state.error.text()); break;
    case Stage::cancelled: text = tr("The measurement was cancelled."); break;
    }
    m_state->setText(text);
    m_state->setToolTip(state.stage == Stage::failed ? QString::fromStdString(state.error.detail) : QString());
}

} // namespace kernelarium::ui
