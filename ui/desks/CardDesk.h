// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/RowCard.h"
#include "gpu/protocol/ToolMessages.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <functional>
#include <memory>

namespace kernelarium::ui {

/// Cards of tasks that have none built in: looked up among the exported ones, and exported with the user's Python, from
/// a thread of their own.
class CardDesk : public QObject {
    Q_OBJECT
public:
    struct KeptCard {
        std::shared_ptr<const task::Card> card; ///< null: there is none
        std::string version;                    ///< audit::referenceVersion of it
    };

    using CardPointer = std::shared_ptr<const task::Card>;

    struct Exported {}; ///< what comes of it is in the folder

    /// `program`: kernelarium-cli, whose tools children run Python; `folder`: where exported cards are kept.
    CardDesk(const QString& program, QString folder, QObject* parent = nullptr);
    ~CardDesk() override;

    /// The card that is kept for a row. A newer call replaces an older ("cancelled").
    void lookUp(const audit::RowTask& row, std::function<void(Result<KeptCard>)> done);

    /// Reads and checks a card file of the user's own. A newer call replaces an older ("cancelled").
    void read(const QString& path, std::function<void(Result<CardPointer>)> done);

    /// Exports a card and keeps it. One at a time: a newer call replaces an older. Ends with exported().
    void exportCard(const audit::RowTask& row);
    void cancel();
    [[nodiscard]] bool isExporting() const { return m_export.isBusy(); }
    [[nodiscard]] const WorkState<Exported>& exporting() const { return m_export.state(); }

    /// The Python that the user chose; empty: one is looked for.
    [[nodiscard]] const QString& python() const { return m_python; }
    void setPython(const QString& path);
    /// Asks what a Python can do, the first usable one where `path` is empty. A newer call replaces an older.
    void probe(const QString& path, std::function<void(Result<protocol::Python>)> done);

Q_SIGNALS:
    void changed();  ///< exporting, step or error
    void exported(); ///< the end of exportCard()
    void pythonChanged();

private:
    QString m_folder;
    QString m_python;
    Work<Exported> m_export;
    SerialThread m_lookups;
    ChildQueue m_probes;
    ChildQueue m_exports;
};

} // namespace kernelarium::ui
