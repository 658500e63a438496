// SPDX-License-Identifier: GPL-3.0-or-later
// Types at every stage of the tour and tells, once it is on the disk, what a kill would leave.
#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"

#include <QTest>
#include <cstdio>

namespace kernelarium::ui {

namespace {

/// Whether the session's file has the text on the bench, as another process would read it.
bool isKept(const Room& room) {
    auto store = session::SessionStore::open(room.paths.sessionFile.toStdString());
    if (!store) return false;
    const Kernel& kernel = room.workspace->bench().kernel();
    const auto draft = store->draft(kernel.key.toStdString());
    return draft && *draft && QString::fromStdString((*draft)->text) == room.workspace->bench().source();
}

/// One line: "kept STAGE KEY TEXT" with key and text in base 64; then waits for a line from the parent.
void tell(const QString& stage, Workspace& workspace) {
    std::printf("kept %s %s %s\n", qUtf8Printable(stage),
                workspace.bench().kernel().key.toUtf8().toBase64().constData(),
                workspace.bench().source().toUtf8().toBase64().constData());
    std::fflush(stdout);
    char answer[16];
    if (!std::fgets(answer, sizeof answer, stdin)) std::_Exit(3);
}

/// The other process of TestKept, with its files in this folder.
int typeAndTell(int argc, char** argv) {
    Room room(Theme::Choice::dark);
    room.paths.sessionFile = QString::fromUtf8(argc > 1 ? argv[1] : "") + QStringLiteral("/sessions.sqlite");
    if (!room.start()) return 2;
    CodeEditor& editor = room.window->editorArea().editor();
    Tour tour(*room.window, {});
    int count = 0;
    tour.afterStage = [&](const QString& stage) {
        if (room.workspace->bench().kernel().isEmpty()) return;
        editor.setCursorPosition(0, 0);
        typeText(editor, QStringLiteral("//k%1\n").arg(++count));
        (void)QTest::qWaitFor([&] { return isKept(room); }, longWait); // by itself; TestKept says where it is not
        tell(stage, *room.workspace);
    };
    const QString problem = room.takeTour(tour);
    if (!problem.isEmpty()) std::fprintf(stderr, "tour: %s\n", qUtf8Printable(problem));
    std::printf("end %d\n", count);
    std::fflush(stdout);
    return problem.isEmpty() ? 0 : 1;
}

KERNELARIUM_TEST_PROGRAM("typist", typeAndTell, "2");

} // namespace

} // namespace kernelarium::ui
