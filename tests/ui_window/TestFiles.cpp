// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestFiles.h"

#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/SearchField.h"
#include "ui/dialogs/KernelSetupDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/source/KernelTabs.h"
#include "ui/tour/BusyMeter.h"
#include "ui/tour/Keys.h"

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTextEdit>
#include <algorithm>
#include <cstdio>

namespace kernelarium::ui {

namespace {

/// The texts of all labels that are to be seen in it.
QString seenIn(const QWidget& place) {
    QStringList texts;
    for (const QLabel* label : place.findChildren<QLabel*>())
        if (label->isVisible() && !label->text().isEmpty()) texts << label->text();
    for (const QTextEdit* text : place.findChildren<QTextEdit*>())
        if (text->isVisible()) texts << text->toPlainText();
    for (const QWidget* widget : place.findChildren<QWidget*>()) // Qt has no class of all that have one
        if (const QString text = widget->property("placeholderText").toString(); widget->isVisible() && !text.isEmpty())
            texts << text;
    return texts.join(QLatin1Char('\n'));
}

void drop(QWidget& target, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(target.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(target.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
}

QMenu* recentMenu(MainWindow& window) {
    for (QMenu* menu : window.findChildren<QMenu*>())
        if (menu->title().contains(QStringLiteral("recent"))) return menu;
    return nullptr;
}

} // namespace

void TestFiles::everyPanelSaysWhatItWillShow() {
    Room room;
    room.paths.starterArchive.clear();
    QVERIFY(room.start());
    QVERIFY(seenIn(room.window->editorArea()).contains(QStringLiteral("Nothing on the bench yet")));
    for (const char* name : {"archive", "lessons", "inspector", "diagnostics", "verdict", "history", "roofline",
                             "counters", "output", "session"}) {
        room.window->showDock(QLatin1String(name));
        const auto* dock = room.window->findChild<QDockWidget*>(QLatin1String(name));
        WAIT_VERIFY2(seenIn(*dock->widget()).size() > 20, name);
    }
    room.window->showDock(QStringLiteral("archive"));
    const auto buttons = [&] {
        const auto all = room.window->archive().findChildren<QPushButton*>();
        return std::count_if(all.begin(), all.end(), [](const auto* b) { return b->isVisible() && b->isEnabled(); });
    };
    WAIT_COMPARE(buttons(), 1);
}

void TestFiles::opensWhatIsDroppedOnIt() {
    Room room;
    QVERIFY(room.start());
    const QString first = room.write(QStringLiteral("first.cu"), "// kernelarium: task 1/19\n" + addSource());
    drop(*room.window, {first});
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("first.cu"));
    QCOMPARE(room.workspace->bench().kernel().task->task, 19);
    const QString second = room.write(QStringLiteral("second.cu"), addSource());
    drop(*room.window->editorArea().editor().viewport(), {second}); // a file, not its name as text
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("second.cu"));
    QCOMPARE(room.workspace->bench().source(), QString::fromUtf8(addSource()));
    // Several at once: each gets its tab, also behind one that cannot be read.
    QVERIFY(!room.write(QStringLiteral("binary.cu"), QByteArray(100, '\0')).isEmpty());
    QStringList several;
    for (const char* name : {"x.cu", "binary.cu", "y.cu", "z.cu"})
        several << (QLatin1String(name) == QLatin1String("binary.cu") ? room.file(QLatin1String(name))
                                                                      : room.write(QLatin1String(name), addSource()));
    drop(*room.window, several);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("z.cu"));
    const KernelTabs& tabs = room.window->editorArea().tabs();
    QStringList titles;
    for (int i = 0; i < tabs.count(); ++i)
        titles << tabs.tabText(i);
    for (const char* name : {"first.cu", "second.cu", "x.cu", "y.cu", "z.cu"})
        QVERIFY2(titles.contains(QLatin1String(name)), qPrintable(titles.join(QLatin1Char(' '))));
    room.window->openPath(second);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("second.cu"));
    drop(*room.window, {room.file(QStringLiteral("absent.cu"))});
    WAIT_VERIFY(room.notice().contains(QStringLiteral("absent.cu")));
    QCOMPARE(room.workspace->bench().kernel().title, QStringLiteral("second.cu"));
}

void TestFiles::recentFilesComeBack() {
    Room room;
    QVERIFY(room.start());
    const QString path = room.write(QStringLiteral("mine.cu"), addSource());
    const QString other = room.write(QStringLiteral("this & other.cu"), addSource());
    room.window->openPath(path);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
    room.window->openPath(other);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("this & other.cu"));
    room.window->close();
    QVERIFY(room.start());
    QMenu* menu = recentMenu(*room.window);
    QVERIFY(menu && menu->isEnabled());
    QCOMPARE(menu->actions().size(), 2);
    QCOMPARE(menu->actions().at(0)->text(), QStringLiteral("this && other.cu"));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("this & other.cu"));
    menu->actions().at(1)->trigger();
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
}

