// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/HeatMargin.h"
#include "ui/workspace/ArchiveDesk.h"
#include "ui/workspace/CardDesk.h"
#include "ui/workspace/CompileDesk.h"
#include "ui/workspace/DeviceDesk.h"
#include "ui/workspace/ExportDesk.h"
#include "ui/workspace/Kernel.h"
#include "ui/workspace/NcuDesk.h"
#include "ui/workspace/ProfileDesk.h"
#include "ui/workspace/ProfileFacts.h"
#include "ui/workspace/RunDesk.h"
#include "ui/workspace/SelectionHistory.h"
#include "ui/workspace/SessionDesk.h"
#include "ui/workspace/StepDesk.h"
#include "ui/workspace/TidyDesk.h"
#include "ui/workspace/TimeDesk.h"
#include "ui/workspace/VerdictDesk.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace kernelarium::ui {

/// Where things are.
struct WorkspacePaths {
    QString program; ///< kernelarium-cli, whose workers compile and run
    QString starterArchive;
    QString sessionFile;
    QString dataFolder; ///< for archives of the user's
};

/// What was found of a text before the program was started, or before another kernel was on the bench.
struct EarlierVerdict {
    QString kind; ///< verify::name(VerdictKind)
    qint64 timeMs = 0;
    bool stale = false; ///< by another version of the program, the card or the checks
    qint64 attempt = 0; ///< of the session; 0: the archive's verdicts have it
    QString source;     ///< the text
};

