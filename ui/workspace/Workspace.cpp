// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Workspace.h"

#include "core/verify/VerdictJson.h"
#include "ui/workspace/RunWords.h"
#include "ui/workspace/SourceFiles.h"
#include "ui/workspace/TargetText.h"

#include <QFileInfo>

namespace kernelarium::ui {

namespace {

/// Typed text is on its way to the disk after this long: kill -9 costs no character older than two seconds.
constexpr int draftPauseMs = 600;
const auto targetKey = QStringLiteral("target");
const auto pythonKey = QStringLiteral("python");
const auto tidyKey = QStringLiteral("archived_tidy");
const auto liveTidyKey = QStringLiteral("live_tidy");
const auto hostsKey = QStringLiteral("hosts"); ///< a line for each

std::vector<std::string> workerCommand(const WorkspacePaths& paths, const char* kind) {
    return {paths.program.toStdString(), "worker", kind};
}

} // namespace

Workspace::Workspace(WorkspacePaths paths, QObject* parent)
    : QObject(parent)
    , m_paths(std::move(paths))
    , m_ncu(m_paths.program)
    , m_cards(m_paths.dataFolder + QStringLiteral("/tasks"))
    , m_compiler(workerCommand(m_paths, "compile"))
    , m_runner(workerCommand(m_paths, "run"))
    , m_stepper(m_runner.child())
    , m_timer(m_runner.child())
    , m_devices(m_paths.program, m_runner.child()) {
    m_draftPause.setSingleShot(true);
    m_draftPause.setInterval(draftPauseMs);
    connect(&m_draftPause, &QTimer::timeout, this, [this] {
        if (isEdited())
            m_session.saveDraft(m_kernel.key, m_source, m_cursorLine);
        else
            m_session.removeDraft(m_kernel.key);
    });
    connect(&m_compiler, &CompileDesk::changed, this, &Workspace::continueWanted);
    connect(&m_compiler, &CompileDesk::changed, this, &Workspace::busyChanged);
    connect(&m_compiler, &CompileDesk::disassemblingChanged, this, &Workspace::busyChanged);
    connect(&m_ncu, &NcuDesk::changed, this, &Workspace::busyChanged);
    connect(&m_runner, &RunDesk::verifyChanged, this, &Workspace::busyChanged);
    connect(&m_runner, &RunDesk::runChanged, this, &Workspace::busyChanged);
    connect(&m_stepper, &StepDesk::changed, this, &Workspace::busyChanged);
    connect(&m_runner, &RunDesk::verdictReady, this, &Workspace::keepVerdict);
    connect(&m_runner, &RunDesk::profileChanged, this, &Workspace::busyChanged);
    connect(&m_runner, &RunDesk::profileReady, this, &Workspace::keepProfile);
    connect(&m_runner, &RunDesk::verifyChanged, this, [this] {
        tellEnd(m_runner.verifyState().stage, m_runner.verifyState().error, tr("The verification was cancelled."));
    });
    connect(&m_runner, &RunDesk::profileChanged, this, [this] {
        tellEnd(m_runner.profileState().stage, m_runner.profileState().error, tr("The timing was cancelled."));
    });
    connect(&m_runner, &RunDesk::runChanged, this, [this] {
        const RunState& state = m_runner.runState();
        tellEnd(state.stage, state.error, tr("The run was cancelled."));
        if (state.stage == Stage::finished && isProblem(*state.summary))
            post(runSentence(*state.summary), true); // else Output says it
    });
    connect(&m_cards, &CardDesk::changed, this, &Workspace::busyChanged);
    connect(&m_cards, &CardDesk::exported, this, &Workspace::cardExported);
    connect(&m_cards, &CardDesk::pythonChanged, this, [this] {
        m_session.setValue(pythonKey, m_cards.python().toUtf8());
        m_timer.setPython(m_cards.python());
    });
    connect(&m_session, &SessionDesk::ready, this, &Workspace::restoreRemembered);
    connect(&m_session, &SessionDesk::writeFailed, this, &Workspace::postLasting);
    connect(&m_archive, &ArchiveDesk::changed, this, [this] {
        if (m_archive.stage() == Stage::failed) postLasting(QString::fromStdString(m_archive.error().text()));
        if (m_archive.stage() == Stage::finished) m_verdicts.follow(m_archive.path());
    });
    connectDevices();
    connect(&m_verdicts, &VerdictDesk::changed, this, &Workspace::archivedVerdictsChanged);
    connect(&m_verdicts, &VerdictDesk::changed, this,
            [this] { // they are read after the archive, and come one by one in an audit
                if (m_kernel.row && !m_earlier &&
                    m_verdicts.words().contains(QString::fromStdString(m_kernel.row->label())))
                    lookForEarlier();
            });
    connect(&m_verdicts, &VerdictDesk::failed, this, &Workspace::postLasting);
}

Workspace::~Workspace() {
    if (m_draftPause.isActive() && isEdited()) m_session.saveDraft(m_kernel.key, m_source, m_cursorLine);
}

QStringList Workspace::rememberedKeys() {
    return {targetKey, pythonKey, tidyKey, liveTidyKey, hostsKey};
}

void Workspace::restoreRemembered() {
    m_devices.setHosts(QString::fromUtf8(m_session.value(hostsKey)).split(QLatin1Char('\n'), Qt::SkipEmptyParts));
    connect(&m_devices, &DeviceDesk::hostsChanged, this,
            [this] { m_session.setValue(hostsKey, m_devices.hosts().join(QLatin1Char('\n')).toUtf8()); });
    if (const QByteArray saved = m_session.value(targetKey); !saved.isEmpty()) {
        m_target = targetFromJson(saved);
        if (!m_target.host.isEmpty() && !m_devices.hosts().contains(m_target.host)) choosePlace({}, nullptr, 0);
        useTarget();
        Q_EMIT targetChanged();
    }
    m_cards.setPython(QString::fromUtf8(m_session.value(pythonKey)));
    if (m_session.value(tidyKey) == "off") setShowsArchivedTidy(false);
    m_tidy.setEnabled(m_session.value(liveTidyKey) != "off");
    m_devices.readKept();
    m_devices.look({});
    if (!m_target.host.isEmpty()) m_devices.look(m_target.host);
    if (!m_session.problem().code.empty()) postLasting(QString::fromStdString(m_session.problem().text()));
}

void Workspace::setShowsArchivedTidy(bool shown) {
    if (shown == m_showsArchivedTidy) return;
    m_showsArchivedTidy = shown;
    m_session.setValue(tidyKey, shown ? "on" : "off");
    Q_EMIT archivedTidyChanged();
}

void Workspace::setLiveTidy(bool on) {
    m_tidy.setEnabled(on);
    m_session.setValue(liveTidyKey, on ? "on" : "off");
}

void Workspace::setTarget(const Target& target) {
    if (target == m_target) return;
    const bool elsewhere = !target.isSamePlace(m_target);
    const bool recompile =
        target.arch != m_target.arch || target.fastMath != m_target.fastMath || target.onGpu() != m_target.onGpu();
    m_target = target;
    if (elsewhere) useTarget();
    if (recompile) m_reference.reset();
    m_session.setValue(targetKey, toJson(target));
    Q_EMIT targetChanged();
    if (recompile && !m_kernel.isEmpty()) m_compiler.setSource(m_source, m_generation, m_target);
}

// --- what is on the bench

void Workspace::openJudged(qint64 id) {
    openArchived(id);
    m_judgedToShow = id;
}

void Workspace::openArchived(qint64 id, int line) {
    const quint64 opening = ++m_opening;
    m_judgedToShow = -1;
    m_archive.fetch(id, [this, opening, line](Result<ArchiveDesk::Fetched> fetched) {
        if (opening != m_opening) return;
        if (!fetched) {
            if (fetched.error().code != "cancelled") post(QString::fromStdString(fetched.error().text()), true);
            return;
        }
        Kernel kernel;
        kernel.origin = Kernel::Origin::archived;
        kernel.key = QStringLiteral("archive:") + QString::fromStdString(fetched->row.label());
        kernel.title = QString::fromStdString(fetched->row.name);
        kernel.original = fetched->code;
        kernel.task = task::TaskKey{int(fetched->row.level), int(fetched->row.task)};
        kernel.row = fetched->row;
        kernel.texts = fetched->texts;
        put(std::move(kernel), line);
    });
}

void Workspace::openFile(const QString& path) {
    const quint64 opening = ++m_opening;
    readSource(path, this, [this, opening, path](Result<QString> text) {
        if (opening != m_opening) return;
        if (!text) {
            post(QString::fromStdString(text.error().text()), true);
            return;
        }
        Kernel kernel;
        kernel.origin = Kernel::Origin::file;
        kernel.path = QFileInfo(path).absoluteFilePath();
        kernel.key = QStringLiteral("file:") + kernel.path;
        kernel.title = QFileInfo(path).fileName();
        kernel.original = *text;
        kernel.task = taskNamedIn(*text);
        if (const auto known = m_known.constFind(kernel.key); known != m_known.constEnd()) {
            kernel.task = known->task;
            kernel.referenceText = known->referenceText;
            kernel.referenceName = known->referenceName;
            kernel.arguments = known->arguments;
        }
        put(std::move(kernel), 0);
    });
}

void Workspace::openText(const Kernel& kernel, int line) {
    ++m_opening;
    put(kernel, line);
}

void Workspace::openKey(const QString& key) {
    if (key == m_kernel.key || key.isEmpty()) return;
    if (key.startsWith(QLatin1String("archive:"))) {
        const qint64 row = m_archive.rowOfLabel(key.mid(8));
        if (row < 0)
            post(tr("%1 is not in the open archive.").arg(key.mid(8)), true);
        else
            openArchived(m_archive.table()->id[std::size_t(row)]);
    } else if (key.startsWith(QLatin1String("file:"))) {
        openFile(key.mid(5));
    } else if (const auto known = m_known.constFind(key); known != m_known.constEnd()) {
        openText(*known);
    } else if (const auto* draft = m_session.draft(key)) {
        Kernel kernel; // typed in an earlier run of the program
        kernel.origin = Kernel::Origin::fresh;
        kernel.key = key;
        kernel.title = tr("untitled.cu");
        kernel.task = taskNamedIn(QString::fromStdString(draft->text));
        openText(kernel);
    }
}

void Workspace::goBack() {
    openKey(m_history.back());
}

void Workspace::goForward() {
    openKey(m_history.forward());
}

void Workspace::put(Kernel kernel, int line) {
    if (m_draftPause.isActive()) {
        m_draftPause.stop();
        if (isEdited()) m_session.saveDraft(m_kernel.key, m_source, m_cursorLine);
    }
    m_wanted = Wanted::nothing;
    m_kernel = std::move(kernel);
    m_known.insert(m_kernel.key, m_kernel);
    m_history.visit(m_kernel.key);
    m_lastAttempt = 0;
    const session::Draft* draft = m_session.draft(m_kernel.key);
    m_cursorLine = draft ? draft->cursorLine : 0;
    ++m_generation;
    m_source = draft ? QString::fromStdString(draft->text) : m_kernel.original;
    forgetTime();
    m_runner.clear();
    m_stepper.clear();
    m_ncu.clear();
    m_timer.clear();
    setStepLine(0);
    setHeatOf(nullptr);
    m_profiles.read(m_kernel);
    loadCard();
    lookForEarlier();
    Q_EMIT kernelChanged();
    Q_EMIT taskChanged();
    m_compiler.setSource(m_source, m_generation, m_target);
    m_compiler.compileNow();
    m_tidy.setSource(m_source, m_generation);
    if (line > 0)
        Q_EMIT lineRequested(line, 0);
    else if (m_cursorLine > 0)
        Q_EMIT lineRequested(m_cursorLine + 1, 0);
    if (m_attemptToShow > 0) showAttempt(std::exchange(m_attemptToShow, 0));
    if (const qint64 judged = std::exchange(m_judgedToShow, -1); m_kernel.row && m_kernel.row->id == judged)
        showJudged();
    if (draft && isEdited()) post(tr("Your unsaved edit of %1 is back.").arg(m_kernel.title));
}

void Workspace::sourceIsNow(const QString& text) {
    m_source = text;
    ++m_generation;
    m_wanted = Wanted::nothing;
    if (m_timeAfterVerdict) post(tr("The text was changed while it was being verified: it is not timed."));
    forgetTime();
    setHeatOf(nullptr);
    // Counted from the first change that is not on its way to the disk: steady typing is kept, too.
    if (!m_draftPause.isActive()) m_draftPause.start();
    m_compiler.setSource(m_source, m_generation, m_target);
    m_tidy.setSource(m_source, m_generation);
    Q_EMIT sourceChanged();
}

void Workspace::setSource(const QString& text, int cursorLine) {
    m_cursorLine = cursorLine;
    if (m_kernel.isEmpty() || text == m_source) return;
    sourceIsNow(text);
}

void Workspace::replaceSource(const QString& text) {
    if (m_kernel.isEmpty() || text == m_source) return;
    Q_EMIT sourceReplaced(text);
    if (m_source != text) sourceIsNow(text); // no editor took it over
}

void Workspace::saveToFile(const QString& path) {
    writeSource(path, m_source, this, [this, path, text = m_source](Result<void> saved) {
        if (!saved) {
            post(QString::fromStdString(saved.error().text()), true);
            return;
        }
        post(tr("Saved %1.").arg(path));
        Kernel kernel = m_kernel;
        m_session.removeDraft(m_kernel.key);
        const bool unchanged = m_source == text;
        kernel.origin = Kernel::Origin::file;
        kernel.path = QFileInfo(path).absoluteFilePath();
        kernel.key = QStringLiteral("file:") + kernel.path;
        kernel.title = QFileInfo(path).fileName();
        kernel.original = text;
        kernel.row.reset();
        if (unchanged && kernel.key != m_kernel.key) {
            put(std::move(kernel), m_cursorLine + 1);
        } else if (kernel.key == m_kernel.key) {
            m_kernel.original = text;
            m_known.insert(m_kernel.key, m_kernel);
            Q_EMIT sourceChanged();
        }
    });
}

} // namespace kernelarium::ui
