// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/AuditActions.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditPage.h"
#include "ui/frame/Actions.h"
#include "ui/window/Docks.h"

namespace kernelarium::ui {

AuditActions::AuditActions(AuditPage& page, ArchivePanel& archive, Docks& docks, Actions& actions, QObject* parent)
    : QObject(parent)
    , m_page(page)
    , m_docks(docks) {
    const auto add = [this, &actions](const char* name, const QString& text, const QString& tip, bool onlyShown) {
        actions.add({QLatin1String(name),
                     text,
                     tip,
                     {},
                     {},
                     [this, onlyShown] {
                         m_docks.show(QStringLiteral("audit"));
                         m_page.start(onlyShown);
                     },
                     [this, onlyShown] { return m_page.obstacle(onlyShown); }});
    };
    add("audit.archive", tr("A&udit the archive"),
        tr("Verify every kernel of the archive that has no up-to-date verdict"), false);
    add("audit.shown", tr("Audit what the Archiv&e panel shows"),
        tr("Verify the kernels that match the filters of the Archive panel"), true);
    actions.add({QStringLiteral("audit.selection"),
                 tr("Audit the se&lected kernels"),
                 tr("Verify the kernels selected in the Archive panel that have no up-to-date verdict"),
                 {},
                 {},
                 [this, &archive] {
                     m_docks.show(QStringLiteral("audit"));
                     m_page.startRows(archive.chosenRows());
                 },
                 [this, &archive] {
                     const QString obstacle = m_page.obstacle();
                     return obstacle.isEmpty() && !archive.hasChosen()
                                ? tr("no kernel is selected in the Archive panel")
                                : obstacle;
                 }});
    connect(&archive, &ArchivePanel::auditRequested, this,
            [&actions] { actions.run(QStringLiteral("audit.selection")); });
    actions.add({QStringLiteral("audit.pause"),
                 tr("&Pause the audit"),
                 tr("Pause the audit; verdicts so far are kept, and it resumes from there"),
                 {},
                 {},
                 [this] { m_page.pause(); },
                 [this] { return m_page.desk().isRunning() ? QString() : tr("no audit is running"); }});
}

} // namespace kernelarium::ui
