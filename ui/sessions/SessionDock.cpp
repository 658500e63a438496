// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/SessionDock.h"

#include "core/session/HtmlReport.h"
#include "ui/desks/SessionDesk.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/SourceFiles.h"
#include "ui/workspace/Trials.h"

#include <QDateTime>
#include <QVBoxLayout>

namespace kernelarium::ui {

SessionDock::SessionDock(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_panel(new SessionPanel(theme)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    SessionDesk& desk = around.session;
    connect(m_panel, &SessionPanel::attemptActivated, &around.past, &PastTrials::show);
    connect(m_panel, &SessionPanel::compareRequested, this, &SessionDock::compareRequested);
    connect(m_panel, &SessionPanel::restoreRequested, &around.past, &PastTrials::restore);
    connect(m_panel, &SessionPanel::nameEdited, &desk, &SessionDesk::setName);
    connect(m_panel, &SessionPanel::notesEdited, &desk, &SessionDesk::setNotes);
    connect(m_panel, &SessionPanel::sessionChosen, &desk, &SessionDesk::choose);
    connect(m_panel, &SessionPanel::newSessionRequested, &desk, &SessionDesk::begin);
    connect(m_panel, &SessionPanel::renameSessionRequested, &desk, &SessionDesk::rename);
    connect(m_panel, &SessionPanel::removeSessionRequested, &desk, &SessionDesk::remove);
    connect(m_panel, &SessionPanel::restoreSessionRequested, &desk, &SessionDesk::restore);
    connect(m_panel, &SessionPanel::exportRequested, this, &SessionDock::exportRequested);
    connect(&desk, &SessionDesk::changed, this, [this] {
        const SessionDesk& now = m_with.session;
        m_panel->setSessions(now.sessions(), now.current());
        m_panel->setAttempts(now.attempts());
        m_panel->setCurrentAttempt(m_with.trials.lastAttempt());
    });
    connect(&around.trials, &Trials::attemptAdded, m_panel, &SessionPanel::setCurrentAttempt);
}

void SessionDock::exportTo(const QString& path, HistoryPanel* history, RooflinePanel* roofline) {
    session::ReportInput input;
    constexpr QSize size(860, 420);
    if (!history->plot().isEmpty())
        input.plots.push_back(
            {tr("Timing history").toStdString(), history->plot().svg(size, lightPalette()).toStdString()});
    if (!roofline->plot().isEmpty())
        input.plots.push_back({tr("Roofline").toStdString(), roofline->plot().svg(size, lightPalette()).toStdString()});
    for (const auto& info : m_with.session.sessions())
        if (info.id == m_with.session.current()) input.session = info;
    const Kernel& kernel = m_with.bench.kernel();
    if (!kernel.isEmpty()) input.originals[kernel.key.toStdString()] = kernel.original.toStdString();
    input.madeMs = QDateTime::currentMSecsSinceEpoch();
    input.program = "Kernelarium " KERNELARIUM_VERSION;
    m_with.session.report(std::move(input), m_with.sweeps, [this, path](Result<QString> html) {
        if (!html) {
            m_with.notices.post(QString::fromStdString(html.error().text()), true);
            return;
        }
        writeSource(path, *html, this, [this, path](Result<void> saved) {
            if (saved)
                m_with.notices.post(tr("The report is in %1.").arg(path));
            else
                m_with.notices.post(QString::fromStdString(saved.error().text()), true);
        });
    });
}

} // namespace kernelarium::ui
