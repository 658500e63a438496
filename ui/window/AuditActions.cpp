// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/AuditActions.h"

#include "ui/audit/AuditPage.h"
#include "ui/frame/Actions.h"
#include "ui/window/Docks.h"

namespace kernelarium::ui {

AuditActions::AuditActions(AuditPage& page, Docks& docks, Actions& actions, QObject* parent)
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
    actions.add({QStringLiteral("audit.pause"),
                 tr("&Pause the audit"),
                 tr("Pause the audit; verdicts so far are kept, and it resumes from there"),
                 {},
                 {},
                 [this] { m_page.pause(); },
                 [this] { return m_page.desk().isRunning() ? QString() : tr("no audit is running"); }});
}

} // namespace kernelarium::ui
