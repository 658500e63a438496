// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/RunPanels.h"

#include "core/perf/DeviceSpec.h"
#include "ui/desks/RunDesk.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Trials.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace kernelarium::ui {

OutputPanel::OutputPanel(const Around& around, Theme& theme, QWidget* parent)
    : EvidencePanel(around.bench, theme, tr("Outputs of the run"), parent)
    , m_with(around) {
    connect(&around.runner, &RunDesk::runChanged, this, &OutputPanel::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, &OutputPanel::refresh);
    connect(this, &EvidencePanel::buttonClicked, &around.trials, &Trials::run);
    refresh();
}

void OutputPanel::refresh() {
    const RunState& state = m_with.runner.runState();
    const bool hasKernel = !m_with.bench.kernel().isEmpty();
    const QString run = hasKernel ? tr("Run") : QString();
    const QString tip = tr("Run the kernel once (F5)");
    switch (state.stage) {
    case Stage::finished: {
        const auto& summary = *state.answer;
        const QString end = QString::fromStdString(summary.end);
        const bool finished = end == QLatin1String("finished");
        show(finished && summary.exitCode ? tr("The program ended with exit code %1.").arg(*summary.exitCode)
             : finished                   ? tr("forward() returned %1 outputs.").arg(summary.outputs.size())
                                          : tr("The run failed (%1): %2")
                              .arg(QString(end).replace(QLatin1Char('_'), QLatin1Char(' ')),
                                   QString::fromStdString(summary.reason)),
             runGroups(summary));
        return;
    }
    case Stage::running:
    case Stage::waiting: showEmpty(tr("Running… (Escape cancels)"), {}, {}); return;
    case Stage::failed: showEmpty(QString::fromStdString(state.error.text()), run, tip); return;
    case Stage::cancelled: showEmpty(tr("The run was cancelled."), run, tip); return;
    case Stage::idle: break;
    }
    showEmpty(hasKernel ? tr("What the kernel computes appears here in figures: outputs, launches, what it prints.")
                        : tr("What a kernel computes appears here in figures. Choose a kernel first."),
              run, tip);
}

CountersPanel::CountersPanel(const Around& around, Theme& theme, QWidget* parent)
    : EvidencePanel(around.bench, theme, tr("Counters"), parent)
    , m_with(around) {
    addHeatChooser();
    connect(&around.runner, &RunDesk::profileChanged, this, &CountersPanel::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, &CountersPanel::refresh);
    connect(this, &EvidencePanel::buttonClicked, &around.trials, &Trials::model);
    refresh();
}

namespace {

/// The first finding in full, which a table's column has no room for; else what limits.
QString mostToGain(const protocol::ProfileSummary& profile) {
    if (profile.findings.empty() || profile.findings.front().gainSeconds <= 0)
        return QString::fromStdString(profile.time.why);
    const perf::Finding& first = profile.findings.front();
    return CountersPanel::tr("Largest potential gain (%1), %2: %3. %4")
        .arg(percentText(first.gainShare),
             first.line > 0         ? CountersPanel::tr("line %1").arg(first.line)
             : first.kernel.empty() ? CountersPanel::tr("all launches")
                                    : QString::fromStdString(first.kernel),
             QString::fromStdString(first.what), QString::fromStdString(first.advice));
}

} // namespace

void CountersPanel::addHeatChooser() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 0, 8, 8);
    layout->setSpacing(8);
    m_heat = new QComboBox;
    m_heat->setObjectName(QStringLiteral("heatCounter"));
    m_heat->setAccessibleName(tr("Counter in the editor's margin"));
    m_heat->setToolTip(tr("Which counter the bars beside the source show, line by line"));
    for (const HeatCounter counter : heatCounters) {
        m_heat->addItem(titleOf(counter), int(counter));
        m_heat->setItemData(m_heat->count() - 1, aboutOf(counter), Qt::ToolTipRole);
    }
    m_heat->setCurrentIndex(m_heat->findData(int(m_with.heat.counter())));
    auto* label = new QLabel(tr("Beside the &source:"));
    label->setBuddy(m_heat);
    layout->addWidget(label);
    layout->addWidget(m_heat);
    layout->addStretch(1);
    addTool(bar);
    connect(m_heat, &QComboBox::currentIndexChanged, this,
            [this] { m_with.heat.setCounter(HeatCounter(m_heat->currentData().toInt())); });
}

void CountersPanel::refresh() {
    const ProfileState& state = m_with.runner.profileState();
    const bool hasKernel = !m_with.bench.kernel().isEmpty();
    const QString count = hasKernel ? tr("Count") : QString();
    const QString tip = tr("Count what the kernel does at full size, and model its time (Ctrl+Alt+Return)");
    switch (state.stage) {
    case Stage::finished: {
        const auto& profile = *state.answer;
        const auto* device = perf::findDeviceSpec(profile.time.device);
        show(tr("Modelled: %1 on %2, %3 size. %4")
                 .arg(secondsText(profile.time.seconds, 4),
                      QString::fromStdString(device ? device->name : profile.time.device),
                      QString::fromStdString(profile.size), mostToGain(profile)),
             profileGroups(profile));
        return;
    }
    case Stage::running:
    case Stage::waiting: showEmpty(tr("Counting… (Escape cancels)"), {}, {}); return;
    case Stage::failed: showEmpty(QString::fromStdString(state.error.text()), count, tip); return;
    case Stage::cancelled: showEmpty(tr("The counting was cancelled."), count, tip); return;
    case Stage::idle: break;
    }
    showEmpty(hasKernel ? tr("Instructions, sectors, bank conflicts and the time that follows from them appear here.")
                        : tr("What a kernel does to the machine appears here. Choose a kernel first."),
              count, tip);
}

} // namespace kernelarium::ui
