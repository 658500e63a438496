// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/PromptBar.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SassPanel.h"
#include "ui/source/SecondAssembly.h"

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>

namespace kernelarium::ui {

namespace {

constexpr const char* dividingKernel = R"(#ifndef FACTOR
#define FACTOR 1
#endif
__global__ void halves(const float* a, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = FACTOR * a[i] / (a[i] + 3.f);
}
)";
constexpr int dividingLine = 6;

bool openDividing(Room& room) {
    Kernel kernel;
    kernel.key = QStringLiteral("new:halves");
    kernel.title = QStringLiteral("halves");
    kernel.origin = Kernel::Origin::fresh;
    kernel.original = QString::fromUtf8(dividingKernel);
    room.workspace->bench().openText(kernel);
    return room.waitUntilCompiled();
}

QString shownText(const PtxView& view) {
    QStringList lines;
    for (const std::string& line : view.shownLines())
        lines << QString::fromStdString(line);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestSecondAssembly : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// By key: two listings, their differences marked, linked to the line of the source; an edit changes both.
    void ptxOfOtherOptionsBesideTheFirst() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(openDividing(room));
        EditorArea& area = room.window->editorArea();
        room.press(Qt::Key_P, Qt::ControlModifier | Qt::AltModifier);
        SecondAssembly& second = area.second();
        QVERIFY(area.isShowingSecond() && area.isShowingPtx() && second.isVisible());
        WAIT_VERIFY(second.architectures().hasFocus());
        second.architectures().setCurrentText(QStringLiteral("sm_90"));
        second.options().setText(QStringLiteral("--fast-math"));
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(shownText(second.view()).contains(QStringLiteral("div.approx.ftz.f32")));
        QVERIFY(shownText(area.ptx()).contains(QStringLiteral("div.rn.f32")));
        WAIT_VERIFY(!area.ptx().different().empty() && !second.view().different().empty());
        QVERIFY2(second.view().summary().startsWith(QStringLiteral("sm_90 --fast-math · ")) &&
                     area.ptx().summary().startsWith(QStringLiteral("sm_90 · ")),
                 qPrintable(second.view().summary() + area.ptx().summary()));
        QVERIFY2(second.words().contains(QStringLiteral("halves: ")) &&
                     second.words().contains(QStringLiteral("difference")),
                 qPrintable(second.words()));
        // What is marked is what differs.
        const QStringList lines = shownText(second.view()).split(QLatin1Char('\n'));
        bool marked = false;
        for (const int line : second.view().different())
            marked = marked || lines[line].contains(QStringLiteral("div.approx"));
        QVERIFY(marked);
        // Linked: the source's line is lit in both, and a difference leads back to it.
        area.editor().goToLine(dividingLine);
        WAIT_VERIFY(!area.ptx().highlighted().empty() && !second.view().highlighted().empty());
        area.editor().goToLine(1);
        WAIT_VERIFY(area.ptx().highlighted().empty() && second.view().highlighted().empty());
        second.next().click();
        WAIT_COMPARE(area.editor().cursorLine(), dividingLine);
        for (const QWidget* part : {static_cast<QWidget*>(&area.editor()), static_cast<QWidget*>(&area.ptx()),
                                    static_cast<QWidget*>(&second)})
            QVERIFY(part->width() > 100);
        room.keepPicture(QStringLiteral("second-light"));
        // Without the marks, and the same options: nothing differs.
        second.differences().click();
        WAIT_VERIFY(area.ptx().different().empty() && second.view().different().empty());
        second.differences().click();
        second.options().clear();
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(second.words().contains(QStringLiteral("no difference")));
        QVERIFY(!second.next().isEnabled());
        // An edit is followed by both.
        QString text = room.workspace->bench().source();
        room.workspace->bench().replaceSource(text.replace(QStringLiteral("3.f"), QStringLiteral("7.f")));
        WAIT_VERIFY(shownText(second.view()).contains(QStringLiteral("0f40E00000")) &&
                    shownText(area.ptx()).contains(QStringLiteral("0f40E00000")));
        area.showSecond(false);
        QVERIFY(!area.ptx().summary().contains(QStringLiteral("sm_90")) && area.ptx().different().empty());
    }

