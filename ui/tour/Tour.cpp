// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tour/Tour.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableModel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/tensors/StoryBar.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/tour/Keys.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <cstdio>

namespace kernelarium::ui {

namespace {

const auto rightLine = QStringLiteral("a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)");
const auto wrongLine = QStringLiteral("a.sum + b.sum");

/// Selects a text in the editor as a reader does with the mouse or Shift and the arrows.
bool select(CodeEditor& editor, const QString& text) {
    const QString all = editor.text();
    const qsizetype at = all.indexOf(text);
    if (at < 0) return false;
    int line = 0, column = 0;
    editor.lineIndexFromPosition(int(all.left(at).toUtf8().size()), &line, &column);
    int endLine = 0, endColumn = 0;
    editor.lineIndexFromPosition(int(all.left(at + text.size()).toUtf8().size()), &endLine, &endColumn);
    editor.setSelection(line, column, endLine, endColumn);
    return true;
}

} // namespace

Tour::Tour(MainWindow& window, QString folder, QObject* parent)
    : QObject(parent)
    , m_window(window)
    , m_folder(std::move(folder)) {
    if (!m_folder.isEmpty()) QDir().mkpath(m_folder);
    m_poll.setInterval(20);
    connect(&m_poll, &QTimer::timeout, this, &Tour::poll);
    addStages();
    addLessonStages();
    addDeviceStages();
    addMeasuredStages();
    leaveOutWhatCompiles();
    addToolkitStages();
    addPageStages();
}

void Tour::addStages() {
    Workspace& workspace = m_window.workspace();
    CodeEditor& editor = m_window.editorArea().editor();
    const auto compiles = [&workspace](bool well) {
        const CompileState& state = workspace.compiler().state();
        return workspace.compiler().isSettled() && state.stage == ui::Stage::finished && state.answer->ok == well;
    };
    const auto verdictIs = [&workspace](verify::VerdictKind kind) {
        const VerifyState& state = workspace.runner().verifyState();
        return !workspace.trials().isBusy() && state.stage == ui::Stage::finished &&
               state.generation == workspace.bench().generation() && state.answer->kind == kind;
    };
    const auto verify = [this] { m_window.actions().action(QStringLiteral("kernel.verify"))->trigger(); };

    m_stages.push_back(
        {QStringLiteral("start"), tr("The archive is open; nothing is on the bench yet."), [] {},
         [this] { return m_window.workspace().archive().table() && m_window.archive().model().rowCount() > 0; }});
    m_stages.push_back(
        {QStringLiteral("find"),
         tr("Typing into the search field finds the kernels whose code exchanges registers inside a warp."),
         [this] {
             m_window.archive().focusSearch();
             typeText(*m_window.archive().filters().findChild<QLineEdit*>(), QStringLiteral("__shfl_xor_sync"));
         },
         [this] {
             const int rows = m_window.archive().model().rowCount();
             return rows > 0 && rows < int(m_window.workspace().archive().table()->size());
         }});
    m_stages.push_back(
        {QStringLiteral("open"), tr("A softmax that walks over its data once is opened, and compiled at once."),
         [this] {
             auto& line = *m_window.archive().filters().findChild<QLineEdit*>();
             line.selectAll();
             typeText(line, QStringLiteral("online"));
         },
         [this, compiles] {
             Bench& bench = m_window.workspace().bench();
             // On a session file that was used before, another kernel may be there, or this one as it was left.
             const bool isThere = bench.kernel().key.startsWith(QLatin1String("archive:L1/T23/online@"));
             if (isThere && bench.isEdited()) bench.revertToOriginal();
             if (!isThere) {
                 KernelTableModel& model = m_window.archive().model();
                 for (int row = 0; row < model.rowCount(); ++row)
                     if (model.label(row).startsWith(QLatin1String("L1/T23/online@")))
                         m_window.archive().table().setCurrentIndex(model.index(row, KernelTableModel::name));
             }
             return isThere && !bench.isEdited() && (compiles(true) || lacksToolkit());
         }});
    m_stages.push_back({QStringLiteral("edit"), tr("A comment is typed into the kernel; it still compiles."),
                        [&editor] {
                            editor.setFocus();
                            editor.goToLine(3);
                            pressKey(editor, Qt::Key_Home);
                            typeText(editor, QStringLiteral("// tuned by hand\n"));
                        },
                        [compiles, &workspace] { return workspace.bench().isEdited() && compiles(true); }});
    m_stages.push_back({QStringLiteral("break"), tr("A line that is not C++: the diagnostic appears at once."),
                        [this, &editor] {
                            m_window.showDock(QStringLiteral("diagnostics"));
                            select(editor, QStringLiteral("expf("));
                            typeText(editor, QStringLiteral("exppf("));
                        },
                        [this, compiles] { return compiles(false) && m_window.diagnostics().model().errors() > 0; }});
    m_stages.push_back({QStringLiteral("fix"), tr("Undo, and it compiles again."),
                        [&editor] {
                            for (int i = 0; i < 20 && !editor.text().contains(rightLine); ++i)
                                editor.undo();
                        },
                        [compiles] { return compiles(true); }});
    m_stages.push_back({QStringLiteral("verified"), tr("Ctrl+Return: every output and every check, with the evidence."),
                        verify, [verdictIs] { return verdictIs(verify::VerdictKind::verified); }});
    m_stages.push_back({QStringLiteral("wrong"),
                        tr("A rescaling is left out: it compiles, and is wrong, and the picture shows where."),
                        [this, &editor, verify] {
                            if (select(editor, rightLine)) typeText(editor, wrongLine);
                            pressKey(editor, Qt::Key_Home);
                            pressKey(editor, Qt::Key_Home);
                            verify();
                        },
                        [verdictIs] { return verdictIs(verify::VerdictKind::wrong); }});
    m_stages.push_back({QStringLiteral("tensors"),
                        tr("Shift+F5: what its output holds, the worst elements, and which line wrote them."),
                        [this] { m_window.actions().action(QStringLiteral("kernel.tensors"))->trigger(); },
                        [panel = m_window.findChild<TensorPanel*>()] {
                            QTableView& wrong = panel->wrong();
                            if (wrong.model()->rowCount() == 0) return false;
                            panel->tabs().setCurrentIndex(2);
                            if (!wrong.currentIndex().isValid()) wrong.setCurrentIndex(wrong.model()->index(0, 0));
                            // On a GPU the emulator is offered.
                            return panel->story().line() > 0 || panel->story().emulatorButton().isVisible();
                        }});
    m_stages.push_back({QStringLiteral("difference"), tr("Ctrl+D shows what was changed since the archive."),
                        [this] { m_window.editorArea().showDiff(true); },
                        [this] { return m_window.editorArea().isShowingDiff(); }});
    m_stages.push_back({QStringLiteral("fixed"), tr("The rescaling is back, and the verdict with it."),
                        [this, &editor, verify] {
                            m_window.editorArea().showDiff(false);
                            if (select(editor, wrongLine)) typeText(editor, rightLine);
                            pressKey(editor, Qt::Key_Home);
                            pressKey(editor, Qt::Key_Home);
                            verify();
                        },
                        [verdictIs] { return verdictIs(verify::VerdictKind::verified); }});
    m_stages.push_back({QStringLiteral("time"),
                        tr("Ctrl+Shift+Return: the time at full size on the chosen device, modelled and said to be."),
                        [this] {
                            m_window.showDock(QStringLiteral("history"));
                            m_window.actions().action(QStringLiteral("kernel.time"))->trigger();
                        },
                        [this] {
                            Workspace& w = m_window.workspace();
                            return !w.trials().isBusy() && w.runner().profileState().stage == ui::Stage::finished &&
                                   w.trials().lastAttempt() > 0;
                        },
                        180000});
    m_stages.push_back({QStringLiteral("roofline"),
                        tr("The attempt under the roofs of an H200, beside the archived one."),
                        [this] { m_window.showDock(QStringLiteral("roofline")); }, [] { return true; }});
    m_stages.push_back({QStringLiteral("ptx"), tr("The PTX beside the source follows the cursor's line."),
                        [this, &editor] {
                            m_window.showDock(QStringLiteral("session"));
                            m_window.editorArea().showPtx(true);
                            select(editor, rightLine);
                            pressKey(editor, Qt::Key_Home);
                            pressKey(editor, Qt::Key_Home);
                        },
                        [this] { return m_window.editorArea().isShowingPtx(); }});
}

void Tour::start() {
    m_at = 0;
    m_whole.start();
    begin();
}

void Tour::begin() {
    while (m_at < m_stages.size() && m_stages[m_at].applies && !m_stages[m_at].applies())
        m_stages.erase(m_stages.begin() + std::ptrdiff_t(m_at));
    if (m_at == m_stages.size()) {
        m_poll.stop();
        Q_EMIT finished(true, {});
        return;
    }
    const Stage& stage = m_stages[m_at];
    m_settled = 0;
    m_clock.start();
    m_meter.start(stage.name);
    stage.act();
    m_poll.start();
}

void Tour::poll() {
    const Stage& stage = m_stages[m_at];
    if (!stage.until()) {
        m_settled = 0;
        if (m_clock.elapsed() < limitMs(stage)) return;
        if (stage.outcome) {
            m_window.workspace().trials().cancel();
            end(tr("not done within %1 s").arg(m_clock.elapsed() / 1000));
            return;
        }
        m_poll.stop();
        Q_EMIT finished(false,
                        tr("the stage \"%1\" did not finish within %2 s").arg(stage.name).arg(stage.limitMs / 1000));
        return;
    }
    // Plots and tables follow a little later.
    if (++m_settled < 15) return;
    end({});
}

/// What may fail may also not keep the whole for long: it has what is left of 80 s, and 5 s at least.
int Tour::limitMs(const Stage& stage) const {
    constexpr qint64 wholeMs = 80000, leastMs = 5000;
    if (!stage.outcome) return stage.limitMs;
    const qint64 begun = m_whole.elapsed() - m_clock.elapsed();
    return int(std::min<qint64>(stage.limitMs, std::max(leastMs, wholeMs - begun)));
}

/// `late`: that it did not finish; empty where it did.
void Tour::end(const QString& late) {
    const Stage& stage = m_stages[m_at];
    m_poll.stop();
    m_meter.pause();
    picture();
    if (stage.outcome) {
        std::printf("%-16s %s\n", "", qUtf8Printable(late.isEmpty() ? stage.outcome() : late));
        std::fflush(stdout);
    }
    if (afterStage) afterStage(stage.name);
    ++m_at;
    QTimer::singleShot(0, this, &Tour::begin);
}

void Tour::picture() {
    const Stage& stage = m_stages[m_at];
    const QString name = QStringLiteral("%1-%2").arg(m_at + 1, 2, 10, QLatin1Char('0')).arg(stage.name);
    std::printf("%-16s %s\n", qUtf8Printable(name), qUtf8Printable(stage.sentence));
    std::fflush(stdout);
    if (m_folder.isEmpty()) return;
    QWidget* shown = stage.shown ? stage.shown() : nullptr;
    if (!(shown ? shown : &m_window)->grab().save(QDir(m_folder).filePath(name + QStringLiteral(".png"))))
        std::fprintf(stderr, "error: the picture %s could not be written\n", qUtf8Printable(name));
}

} // namespace kernelarium::ui
