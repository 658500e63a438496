// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of the tour that take times on a GPU: its roofs, a kernel's time, and that of others at the same task.
#include "ui/dialogs/DeviceDialog.h"
#include "ui/frame/Actions.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QPushButton>

namespace kernelarium::ui {

namespace {

QString endText(Stage stage, const Error& error, const QString& what) {
    if (stage == Stage::finished) return what;
    if (stage == Stage::failed) return QString::fromStdString(error.text());
    return stage == Stage::idle ? Tour::tr("not started") : Tour::tr("cancelled");
}

QString roofsText(const MeasureState& state) {
    QStringList roofs;
    if (state.answer)
        for (const perf::Ceiling& ceiling : state.answer->ceilings.ceilings)
            roofs << QStringLiteral("%1 %2").arg(QString::fromStdString(ceiling.key)).arg(ceiling.rate, 0, 'g', 4);
    return endText(state.stage, state.error, Tour::tr("measured: %1").arg(roofs.join(QStringLiteral(", "))));
}

QString baselinesText(const TimeState& state) {
    QStringList times;
    if (state.answer)
        for (const protocol::BaselineSummary& baseline : state.answer->baselines) {
            const QString name = QString::fromStdString(baseline.name);
            times << (baseline.summary.count > 0
                          ? QStringLiteral("%1 %2 ms").arg(name).arg(baseline.summary.median * 1e3, 0, 'g', 4)
                          : QStringLiteral("%1: %2").arg(name, QString::fromStdString(baseline.remark)));
        }
    return endText(state.stage, state.error,
                   times.isEmpty() ? Tour::tr("no baselines") : times.join(QStringLiteral(", ")));
}

} // namespace

void Tour::addMeasuredStages() {
    Workspace& workspace = m_window.workspace();
    const auto there = [this] { return gpu() != nullptr; };
    const auto dialog = [this] { return m_window.findChild<DeviceDialog*>(); };
    const auto timed = [&workspace] {
        const TimeState& state = workspace.timer().state();
        return !workspace.trials().isBusy() && state.stage == ui::Stage::finished &&
               state.generation == workspace.bench().generation();
    };
    m_stages.push_back(
        {QStringLiteral("gpu-roofs"), tr("What the GPU reaches at best, measured, beside its data sheet."),
         [this, dialog] {
             m_window.actions().action(QStringLiteral("target.measure"))->trigger();
             dialog()->measureButton().click();
         },
         [&workspace] { return !isBusy(workspace.devices().measureState().stage); }, 60000, there,
         [&workspace] { return roofsText(workspace.devices().measureState()); }, [dialog] { return dialog(); }});
    m_stages.push_back({QStringLiteral("gpu-time"),
                        tr("Its time on the GPU, measured with a cold cache, and its clock and noise."),
                        [this, dialog] {
                            dialog()->close();
                            m_window.showDock(QStringLiteral("history"));
                            m_window.actions().action(QStringLiteral("kernel.time"))->trigger();
                        },
                        timed, 180000, there});
    m_stages.push_back({QStringLiteral("gpu-samples"),
                        tr("Every sample of it, the median and its confidence interval."),
                        [this] { m_window.showDock(QStringLiteral("samples")); }, [] { return true; }, 60000, there});
    m_stages.push_back({QStringLiteral("gpu-roofline"),
                        tr("The measured attempt under the measured roofs of the GPU that ran it."),
                        [this] { m_window.showDock(QStringLiteral("roofline")); },
                        [&workspace] {
                            return !workspace.devices().kept().empty() ||
                                   workspace.devices().measureState().stage != ui::Stage::finished;
                        },
                        60000, there});
    addProfilerStages(); // quicker than PyTorch, which has to be started and to compile
    m_stages.push_back({QStringLiteral("gpu-baselines"),
                        tr("The same task by cuBLAS and PyTorch, on the same inputs, in the history beside it."),
                        [this, &workspace] {
                            Target target = workspace.place().target();
                            target.baselines = true;
                            workspace.place().setTarget(target);
                            m_window.showDock(QStringLiteral("history"));
                            m_window.actions().action(QStringLiteral("kernel.time"))->trigger();
                        },
                        [&workspace] { return !workspace.trials().isBusy(); }, 45000, there,
                        [&workspace] { return baselinesText(workspace.timer().state()); }});
}

} // namespace kernelarium::ui