/// The bench: one kernel, its text as it stands, its task, the target, and the session. Panels observe this and never
/// each other. Everything here returns at once; results arrive as signals.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(WorkspacePaths paths, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] ArchiveDesk& archive() { return m_archive; }
    [[nodiscard]] ExportDesk& exporter() { return m_exporter; }
    [[nodiscard]] CompileDesk& compiler() { return m_compiler; }
    [[nodiscard]] RunDesk& runner() { return m_runner; }
    [[nodiscard]] StepDesk& stepper() { return m_stepper; }
    [[nodiscard]] TimeDesk& timer() { return m_timer; }
    [[nodiscard]] DeviceDesk& devices() { return m_devices; }
    [[nodiscard]] SessionDesk& session() { return m_session; }
    [[nodiscard]] CardDesk& cards() { return m_cards; }
    [[nodiscard]] VerdictDesk& verdicts() { return m_verdicts; }
    [[nodiscard]] ProfileDesk& profiles() { return m_profiles; }
    [[nodiscard]] TidyDesk& tidy() { return m_tidy; }
    [[nodiscard]] NcuDesk& ncu() { return m_ncu; }
    /// Remembered from one start to the next.
    void setLiveTidy(bool on);
    [[nodiscard]] const WorkspacePaths& paths() const { return m_paths; }

    [[nodiscard]] const Kernel& kernel() const { return m_kernel; }
    [[nodiscard]] const QString& source() const { return m_source; }
    [[nodiscard]] quint64 generation() const { return m_generation; } ///< grows with every change of the text
    [[nodiscard]] bool isEdited() const { return !m_kernel.isEmpty() && m_source != m_kernel.original; }
    /// The card of the kernel's task; null where it has none.
    [[nodiscard]] const std::shared_ptr<const task::Card>& card() const { return m_card; }
    [[nodiscard]] const Target& target() const { return m_target; }
    void setTarget(const Target& target);
    /// Where kernels run: a GPU of a machine (null: its emulator), what they are compiled for and whose roofs are
    /// shown.
    void choosePlace(const QString& host, const protocol::DeviceSummary* gpu, int ordinal);
    /// Why kernels cannot run on the target, as far as its machine was asked; empty: they can, or nobody knows.
    [[nodiscard]] QString targetObstacle() const;

    // What is on the bench. `line` (from 1) is shown; 0: where the reader was.
    void openArchived(qint64 id, int line = 0);
    void openJudged(qint64 id); ///< with the verdict that is kept of it
    void openFile(const QString& path);
    void openText(const Kernel& kernel, int line = 0); ///< a lesson's or a new one; `original` is its text
    void openKey(const QString& key);                  ///< one that was on the bench before
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }
    void goBack();
    void goForward();

    /// The editor's text changed under the user's fingers.
    void setSource(const QString& text, int cursorLine);
    /// Another text from elsewhere: an attempt, the original, a reverted change. The editor takes it over, undoable.
    void replaceSource(const QString& text);
    void revertToOriginal() { replaceSource(m_kernel.original); }
    void saveToFile(const QString& path);

    // What it is held against.
    void setTask(std::optional<task::TaskKey> task);
    void setReference(const QString& path);          ///< a .cu file; empty: the task's card
    void setReferenceKernel(const QString& label);   ///< another kernel of the open archive
    void setArguments(const QStringList& arguments); ///< of forward, where there is no task

    /// Whether the kernel is an archive's and its task has no built-in card: one may be exported.
    [[nodiscard]] bool isUnknownTask() const;
    [[nodiscard]] QString exportObstacle() const; ///< why no card can be exported now; empty when one can
    void exportCard();                            ///< from the row's PyTorch code; what comes out is posted

    // Work. A text that is still being compiled is waited for.
    void verify();
    void run();
    void time();  ///< on a GPU, after a verdict; on the emulator as model()
    void model(); ///< counts at full size and models the time on the target's device
    /// Times the text in pairs with an attempt's: which of them is faster?
    void race(qint64 attempt);
    /// Records a block to walk through: a fault's, or the first that may come to a line.
    void stepThrough(const StepTarget& target);
    /// The line that stepping stands at; 0: none.
    void setStepLine(int line);
    [[nodiscard]] int stepLine() const { return m_stepLine; }
    void measure(); ///< runs the kernel at full size under Nsight Compute, on this machine's GPU
    void cancel();
    [[nodiscard]] bool isBusy() const;
    /// Why the kernel cannot be held against anything; empty when it can.
    [[nodiscard]] QString verifyObstacle() const;
    /// Grows with every request to put a kernel on the bench.
    [[nodiscard]] quint64 openings() const { return m_opening; }

    // Attempts.
    void restoreAttempt(qint64 id); ///< its text into the editor
    /// Its verdict, and its text to be compared with; the kernel that it belongs to comes on the bench first.
    void showAttempt(qint64 id);
    /// Attempts at the kernel's task, of all sessions; where it has none, at the kernel. A newer call of the tag
    /// replaces an older; a failure is posted.
    void listAttempts(const std::string& tag, std::function<void(const std::vector<session::AttemptSummary>&)> done);
    [[nodiscard]] qint64 lastAttempt() const { return m_lastAttempt; } ///< of this kernel; 0: none

    void goTo(int line, int column = 0) { Q_EMIT lineRequested(line, column); }
    void post(const QString& text, bool isProblem = false) { Q_EMIT noticePosted(text, isProblem, false); }
    /// A problem that is not over when something else is done.
    void postLasting(const QString& text) { Q_EMIT noticePosted(text, true, true); }

    /// The chosen counter of the last profile of this very text, by source line.
    [[nodiscard]] const std::vector<LineHeat>& heat() const { return m_heat; }
    [[nodiscard]] HeatCounter heatCounter() const { return m_heatCounter; }
    void setHeatCounter(HeatCounter counter);

    /// Whether the archive's clang-tidy findings stand in the editor's margin.
    [[nodiscard]] bool showsArchivedTidy() const { return m_showsArchivedTidy; }
    void setShowsArchivedTidy(bool shown);

    /// Our verdicts on archived texts, by label.
    [[nodiscard]] const QHash<QString, QString>& archivedVerdicts() const { return m_verdicts.words(); }

    /// Of the text as it stands; null where nothing is known of it.
    [[nodiscard]] const EarlierVerdict* earlierVerdict() const;
    void showEarlier(); ///< its evidence

    static QStringList rememberedKeys(); ///< values of the session file that this class reads and writes

Q_SIGNALS:
    void kernelChanged();                     ///< another kernel is on the bench: source() is its text
    void sourceChanged();                     ///< generation() grew
    void sourceReplaced(const QString& text); ///< by replaceSource()
    void taskChanged();                       ///< task, reference or arguments
    void targetChanged();
    void busyChanged();
    void lineRequested(int line, int column);
    void noticePosted(const QString& text, bool isProblem, bool lasts);
    void archivedVerdictsChanged();
    void earlierVerdictChanged();
    void heatChanged();
    void archivedTidyChanged();
    void stepLineChanged(int line);
    void attemptAdded(qint64 id);
    void timeKept(qint64 attempt, bool inPairs); ///< a measured time
    void attemptShown(qint64 id);                ///< the end of showAttempt()
    void judgedShown();                          ///< the end of openJudged(), where there is a verdict

