// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/VerdictStore.h"
#include "ui/desks/WrittenVerdict.h"
#include "ui/threads/Ask.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// Our verdicts on the open archive's kernels, from their file's own thread. Verdicts are known in memory by the
/// kernel's label; the evidence is fetched on demand.
class VerdictDesk : public QObject {
    Q_OBJECT
public:
    explicit VerdictDesk(QObject* parent = nullptr);
    ~VerdictDesk() override;

    /// The archive that is open now: its verdicts are read. The same one again reads them again.
    void follow(const QString& archive);
    [[nodiscard]] const QString& path() const { return m_path; } ///< of the file of verdicts; empty: no archive

    [[nodiscard]] const QHash<QString, audit::StoredVerdict>& verdicts() const { return m_verdicts; }
    [[nodiscard]] const QHash<QString, QString>& words() const { return m_words; }
    /// The same verdicts as rows are searched, sorted and exported by. What is handed out does not change any more.
    [[nodiscard]] archive::OwnVerdictsPointer own() const;
    /// Found by another version of the program, the card or the checks.
    [[nodiscard]] const QSet<QString>& stale() const { return m_stale; }

    /// Right at the small size, where nobody has tried the published one.
    [[nodiscard]] const QSet<QString>& smallOnly() const { return m_smallOnly; }

    /// Writes a verdict that was found at the bench.
    void keep(audit::JudgedKernel kernel);
    /// Takes over what an audit has put into the file at `path` already.
    void learn(const QString& path, const std::vector<audit::StoredVerdict>& verdicts);
    /// The whole verdict; null: none is kept. A newer call replaces an older ("cancelled").
    void fetch(const audit::VerdictKey& key, std::function<void(Result<VerdictPointer>)> done);

Q_SIGNALS:
    void changed();
    void failed(const QString& message);

private:
    struct Read {
        std::vector<audit::StoredVerdict> verdicts;
        QSet<QString> stale;
    };
    void take(const audit::StoredVerdict& verdict, bool stale);
    [[nodiscard]] archive::OwnVerdicts& ownToChange();

    QString m_path;
    quint64 m_serial = 0; ///< of the newest follow(): older answers are not heard
    QHash<QString, audit::StoredVerdict> m_verdicts;
    QHash<QString, QString> m_words;
    QSet<QString> m_stale, m_smallOnly;
    std::shared_ptr<archive::OwnVerdicts> m_own = std::make_shared<archive::OwnVerdicts>();
    mutable bool m_ownIsShared = false; ///< others may be reading it: it is copied before it changes
    audit::TodaysVersions m_today;      ///< of the GUI thread
    SerialThread m_thread;
};

} // namespace kernelarium::ui
