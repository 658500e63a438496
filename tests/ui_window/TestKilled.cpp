// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestKilled.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"

#include <QTest>
#include <sys/wait.h>

namespace kernelarium::ui {

namespace {

bool isAlive(qint64 pid) {
    siginfo_t end{};
    return pid > 0 && ::waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != pid;
}

void trigger(Room& room, const char* action) {
    room.window->actions().action(QLatin1String(action))->trigger();
}

bool compiles(Room& room) {
    const CompileState& state = room.workspace->compiler().state();
    return state.stage == Stage::finished && state.answer->ok;
}

} // namespace

void TestKilled::expect(bool holds, const QString& what) {
    if (!holds) m_problems << m_stage + QStringLiteral(": ") + what;
}

/// What a stage has asked of the children for itself, a lesson's starter to count say, comes before a later request,
/// and would be what dies.
void TestKilled::settle(Room& room) {
    for (ChildQueue* child : {&room.workspace->compiler().child(), &room.workspace->runner().child()}) {
        bool isDone = false;
        child->submit(ChildQueue::Call<bool>{"settle",
                                             [](const auto&, const auto&) { return Result<bool>(true); },
                                             {},
                                             [&isDone](const Result<bool>&) { isDone = true; }});
        expect(QTest::qWaitFor([&] { return isDone; }, longWait), QStringLiteral("a child's work does not end"));
    }
}

void TestKilled::killAtRest(Room& room) {
    for (ChildQueue* child : {&room.workspace->compiler().child(), &room.workspace->runner().child()}) {
        const qint64 pid = child->childPid();
        const Frozen frozen(pid);
        frozen.kill();
        // Else the next request may reach a child that is still dying, and be lost with it.
        expect(QTest::qWaitFor([&] { return !isAlive(pid); }, longWait), QStringLiteral("a killed child lives on"));
    }
    QTest::qWait(50);
    expect(room.window->isVisible() && !room.workspace->trials().isBusy(), QStringLiteral("the window is not at rest"));
}

void TestKilled::killCompilerAtWork(Room& room) {
    CodeEditor& editor = room.window->editorArea().editor();
    CompileDesk& compiler = room.workspace->compiler();
    const QString before = editor.text();
    if (!isAlive(compiler.child().childPid())) { // killed at rest, and nothing compiled since
        room.window->actions().action(QStringLiteral("kernel.fastMath"))->trigger();
        expect(room.waitUntilCompiled() && compiler.state().stage == Stage::finished,
               QStringLiteral("the first compilation after a death at rest fails"));
    }
    const qint64 pid = compiler.child().childPid();
    expect(isAlive(pid), QStringLiteral("there is no compile child"));
    {
        const Frozen frozen(pid);
        editor.setCursorPosition(0, 0);
        typeText(editor, QStringLiteral(" "));
        expect(QTest::qWaitFor([&] { return compiler.state().stage == Stage::running; }, longWait),
               QStringLiteral("does not compile"));
        QTest::qWait(50);
        frozen.kill();
        expect(room.waitUntilCompiled(), QStringLiteral("the dead compiler is waited for"));
    }
    expect(compiler.state().stage == Stage::failed, QStringLiteral("the death of the compiler is not a failure"));
    expect(isOneLine(room.window->diagnostics().summary()),
           QStringLiteral("Diagnostics says: ") + room.window->diagnostics().summary());
    expect(room.window->status().compileText().startsWith(QStringLiteral("✗ ")),
           QStringLiteral("the status line says: ") + room.window->status().compileText());
    for (int i = 0; i < 5 && editor.text() != before; ++i)
        editor.undo();
    expect(editor.text() == before, QStringLiteral("undo does not bring the text back"));
    expect(room.waitUntilCompiled() && compiler.state().stage == Stage::finished,
           QStringLiteral("the next compilation fails"));
    expect(compiler.child().childPid() != pid, QStringLiteral("the compile child is still the dead one"));
}

void TestKilled::killRunnerAtWork(Room& room) {
    RunDesk& runner = room.workspace->runner();
    if (!isAlive(runner.child().childPid())) { // none was needed so far, or it was killed at rest
        trigger(room, "kernel.verify");
        expect(room.waitUntilIdle(), QStringLiteral("the first verification does not end"));
        expect(runner.verifyState().stage == Stage::finished,
               QStringLiteral("the first verification after a death at rest fails"));
    }
    room.window->notices().dismiss();
    {
        const Frozen frozen(runner.child().childPid());
        trigger(room, "kernel.verify");
        expect(QTest::qWaitFor([&] { return runner.verifyState().stage == Stage::running; }, longWait),
               QStringLiteral("does not verify"));
        QTest::qWait(50);
        frozen.kill();
        expect(room.waitUntilIdle(), QStringLiteral("the dead runner is waited for"));
    }
    expect(runner.verifyState().stage == Stage::failed, QStringLiteral("the death of the runner is not a failure"));
    expect(isOneLine(room.notice()), QStringLiteral("the window says: ") + room.notice());
    trigger(room, "kernel.verify");
    expect(room.waitUntilIdle() && runner.verifyState().stage == Stage::finished,
           QStringLiteral("the next verification fails"));
}

void TestKilled::killTimerAtWork(Room& room) {
    for (const char* action : {"kernel.time", "kernel.run"}) {
        room.window->notices().dismiss();
        const Frozen frozen(room.workspace->runner().child().childPid());
        trigger(room, action);
        expect(QTest::qWaitFor([&] { return room.workspace->trials().isBusy(); }, longWait),
               QStringLiteral("does not begin to ") + QLatin1String(action));
        QTest::qWait(50);
        frozen.kill();
        expect(room.waitUntilIdle(), QStringLiteral("the dead runner is waited for by ") + QLatin1String(action));
        expect(isOneLine(room.notice()), QLatin1String(action) + QStringLiteral(" says: ") + room.notice());
        trigger(room, "kernel.verify"); // a child again
        expect(room.waitUntilIdle() && room.workspace->runner().verifyState().stage == Stage::finished,
               QStringLiteral("the next verification fails"));
    }
}

void TestKilled::killedAtEveryStage() {
    Room room(Theme::Choice::dark);
    QVERIFY(room.start());
    Tour tour(*room.window, {});
    tour.afterStage = [&](const QString& stage) {
        m_stage = stage;
        settle(room);
        if (!room.workspace->bench().kernel().isEmpty()) {
            killCompilerAtWork(room);
            if (compiles(room)) killRunnerAtWork(room);
            if (compiles(room) && stage == QLatin1String("fixed")) killTimerAtWork(room);
        }
        killAtRest(room);
    };
    const QString problem = room.takeTour(tour);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY2(m_problems.isEmpty(), qPrintable(m_problems.join(QLatin1Char('\n'))));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST_PART(kernelarium::ui::TestKilled, "killed");
