// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/ProfileDesk.h"

namespace kernelarium::ui {

ProfileDesk::ProfileDesk(QObject* parent)
    : QObject(parent) {}

void ProfileDesk::read(const Kernel& kernel) {
    const quint64 generation = ++m_generation;
    m_profiles.reset();
    m_error = {};
    if (kernel.origin != Kernel::Origin::archived) {
        m_thread.cancel("read");
        m_stage = Stage::idle;
        Q_EMIT changed();
        return;
    }
    m_stage = Stage::running;
    Q_EMIT changed();
    ask<Profiles>(
        m_thread, this, "read",
        [texts = kernel.texts](const std::stop_token&) -> Result<Profiles> {
            return Profiles(std::make_shared<const profile::ArchivedProfiles>(
                profile::readProfiles(texts.ncu.toStdString(), texts.torch.toStdString(), texts.tidy.toStdString())));
        },
        [this, generation](Result<Profiles> read) {
            if (generation != m_generation) return;
            m_stage = read ? Stage::finished : read.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
            if (read)
                m_profiles = *read;
            else
                m_error = read.error();
            Q_EMIT changed();
        });
}

} // namespace kernelarium::ui
