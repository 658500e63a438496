// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/TrialPlan.h"
#include "ui/workspace/Trials.h"

#include <QObject>

namespace kernelarium::ui {

/// All that a window works with, and who hears of whom: the kernel on the bench, what it is held against, where it
/// runs, what is tried with it, and the desks that do the work. Panels observe these and never each other. Everything
/// in here returns at once; results arrive as signals.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(WorkspacePaths paths, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] const WorkspacePaths& paths() const { return m_paths; }
    [[nodiscard]] Notices& notices() { return m_notices; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] Bench& bench() { return m_bench; }
    [[nodiscard]] Assignment& assignment() { return m_assignment; }
    [[nodiscard]] Place& place() { return m_place; }
    [[nodiscard]] Heat& heat() { return m_heat; }
    [[nodiscard]] Trials& trials() { return m_trials; }
    [[nodiscard]] PastTrials& past() { return m_past; }

    [[nodiscard]] ArchiveDesk& archive() { return m_desks.archive; }
    [[nodiscard]] ExportDesk& exporter() { return m_desks.exporter; }
    [[nodiscard]] CompileDesk& compiler() { return m_desks.compiler; }
    [[nodiscard]] RunDesk& runner() { return m_desks.runner; }
    [[nodiscard]] StepDesk& stepper() { return m_desks.stepper; }
    [[nodiscard]] TimeDesk& timer() { return m_desks.timer; }
    [[nodiscard]] DeviceDesk& devices() { return m_desks.devices; }
    [[nodiscard]] SessionDesk& session() { return m_desks.session; }
    [[nodiscard]] CardDesk& cards() { return m_desks.cards; }
    [[nodiscard]] VerdictDesk& verdicts() { return m_desks.verdicts; }
    [[nodiscard]] ProfileDesk& profiles() { return m_desks.profiles; }
    [[nodiscard]] TidyDesk& tidy() { return m_desks.tidy; }
    [[nodiscard]] NcuDesk& ncu() { return m_desks.ncu; }

    // What the window still asks here.
    [[nodiscard]] const Kernel& kernel() const { return m_bench.kernel(); }
    [[nodiscard]] const QString& source() const { return m_bench.source(); }
    [[nodiscard]] quint64 generation() const { return m_bench.generation(); }
    [[nodiscard]] bool isEdited() const { return m_bench.isEdited(); }
    [[nodiscard]] quint64 openings() const { return m_bench.openings(); }
    [[nodiscard]] bool canGoBack() const { return m_bench.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_bench.canGoForward(); }
    void goBack() { m_bench.goBack(); }
    void goForward() { m_bench.goForward(); }
    void openArchived(qint64 id, int line = 0) { m_bench.openArchived(id, line); }
    void openFile(const QString& path) { m_bench.openFile(path); }
    void openKey(const QString& key) { m_bench.openKey(key); }
    void openText(const Kernel& kernel, int line = 0) { m_bench.openText(kernel, line); }
    void setSource(const QString& text, int cursorLine) { m_bench.setSource(text, cursorLine); }
    void replaceSource(const QString& text) { m_bench.replaceSource(text); }
    void revertToOriginal() { m_bench.revertToOriginal(); }
    void saveToFile(const QString& path) { m_bench.saveToFile(path); }
    [[nodiscard]] const std::shared_ptr<const task::Card>& card() const { return m_assignment.card(); }
    void setTask(std::optional<task::TaskKey> task) { m_assignment.setTask(task); }
    void setReference(const QString& path) { m_assignment.setReference(path); }
    void setReferenceKernel(const QString& label) { m_assignment.setReferenceKernel(label); }
    void setArguments(const QStringList& arguments) { m_assignment.setArguments(arguments); }
    [[nodiscard]] QString exportObstacle() const { return m_assignment.exportObstacle(); }
    [[nodiscard]] QString verifyObstacle() const { return m_assignment.verifyObstacle(); }
    void exportCard() { m_assignment.exportCard(); }
    [[nodiscard]] const Target& target() const { return m_place.target(); }
    void setTarget(const Target& target) { m_place.setTarget(target); }
    void choosePlace(const QString& host, const protocol::DeviceSummary* gpu, int ordinal) {
        m_place.choose(host, gpu, ordinal);
    }
    [[nodiscard]] QString targetObstacle() const { return m_place.obstacle(); }
    void verify() { m_trials.verify(); }
    void run() { m_trials.run(); }
    void time() { m_trials.time(); }
    void model() { m_trials.model(); }
    void race(qint64 attempt) { m_trials.race(attempt); }
    void measure() { m_trials.measure(); }
    void stepThrough(const StepTarget& target) { m_trials.stepThrough(target); }
    void cancel() { m_trials.cancel(); }
    [[nodiscard]] bool isBusy() const { return m_trials.isBusy(); }
    void showEarlier() { m_past.showEarlier(); }
    void post(const QString& text, bool isProblem = false) { m_notices.post(text, isProblem); }
    void postLasting(const QString& text) { m_notices.postLasting(text); }
    void setLiveTidy(bool on) { m_settings.set(setting::liveTidy, on); }
    [[nodiscard]] bool showsArchivedTidy() const { return m_settings.get(setting::archivedTidy); }
    static QStringList rememberedKeys() { return Settings::keys(); }

Q_SIGNALS:
    void kernelChanged();
    void sourceChanged();
    void sourceReplaced(const QString& text);
    void lineRequested(int line, int column);
    void stepLineChanged(int line);
    void taskChanged();
    void targetChanged();
    void busyChanged();
    void timeKept(qint64 attempt, bool inPairs);
    void attemptShown(qint64 id);
    void judgedShown();
    void heatChanged();
    void archivedTidyChanged();
    void noticePosted(const QString& text, bool isProblem, bool lasts);

private:
    void forward();
    void restore();
    void connectBench();
    void connectDesks();

    WorkspacePaths m_paths;
    Notices m_notices;
    TrialPlan m_plan;
    Desks m_desks;
    Settings m_settings;
    Bench m_bench; ///< ends before the session: it keeps the draft
    Assignment m_assignment;
    Place m_place;
    Heat m_heat;
    Trials m_trials;
    PastTrials m_past;
};

} // namespace kernelarium::ui