/// In the order in which they were opened, and only what was there.
void TestFiles::recentArchives() {
    Room room;
    QVERIFY(room.start());
    const QString mine = room.file(QStringLiteral("mine.sqlite"));
    QVERIFY(QFile::copy(room.paths.starterArchive, mine));
    room.window->openPath(room.file(QStringLiteral("absent.sqlite")));
    WAIT_COMPARE(room.workspace->archive().stage(), Stage::failed);
    room.window->openPath(mine);
    WAIT_VERIFY(room.workspace->archive().path() == mine && room.workspace->archive().stage() == Stage::finished);
    QVERIFY(room.waitForArchive());
    room.window->openPath(room.write(QStringLiteral("later.cu"), addSource()));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("later.cu"));
    // Searching it is not opening it again.
    room.window->archive().filters().field().setText(QStringLiteral("task:1/36"));
    WAIT_COMPARE(room.window->archive().model().rowCount(), 3);
    QStringList names;
    for (const QAction* action : recentMenu(*room.window)->actions())
        names << action->text();
    QCOMPARE(names, (QStringList{QStringLiteral("later.cu"), QStringLiteral("mine.sqlite")}));
}

void TestFiles::sayingsAndPlacesComeBack() {
    Room room(Theme::Choice::dark);
    QVERIFY(room.start());
    QVERIFY(room.openKernel(1, 23, "online"));
    const QString key = room.workspace->bench().kernel().key;
    room.window->showDock(QStringLiteral("roofline"));
    room.window->resize(1300, 760);
    room.window->editorArea().showPtx(true);
    WAIT_COMPARE(room.window->size(), QSize(1300, 760));
    room.window->close();
    QVERIFY(room.start());
    WAIT_COMPARE(room.workspace->bench().kernel().key, key);
    QCOMPARE(room.window->size(), QSize(1300, 760));
    QVERIFY(room.window->editorArea().isShowingPtx());
    WAIT_VERIFY(isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("roofline"))));
}

/// F5 and Ctrl+T, as with a course's program.
void TestFiles::runsAProgramWithItsArguments() {
    Room room;
    QVERIFY(room.start());
    room.window->openPath(room.write(QStringLiteral("twice.cu"), R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(int* x) { *x *= 2; }
int main(int argc, char** argv) {
    if (argc != 2) return 7;
    int value = atoi(argv[1]), *x;
    cudaMalloc(&x, sizeof value);
    cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(x);
    cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
    printf("twice is %d\n", value);
    return 0;
}
)"));
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("twice.cu"));
    QVERIFY(room.waitUntilCompiled());
    const auto& state = room.workspace->runner().runState();
    room.press(Qt::Key_F5);
    WAIT_VERIFY(state.answer != nullptr);
    QCOMPARE(state.answer->exitCode.value_or(-1), 7);
    room.press(Qt::Key_T, Qt::ControlModifier);
    WAIT_VERIFY(room.window->findChild<KernelSetupDialog*>() != nullptr);
    auto* dialog = room.window->findChild<KernelSetupDialog*>();
    QVERIFY(QTest::qWaitForWindowExposed(dialog, longWait));
    dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("21"));
    test::keepPicture(*dialog, QStringLiteral("program-arguments"));
    dialog->accept();
    QVERIFY(room.waitUntilCompiled());
    room.window->actions().action(QStringLiteral("kernel.run"))->trigger(); // the dialog took the window's focus along
    WAIT_VERIFY(state.answer != nullptr && state.answer->exitCode.value_or(-1) == 0);
    QCOMPARE(state.answer->printed, std::string("twice is 42\n"));
    QTest::qWait(50);
    room.keepPicture(QStringLiteral("program-ran"));
}

void TestFiles::takesFiveMegabytes() {
    Room room;
    QVERIFY(room.start());
    QByteArray source = "// kernelarium: task 1/19\n" + addSource();
    while (source.size() < 5'000'000)
        source += "// a line that nobody reads, among very many others of its kind; there are tens of thousands\n";
    const QString path = room.write(QStringLiteral("large.cu"), source);
    BusyMeter meter, typing;
    meter.start(QStringLiteral("open"));
    room.window->openPath(path);
    WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("large.cu"));
    QTest::qWait(300);
    meter.pause();
    CodeEditor& editor = room.window->editorArea().editor();
    editor.setCursorPosition(1, 0);
    typing.start(QStringLiteral("type"));
    for (const char c : {'/', '/', 'x', '\n'}) {
        typeText(editor, QString(QLatin1Char(c)));
        QTest::qWait(30);
    }
    QVERIFY(room.workspace->bench().source().contains(QStringLiteral("\n//x\n")));
    QVERIFY(room.waitUntilCompiled());
    std::printf("5 MB: the window's thread worked %.0f ms to open it, %.0f ms at most to take a key\n",
                meter.worked().ms, typing.worked().ms);
    QCOMPARE(room.workspace->compiler().state().stage, Stage::finished);
    QVERIFY(room.workspace->compiler().state().answer->ok);
    const QString key = room.workspace->bench().kernel().key;
    WAIT_VERIFY(room.workspace->session().draft(key) != nullptr);
    QVERIFY(room.workspace->session().draft(key)->text.find("\n//x\n") != std::string::npos);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestFiles);
