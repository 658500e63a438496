// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensors in the program's window: by keyboard, from the editor and from the steps.
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/tensors/StoryBar.h"
#include "ui/tensors/TensorBar.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/window/Docks.h"

#include <QComboBox>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

class TestTensorWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Shift+F5 shows the tensors of a task's kernel; Shift+F6 in the editor what its line wrote, Shift+F9 in the steps
    /// what the lane's thread wrote.
    void byKeyboard() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 19, firstName(room, 1, 19)));
        QVERIFY(room.waitUntilCompiled());
        auto& panel = *room.window->findChild<TensorPanel*>();
        room.press(Qt::Key_F5, Qt::ShiftModifier);
        WAIT_VERIFY(panel.isShowingTensors() && panel.isVisible());
        WAIT_VERIFY(!room.workspace->trials().isBusy());
        QVERIFY(panel.bar().tensors().count() >= 4); // output, reference, difference, input
        room.keepPicture(QStringLiteral("tensors_window"));
        panel.select(tensor::Shape(panel.bar().entry()->shape.size(), 0));
        WAIT_VERIFY(panel.story().line() > 0);
        WAIT_VERIFY(!room.workspace->trials().isBusy());
        const int line = panel.story().line();
        room.workspace->bench().goTo(line);
        WAIT_COMPARE(room.window->findChild<EditorArea*>()->editor().cursorLine(), line);
        room.window->actions().action(QStringLiteral("tensors.ofLine"))->trigger();
        WAIT_VERIFY(panel.written().model()->rowCount() > 0);
        WAIT_VERIFY(!room.workspace->trials().isBusy());
        QVERIFY(!room.window->actions().action(QStringLiteral("tensors.ofThread"))->isEnabled());
        room.workspace->trials().stepThrough(*panel.story().stepTarget());
        WAIT_VERIFY(room.workspace->stepper().state().stage == Stage::finished);
        WAIT_VERIFY(!room.workspace->trials().isBusy());
        WAIT_VERIFY(room.window->actions().action(QStringLiteral("tensors.ofThread"))->isEnabled());
        room.window->actions().action(QStringLiteral("tensors.ofThread"))->trigger();
        WAIT_VERIFY(panel.written().model()->rowCount() > 0 && !room.workspace->trials().isBusy());
        QCOMPARE(panel.written().model()->index(0, 0).data().toString().count(QLatin1Char('0')) > 0, true);
    }

private:
    static std::string firstName(Room& room, int level, int task) {
        const auto& table = *room.workspace->archive().table();
        for (std::size_t i = 0; i < table.size(); ++i)
            if (table.level[i] == level && table.task[i] == task) return table.name[i];
        return {};
    }
};

KERNELARIUM_TEST(TestTensorWindow);

} // namespace kernelarium::ui

#include "TestTensorWindow.moc"
