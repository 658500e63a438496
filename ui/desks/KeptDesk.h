// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/BoundedCache.h"
#include "ui/threads/Ask.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <filesystem>

namespace kernelarium::ui {

/// What is known of the kept kernels.
struct KeptView {
    QString text; ///< protocol::keptText
    int limitMegabytes = 0;
    bool isEmpty = true; ///< nothing to clear
};

/// Compiled kernels that are kept for the next time: how many there are, and how much room they may take.
class KeptDesk : public QObject {
    Q_OBJECT
public:
    explicit KeptDesk(std::filesystem::path folder, QObject* parent = nullptr);
    ~KeptDesk() override;

    void look();
    void setLimit(int megabytes); ///< removes what is beyond it
    void clear();
    /// Of the last of them.
    [[nodiscard]] const WorkState<KeptView>& state() const { return m_work.state(); }

Q_SIGNALS:
    void changed(); ///< state()

private:
    void start(std::function<Result<void>(files::BoundedCache&)> change);

    std::filesystem::path m_folder;
    Work<KeptView> m_work;
    SerialThread m_thread; ///< ends first
};

} // namespace kernelarium::ui
