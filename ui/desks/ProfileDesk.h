// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/ArchivedProfiles.h"
#include "ui/desks/Kernel.h"
#include "ui/threads/Ask.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <memory>

namespace kernelarium::ui {

/// The archived profiles of the kernel on the bench, read on a thread of their own: a long one never delays the text.
class ProfileDesk : public QObject {
    Q_OBJECT
public:
    using Profiles = std::shared_ptr<const profile::ArchivedProfiles>;

    explicit ProfileDesk(QObject* parent = nullptr);

    /// Another kernel: what was read before is forgotten at once.
    void read(const Kernel& kernel);

    [[nodiscard]] Stage stage() const { return m_work.state().stage; }
    /// Null while they are being read, and for a kernel that no archive keeps.
    [[nodiscard]] const Profiles& profiles() const { return m_work.state().answer; }
    [[nodiscard]] const Error& error() const { return m_work.state().error; }

Q_SIGNALS:
    void changed();

private:
    Work<Profiles> m_work;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
