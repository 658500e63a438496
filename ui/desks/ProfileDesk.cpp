// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/ProfileDesk.h"

namespace kernelarium::ui {

ProfileDesk::ProfileDesk(QObject* parent)
    : QObject(parent) {}

void ProfileDesk::read(const Kernel& kernel) {
    if (kernel.origin != Kernel::Origin::archived) {
        m_thread.cancel("read");
        m_work.clear();
        Q_EMIT changed();
        return;
    }
    const auto ticket = m_work.begin();
    Q_EMIT changed();
    ask<Profiles>(
        m_thread, this, "read",
        [texts = kernel.texts](const std::stop_token&) -> Result<Profiles> {
            return Profiles(std::make_shared<const profile::ArchivedProfiles>(
                profile::readProfiles(texts.ncu.toStdString(), texts.torch.toStdString(), texts.tidy.toStdString())));
        },
        [this, ticket](Result<Profiles> read) {
            if (m_work.end(ticket, std::move(read))) Q_EMIT changed();
        });
}

} // namespace kernelarium::ui
