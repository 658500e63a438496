// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/Figures.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QTimer>

namespace kernelarium::ui {

class ArchiveDesk;
class VerdictDesk;

/// The statistics of the open archive, from a thread and an archive reader of their own, so that a kernel is opened
/// while profiles are read. What they are about is followed: another archive, other verdicts and, where asked, what the
/// Archive panel shows. Nothing is computed while nobody looks.
class StatisticsDesk : public QObject {
    Q_OBJECT
public:
    explicit StatisticsDesk(ArchiveDesk& archive, VerdictDesk& verdicts, QObject* parent = nullptr);
    ~StatisticsDesk() override;

    enum class Scope { archive, shown };
    void setScope(Scope scope);
    [[nodiscard]] Scope scope() const { return m_scope; }
    /// Whether somebody looks: what is out of date is computed then.
    void setWanted(bool wanted);
    void cancel();
    /// After a cancellation or a failure.
    void again();

    [[nodiscard]] Stage stage() const { return m_stage; }               ///< of the numbers
    [[nodiscard]] Stage profileStage() const { return m_profileStage; } ///< of what has to be read from the profiles
    [[nodiscard]] bool isBusy() const { return ui::isBusy(m_stage) || ui::isBusy(m_profileStage); }
    [[nodiscard]] const Error& error() const { return m_error; } ///< of the one that failed
    [[nodiscard]] QString progressText() const;
    [[nodiscard]] double progress() const { return m_fraction; } ///< 0 to 1; negative: not known
    /// What there is; without findings until the first are ready, and of another archive.
    [[nodiscard]] const FigureSource& source() const { return m_source; }

    /// The kernels behind a number as a table. A newer call replaces an older ("cancelled").
    void list(const DrillPointer& drill, std::function<void(Result<std::shared_ptr<FigureTable>>)> done);

Q_SIGNALS:
    void changed();         ///< stages or source
    void progressChanged(); ///< a few times a second at most

private:
    void outdate();
    void start();
    void take(quint64 generation, Result<std::shared_ptr<const statistics::Findings>> found);
    void readProfiles(quint64 generation);
    void takeProfiles(Result<std::shared_ptr<const statistics::ProfilePair>> read);

    ArchiveDesk& m_archive;
    VerdictDesk& m_verdicts;
    Scope m_scope = Scope::archive;
    bool m_wanted = false;
    bool m_outdated = true;
    quint64 m_generation = 0; ///< of what is asked for: older answers are not heard
    Stage m_stage = Stage::idle;
    Stage m_profileStage = Stage::idle;
    Error m_error;
    double m_fraction = -1;
    QString m_progressText;
    FigureSource m_source;
    QString m_sourcePath;
    std::shared_ptr<archive::Archive> m_reader; ///< of m_thread alone
    QTimer m_pause;
    SerialThread m_lists;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
