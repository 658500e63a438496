// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/Bring.h"
#include "core/toolkit/FoundToolkits.h"
#include "ui/threads/Ask.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <memory>

namespace kernelarium::ui {

/// The toolkits of this machine, and the one of the user's own.
struct ToolkitView {
    toolkit::Toolkits toolkits;
    std::optional<toolkit::BroughtToolkit> brought;
};

/// CUDA toolkits: which there are, what of them is used, and bringing one.
class ToolkitDesk : public QObject {
    Q_OBJECT
public:
    using View = std::shared_ptr<const ToolkitView>;
    using Offered = std::shared_ptr<const toolkit::Offer>;

    explicit ToolkitDesk(QObject* parent = nullptr);
    ~ToolkitDesk() override;

    void look();
    [[nodiscard]] const WorkState<View>& state() const { return m_looking.state(); }

    /// Asks a source what it has. A newer question replaces an older one.
    void askSource(const toolkit::Source& source, std::function<void(Result<Offered>)> done);
    void cancelAsking();

    /// Brings what was offered to somebody who accepts the licence; ends with ended(). Nothing while it is busy.
    void bring(const toolkit::Offer& offer);
    void remove(); ///< likewise
    void cancel();
    [[nodiscard]] bool isBusy() const { return m_busy; }
    [[nodiscard]] const QString& progressText() const { return m_text; }
    [[nodiscard]] double fraction() const { return m_fraction; } ///< under 0: not known

Q_SIGNALS:
    void changed();         ///< state()
    void progressChanged(); ///< also when it begins and ends
    void ended(const QString& summary, bool ok);
    void toolkitChanged(); ///< another one is in use, or none

private:
    void begin(const QString& text);
    void end(const QString& summary, bool ok);

    Work<View> m_looking;
    bool m_busy = false;
    QString m_text;
    double m_fraction = -1;
    SerialThread m_asking;
    SerialThread m_bringing; ///< these end first
};

} // namespace kernelarium::ui