private:
    enum class Wanted { nothing, verify, run, time, model, step };

    void put(Kernel kernel, int line);
    void sourceIsNow(const QString& text);
    void loadCard();
    [[nodiscard]] audit::RowTask rowTask() const;
    void cardExported(bool ok);
    void takeReference(const QString& key, const QString& text, const QString& name);
    void want(Wanted wanted);
    void continueWanted();
    void startModel(RunJob job);
    void startTime(RunJob job);
    void continueTime(); ///< with the verdict that it waited for
    void forgetTime();
    [[nodiscard]] bool needsReference() const;
    [[nodiscard]] bool hasVerdict() const; ///< on the text as it stands
    void keepTime(const TimedAttempt& timed, quint64 generation);
    void startRace(const session::Attempt& attempt);
    void useTarget();
    void hearDevices(const QString& host);
    void connectDevices();
    void keep(session::Attempt attempt);
    void tellEnd(Stage stage, const Error& error, const QString& cancelled);
    void startWanted(const compile::CompiledUnit& unit);
    [[nodiscard]] RunJob jobFor(std::shared_ptr<const compile::CompiledUnit> unit) const;
    void keepVerdict(const std::shared_ptr<const verify::Verdict>& verdict, quint64 generation);
    void keepProfile(const std::shared_ptr<const protocol::ProfileSummary>& profile, quint64 generation);
    /// Of a profile of the text as it is; null: there is none any more.
    void setHeatOf(std::shared_ptr<const protocol::ProfileSummary> profile);
    void showVerdictOf(const session::Attempt& attempt);
    void showJudged();
    void lookForEarlier();
    void takeEarlier(const QString& key, const session::AttemptSummary& attempt);
    [[nodiscard]] audit::Versions versionsNow() const;
    void restoreRemembered();
    [[nodiscard]] session::Attempt attemptNow() const;

    WorkspacePaths m_paths;
    Kernel m_kernel;
    QString m_source;
    quint64 m_generation = 0;
    int m_cursorLine = 0;
    std::shared_ptr<const task::Card> m_card;
    Target m_target;
    SelectionHistory m_history;
    QHash<QString, Kernel> m_known; ///< by key: those without a place to be read from again
    Wanted m_wanted = Wanted::nothing;
    StepTarget m_stepTarget;        ///< of Wanted::step
    quint64 m_timeAfterVerdict = 0; ///< generation of the text that is timed once it is verified; 0: none
    Rival m_rival;                  ///< of Wanted::time
    qint64 m_raced = 0;             ///< attempt whose text is on its way to the race
    bool m_toldVanished = false;
    int m_stepLine = 0;
    session::Attempt m_tried; ///< of the work that was started last: kept when it ends, edited meanwhile or not
    quint64 m_triedGeneration = 0;
    std::optional<audit::VerdictKey> m_triedArchived; ///< where the work is on a kernel as it was archived
    audit::Versions m_triedVersions;
    std::vector<LineHeat> m_heat;
    HeatCounter m_heatCounter = HeatCounter::instructions;
    std::shared_ptr<const protocol::ProfileSummary> m_heatOf;
    qint64 m_lastAttempt = 0;
    qint64 m_attemptToShow = 0; ///< once its kernel is on the bench
    qint64 m_judgedToShow = -1; ///< likewise, by the kernel's number
    quint64 m_opening = 0;      ///< counts requests to open: only the newest is heard
    std::shared_ptr<const compile::CompiledUnit> m_reference;
    QString m_referenceOf; ///< the text that m_reference was compiled from
    std::optional<EarlierVerdict> m_earlier;
    QTimer m_draftPause;
    bool m_showsArchivedTidy = true;

    SessionDesk m_session;
    VerdictDesk m_verdicts;
    ProfileDesk m_profiles;
    TidyDesk m_tidy;
    NcuDesk m_ncu;
    CardDesk m_cards;
    ArchiveDesk m_archive;
    ExportDesk m_exporter;
    CompileDesk m_compiler;
    RunDesk m_runner;
    StepDesk m_stepper; ///< uses the runner's child, as those below
    TimeDesk m_timer;
    DeviceDesk m_devices;
};

} // namespace kernelarium::ui
