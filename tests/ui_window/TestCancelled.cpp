// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestCancelled.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"

#include <QSignalSpy>
#include <QTest>

namespace kernelarium::ui {

void TestCancelled::expect(bool holds, const QString& what) {
    if (!holds) m_problems << m_stage + QStringLiteral(": ") + what;
}

/// A verification that waits for the compiler, and the compiler with it.
void TestCancelled::cancelCompilation(Room& room) {
    CodeEditor& editor = room.window->editorArea().editor();
    CompileDesk& compiler = room.workspace->compiler();
    const QString before = editor.text();
    {
        const Frozen frozen(compiler.child().childPid());
        editor.setCursorPosition(0, 0);
        typeText(editor, QStringLiteral(" "));
        expect(QTest::qWaitFor([&] { return compiler.state().stage == Stage::running; }, longWait),
               QStringLiteral("does not compile"));
        room.press(Qt::Key_Return, Qt::ControlModifier);
        expect(room.workspace->trials().isBusy(), QStringLiteral("Ctrl+Return does not wait for the compiler"));
        room.press(Qt::Key_Escape);
        expect(room.waitUntilCompiled(), QStringLiteral("the compilation does not end"));
    }
    expect(compiler.state().stage == Stage::cancelled, QStringLiteral("the compilation was not cancelled"));
    expect(!room.workspace->trials().isBusy(), QStringLiteral("something is still wanted"));
    expect(!room.window->diagnostics().summary().isEmpty(), QStringLiteral("Diagnostics says nothing"));
    for (int i = 0; i < 5 && editor.text() != before; ++i)
        editor.undo();
    expect(room.waitUntilCompiled() && compiler.state().stage == Stage::finished,
           QStringLiteral("the next compilation fails"));
}

void TestCancelled::cancelRun(Room& room, const char* action, const std::function<Stage()>& stage) {
    const QString name = QLatin1String(action);
    room.window->notices().dismiss();
    {
        const Frozen frozen(room.workspace->runner().child().childPid());
        room.window->actions().action(name)->trigger();
        expect(QTest::qWaitFor([&] { return stage() == Stage::running; }, longWait),
               name + QStringLiteral(" does not begin"));
        room.press(Qt::Key_Escape);
        expect(room.waitUntilIdle(), name + QStringLiteral(" does not end"));
    }
    expect(stage() == Stage::cancelled, name + QStringLiteral(" was not cancelled"));
    expect(!room.notice().isEmpty(), name + QStringLiteral(": nothing is said"));
}

void TestCancelled::cancelledAtEveryStage() {
    Room room(Theme::Choice::light);
    QVERIFY(room.start());
    QCOMPARE(room.window->devicePixelRatioF(), 2.0);
    RunDesk& runner = room.workspace->runner();
    const auto verifying = [&] { return runner.verifyState().stage; };
    Tour tour(*room.window, {});
    tour.afterStage = [&](const QString& stage) {
        m_stage = stage;
        if (room.workspace->bench().kernel().isEmpty()) return;
        room.window->activateWindow();
        cancelCompilation(room);
        const CompileState& state = room.workspace->compiler().state();
        if (state.stage != Stage::finished || !state.answer->ok) return;
        cancelRun(room, "kernel.verify", verifying);
        const bool thorough = stage == QLatin1String("fixed") || stage == QLatin1String("lesson");
        if (thorough) {
            cancelRun(room, "kernel.run", [&] { return runner.runState().stage; });
            cancelRun(room, "kernel.time", verifying); // what has no verdict is verified first
        }
        room.press(Qt::Key_Return, Qt::ControlModifier);
        expect(room.workspace->trials().isBusy(), QStringLiteral("Ctrl+Return does nothing"));
        expect(room.waitUntilIdle() && verifying() == Stage::finished, QStringLiteral("the next verification fails"));
        if (thorough) cancelRun(room, "kernel.time", [&] { return runner.profileState().stage; });
    };
    const QString problem = room.takeTour(tour);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY2(m_problems.isEmpty(), qPrintable(m_problems.join(QLatin1Char('\n'))));
}

void TestCancelled::cancelsAnImport() {
    QByteArray rows;
    for (int i = 0; i < 60000; ++i)
        rows += QByteArrayLiteral(R"({"Op_Name":"1_Add","Level_ID":1,"Task_ID":1,"Kernel_Name":"made_)") +
                QByteArray::number(i) +
                QByteArrayLiteral(R"(","CUDA_Code":"__global__ void made(float* x) { x[threadIdx.x] += )") +
                QByteArray::number(i) + QByteArrayLiteral("; }\\n\"}\n");
    Room room;
    QVERIFY(room.start());
    const QString input = room.write(QStringLiteral("many.jsonl"), rows);
    ArchiveDesk& archive = room.workspace->archive();
    QSignalSpy ended(&archive, &ArchiveDesk::importEnded);
    QSignalSpy progress(&archive, &ArchiveDesk::importProgress);
    room.window->openPath(input);
    QVERIFY(archive.isImporting());
    QVERIFY(QTest::qWaitFor([&] { return !progress.isEmpty() || !ended.isEmpty(); }, longWait));
    QVERIFY2(ended.isEmpty(), "over before it could be cancelled");
    room.press(Qt::Key_Escape);
    QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, longWait));
    QVERIFY(!ended.front().at(2).toBool());
    QVERIFY(!archive.isImporting());
    QVERIFY(!room.notice().isEmpty());
    QVERIFY2(room.openKernel(1, 23, "online"), "the open archive is as it was");
    room.window->openPath(input); // and once more, to its end
    QVERIFY(QTest::qWaitFor([&] { return ended.size() == 2; }, longWait));
    QVERIFY2(ended.back().at(2).toBool(), qPrintable(ended.back().at(0).toString()));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST_PART(kernelarium::ui::TestCancelled, "cancelled", "2");
