// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/HistoryPanel.h"

#include "ui/desks/SessionDesk.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Trials.h"

#include <QInputDialog>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

Origin originOf(session::Timing::Origin origin) {
    switch (origin) {
    case session::Timing::Origin::archived: return Origin::archived;
    case session::Timing::Origin::measured: return Origin::measured;
    case session::Timing::Origin::modelled: break;
    }
    return Origin::modelled;
}

/// "PyTorch native 2.11.0": the version's own words, what else it names and what the name says already left out.
QString lineName(const session::BaselineTime& baseline) {
    const QString name = QString::fromStdString(baseline.name);
    QStringList version = QString::fromStdString(baseline.version)
                              .section(QLatin1Char(','), 0, 0)
                              .split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (version.size() > 1 && name.startsWith(version.front())) version.removeFirst();
    return (QStringList{name} + version).join(QLatin1Char(' '));
}

/// The newest of each name, device, size and mode: later timings replace the lines of earlier ones.
void addBaselines(std::vector<ReferenceLine>& lines, const session::Timing& timing) {
    for (const session::BaselineTime& baseline : timing.baselines) {
        session::Timing as = timing;
        if (!baseline.mode.empty()) as.mode = baseline.mode;
        const ReferenceLine line{lineName(baseline), baseline.milliseconds, Origin::measured,
                                 QString::fromStdString(timing.device), sizeText(as)};
        std::erase_if(lines, [&](const ReferenceLine& old) {
            return old.label == line.label && old.device == line.device && old.size == line.size;
        });
        lines.push_back(line);
    }
}

QString labelOf(const session::AttemptSummary& attempt) {
    const QString name = QString::fromStdString(attempt.name.empty() ? attempt.kernelTitle : attempt.name);
    return HistoryPanel::tr("#%1 %2").arg(attempt.id).arg(name);
}

} // namespace

QString sizeText(const session::Timing& timing) {
    const QString size = QString::fromStdString(timing.size);
    return timing.mode.empty() || timing.mode == "cold"
               ? size
               : size + QStringLiteral(", ") + QString::fromStdString(timing.mode);
}

QString publishersDevice() {
    return HistoryPanel::tr("the publishers' GPU");
}

HistoryPanel::HistoryPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_plot(new HistoryPlot(theme)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    connect(m_plot, &HistoryPlot::actionRequested, &around.trials, &Trials::time);
    connect(m_plot, &HistoryPlot::attemptActivated, this, [this](qint64 id) {
        if (id > 0) Q_EMIT compareRequested(id);
    });
    connect(m_plot, &HistoryPlot::compareRequested, this, [this](qint64 id) {
        if (id > 0) Q_EMIT compareRequested(id);
    });
    connect(m_plot, &HistoryPlot::restoreRequested, this, [this](qint64 id) {
        if (id > 0)
            m_with.past.restore(id);
        else
            m_with.bench.revertToOriginal();
    });
    connect(m_plot, &HistoryPlot::raceRequested, this, [this](qint64 id) {
        if (id > 0)
            m_with.trials.race(id);
        else
            m_with.notices.post(tr("Archived times were taken elsewhere; only attempts can be compared head to head."),
                                true);
    });
    connect(m_plot, &HistoryPlot::samplesRequested, this, [this](qint64 id) {
        if (id > 0) Q_EMIT samplesRequested(id);
    });
    connect(m_plot, &HistoryPlot::nameRequested, this, &HistoryPanel::askForName);
    connect(m_plot, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    connect(&around.past, &PastTrials::knownChanged, this, &HistoryPanel::refresh);
}

void HistoryPanel::refresh() {
    const Kernel& kernel = m_with.bench.kernel();
    if (kernel.isEmpty()) {
        m_plot->setReferences({});
        m_plot->setEntries({});
        return;
    }
    show(m_with.past.known());
}

void HistoryPanel::show(const std::vector<session::AttemptSummary>& attempts) {
    std::vector<HistoryEntry> entries;
    std::vector<ReferenceLine> lines;
    if (const auto& row = m_with.bench.kernel().row) {
        const QString size = QStringLiteral("full");
        if (row->runtime) {
            HistoryEntry archived;
            archived.attempt = 0;
            archived.label = tr("%1, as archived").arg(QString::fromStdString(row->name));
            archived.milliseconds = *row->runtime;
            archived.origin = Origin::archived;
            archived.device = publishersDevice();
            archived.size = size;
            // Ours, not the publishers' claim.
            archived.verdict = m_with.verdicts.words().value(QString::fromStdString(row->label()));
            archived.note = tr("Published with the kernel; that it is right is the publishers' claim.");
            entries.push_back(archived);
        }
        const auto line = [&](const QString& label, const std::optional<double>& ms) {
            if (ms) lines.push_back({label, *ms, Origin::archived, {}, size}); // beside whatever is timed at that size
        };
        line(tr("as archived"), row->runtime);
        line(tr("PyTorch native"), row->nativeRuntime);
        line(tr("torch.compile"), row->compileRuntime);
    }
    for (const auto& attempt : attempts)
        for (const auto& timing : attempt.timings) {
            HistoryEntry entry;
            entry.attempt = attempt.id;
            entry.when = QDateTime::fromMSecsSinceEpoch(attempt.createdMs);
            entry.label = labelOf(attempt);
            entry.milliseconds = timing.milliseconds;
            entry.noise = timing.relativeNoise;
            entry.lower = timing.lowerQuartileMs;
            entry.upper = timing.upperQuartileMs;
            entry.origin = originOf(timing.origin);
            entry.device = QString::fromStdString(timing.device);
            entry.size = sizeText(timing);
            entry.verdict = QString::fromStdString(attempt.verdict);
            entry.note = QString::fromStdString(attempt.notes);
            entries.push_back(std::move(entry));
            addBaselines(lines, timing);
        }
    m_plot->setReferences(std::move(lines));
    m_plot->setEntries(std::move(entries));
    if (m_with.trials.lastAttempt() > 0) m_plot->select(m_with.trials.lastAttempt());
}

void HistoryPanel::askForName(qint64 attempt) {
    if (attempt <= 0) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Name attempt %1").arg(attempt));
    dialog->setLabelText(tr("Name"));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, attempt](const QString& name) { m_with.session.setName(attempt, name); });
    dialog->open();
}

} // namespace kernelarium::ui