    void anotherArchitectureAndItsMachineInstructions() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        QVERIFY(openDividing(room));
        EditorArea& area = room.window->editorArea();
        area.showSecond(true);
        SecondAssembly& second = area.second();
        second.kinds().setCurrentIndex(1);
        QVERIFY(area.isShowingSass() && !area.isShowingPtx());
        WAIT_VERIFY(!area.sass().listing().emptyText().contains(QStringLiteral("Disassembling")) ||
                    !area.sass().listing().isEmpty());
        if (area.sass().listing().isEmpty()) QSKIP("nvdisasm is not installed.");
        second.architectures().setCurrentText(QStringLiteral("sm_80"));
        WAIT_VERIFY(second.view().summary().startsWith(QStringLiteral("sm_80 · ")));
        WAIT_VERIFY(!second.view().different().empty());
        area.editor().goToLine(dividingLine);
        WAIT_VERIFY(!second.view().highlighted().empty());
        room.keepPicture(QStringLiteral("second-dark"));
    }

    void whatDoesNotCompileThereIsSaidThere() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(openDividing(room));
        EditorArea& area = room.window->editorArea();
        area.showSecond(true);
        SecondAssembly& second = area.second();
        second.options().setText(QStringLiteral("-DFACTOR=nonsense"));
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(second.view().emptyText().contains(QStringLiteral("nonsense")));
        second.options().setText(QStringLiteral("--frobnicate"));
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(second.view().emptyText().contains(QStringLiteral("--frobnicate")));
        second.options().setText(QStringLiteral("-DFACTOR=nonsense"));
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(second.view().emptyText().contains(QStringLiteral("nonsense")));
        // Nor is there machine code, and what there was of other options is not shown as if it were.
        second.kinds().setCurrentIndex(1);
        WAIT_VERIFY(second.view().emptyText().contains(QStringLiteral("nonsense")));
        second.options().setText(QStringLiteral("--frobnicate"));
        Q_EMIT second.options().editingFinished();
        second.kinds().setCurrentIndex(0);
        QVERIFY(second.view().isEmpty());
        second.options().clear();
        Q_EMIT second.options().editingFinished();
        WAIT_VERIFY(!second.view().isEmpty());
    }

    /// Where they are read and changed; a typing error is said before it is taken.
    void optionsOfTheKernel() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(openDividing(room));
        EditorArea& area = room.window->editorArea();
        QCOMPARE(area.optionsButton().text(), QStringLiteral("sm_90"));
        room.press(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        PromptBar& prompt = area.prompt();
        WAIT_VERIFY(prompt.isVisible() && prompt.field().hasFocus());
        prompt.field().setText(QStringLiteral("--max-registers=9"));
        QVERIFY2(prompt.remark().contains(QStringLiteral("16 to 255")), qPrintable(prompt.remark()));
        prompt.field().setText(QStringLiteral("--fast-math -DFACTOR=7 --max-registers=24"));
        room.keepPicture(QStringLiteral("options-light"));
        room.press(Qt::Key_Return);
        WAIT_VERIFY(!prompt.isVisible());
        QCOMPARE(area.optionsButton().text().left(21), QStringLiteral("sm_90 · --fast-math -"));
        QVERIFY(room.workspace->place().target().fastMath);
        WAIT_VERIFY(room.workspace->compiler().isSettled() &&
                    room.workspace->compiler().state().answer->settings.maxRegisters == 24);
        const auto& unit = *room.workspace->compiler().state().answer;
        QVERIFY(unit.fastMath && unit.ptx.find("0f40E00000") != std::string::npos); // seven
        QVERIFY(room.window->actions().action(QStringLiteral("kernel.fastMath"))->isChecked());
    }
};

KERNELARIUM_TEST(TestSecondAssembly);

} // namespace kernelarium::ui

#include "TestSecondAssembly.moc"
