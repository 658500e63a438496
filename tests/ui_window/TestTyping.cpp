// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestTyping.h"

#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"

#include <QTest>
#include <random>

namespace kernelarium::ui {

void TestTyping::nothingTypedIsLost() {
    constexpr int strokes = 25;
    Room room;
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    QVERIFY(room.waitUntilCompiled());
    CodeEditor& editor = room.window->editorArea().editor();
    const QString before = editor.text();
    QString typed;
    std::mt19937 draw(18); // NOLINT(cert-msc51-cpp): the same moments in each run
    editor.setFocus();
    editor.setCursorPosition(0, 0);
    for (int i = 0; i < strokes; ++i) {
        const QString line = QStringLiteral("// line %1\n").arg(i);
        room.window->actions().action(QStringLiteral("kernel.verify"))->trigger();
        const auto half = qsizetype(draw() % unsigned(line.size()));
        typeText(editor, line.left(half));
        QTest::qWait(int(draw() % 400));
        const bool compiler = draw() % 2 == 0, killed = draw() % 3 != 0;
        ChildQueue& child = compiler ? room.workspace->compiler().child() : room.workspace->runner().child();
        {
            const Frozen stopped(child.childPid());
            typeText(editor, line.mid(half));
            QTest::qWait(int(draw() % 100));
            if (killed) stopped.kill();
        }
        typed += line;
        QVERIFY(room.window->isVisible());
        QCOMPARE(editor.text(), typed + before);
    }
    QVERIFY(room.waitUntilIdle());
    QVERIFY(room.waitUntilCompiled());
    // The children are there again.
    room.window->actions().action(QStringLiteral("kernel.verify"))->trigger();
    QVERIFY(room.waitUntilIdle());
    QCOMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
    // On the disk, too, and each line can be taken back.
    const auto isKept = [&] {
        auto store = session::SessionStore::open(room.paths.sessionFile.toStdString());
        if (!store) return false;
        const auto draft = store->draft(room.workspace->bench().kernel().key.toStdString());
        return draft && *draft && QString::fromStdString((*draft)->text) == typed + before;
    };
    WAIT_VERIFY(isKept());
    for (int i = 0; i < strokes * 20 && editor.text() != before; ++i)
        editor.undo();
    QCOMPARE(editor.text(), before);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTyping);
