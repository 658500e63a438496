// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QStringList>
#include <chrono>
#include <memory>

namespace kernelarium::ui {

/// A table and what it says of each of its baselines.
struct HgemmResult {
    hgemm::HgemmTable table;
    std::vector<hgemm::HgemmSummary> summaries; ///< by baseline
};

/// The imported tables of HGEMM results, from their file's own thread.
class HgemmDesk : public QObject {
    Q_OBJECT
public:
    /// `store`: the file of imported tables; made with the first import.
    explicit HgemmDesk(QString store, QObject* parent = nullptr);
    ~HgemmDesk() override;

    using Results = std::vector<HgemmResult>;

    void load(); ///< what was imported before; does nothing once it was begun
    /// Adds tables, all or none; one of the same device, precision and mode takes the other's place.
    void import(const QStringList& files);
    void cancel(); ///< what waits and what is read; the tables stay as they were

    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] const Error& error() const { return m_error; } ///< of failed
    [[nodiscard]] const Results& results() const { return *m_results; }

Q_SIGNALS:
    void changed();                                        ///< stage, results
    void progressed(const QString& what, double fraction); ///< of an import, from 0 to 1
    void imported(const QString& summary);                 ///< the end of import(), where it went well

private:
    struct Answer;
    void ask_(const QStringList& files);
    void tell(const QString& what, qsizetype done, qsizetype all);
    void take(Result<std::shared_ptr<const Answer>> answer);

    QString m_store;
    bool m_loaded = false;
    int m_pending = 0;
    Stage m_stage = Stage::idle;
    Error m_error;
    std::shared_ptr<const Results> m_results = std::make_shared<const Results>();
    std::chrono::steady_clock::time_point m_told; ///< used on m_thread
    SerialThread m_thread;
};

} // namespace kernelarium::ui
