// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestCourse.h"

#include "core/lesson/ClassRecord.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/lessons/ConditionPanel.h"
#include "ui/lessons/CourseMenu.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/lessons/LessonTree.h"
#include "ui/source/EditorArea.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTest>

namespace kernelarium::ui {

namespace {

QByteArray lessonText(const QByteArray& question) {
    return "---\ntitle: Counting\nminutes: 5\ndifficulty: beginner\nlearn:\n  - to count\n---\n\nCount.\n\n"
           "## How many lanes\n\nA warp has 32 lanes.\n\n```check\n" +
           question + "\n```\n";
}

bool says(const QWidget& widget, const QString& text) {
    for (const auto* label : widget.findChildren<QLabel*>())
        if (!label->isHidden() && label->text().contains(text)) return true;
    return false;
}

/// The lesson that a folder of one is, by the name that its id has.
QString makeCourse(const Room& room, const QByteArray& question) {
    const QString folder = room.file(QStringLiteral("Kurs & mehr"));
    for (const char* name : {"one", "broken"})
        QDir().mkpath(folder + QLatin1Char('/') + QLatin1String(name));
    room.write(QStringLiteral("Kurs & mehr/one/lesson.md"), lessonText(question));
    room.write(QStringLiteral("Kurs & mehr/broken/lesson.md"), lessonText("answer lanes about 32"));
    return folder;
}

} // namespace

void TestCourse::aTeachersFolderIsShownAndFollowed() {
    Room room;
    QVERIFY(room.start());
    room.press(Qt::Key_2, Qt::AltModifier); // Lessons
    const QString folder = makeCourse(room, "answer lanes = 32 within 0% \"How many lanes?\"");
    const QString lesson = QStringLiteral("Kurs & mehr:one"), step = QStringLiteral("how-many-lanes");
    {
        LessonsPage& page = room.window->panel<LessonDesk>().page();
        WAIT_VERIFY(!page.lessons().empty());
        Q_EMIT page.course()->folderAdded(folder);
        WAIT_VERIFY(page.find(lesson, step) != nullptr);
        QVERIFY(says(page, QStringLiteral("Kurs & mehr/broken/lesson.md:16: ")));
        QVERIFY(page.show(lesson, step));
        QLineEdit* field = page.conditions()->answerField("lanes");
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("32"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(page.reachedSoFar().lessons.at(lesson.toStdString()).steps.at(step.toStdString()).state,
                 lesson::StepProgress::State::met);
    }
    QVERIFY(room.start()); // again: the folder and what was reached are still there
    LessonDesk& desk = room.window->panel<LessonDesk>();
    LessonsPage& page = desk.page();
    WAIT_VERIFY(page.find(lesson, step) != nullptr);
    QVERIFY(page.show(lesson, step));
    QVERIFY(says(page, QStringLiteral("The lesson is complete")));
    // The teacher changes the lesson while it is open: what was done was done in another one.
    room.write(QStringLiteral("Kurs & mehr/one/lesson.md"),
               lessonText("answer lanes = 64 within 0% \"Lanes of two?\""));
    QEvent activated(QEvent::ActivationChange);
    QApplication::sendEvent(&desk, &activated);
    WAIT_VERIFY(says(page, QStringLiteral("Lanes of two?")));
    QVERIFY(says(page, QStringLiteral("32 is too small")));
    const auto* item = page.tree()->topLevelItem(page.tree()->topLevelItemCount() - 1);
    QVERIFY(item->child(0)->toolTip(0).contains(QLatin1String("before this lesson was changed")));
    // And takes it away.
    QVERIFY(QDir(folder + QStringLiteral("/one")).removeRecursively());
    QApplication::sendEvent(&desk, &activated);
    WAIT_VERIFY(page.find(lesson, step) == nullptr);
    room.theme.setChoice(Theme::Choice::dark);
    QVERIFY(!page.currentLesson().isEmpty());
    Q_EMIT page.course()->folderRemoved(folder);
    WAIT_VERIFY(!says(page, QStringLiteral("broken/lesson.md")));
    QVERIFY(room.workspace->settings().get(setting::lessonFolders).isEmpty());
}

void TestCourse::aStudentWritesAFile() {
    Room room;
    QVERIFY(room.start());
    room.press(Qt::Key_2, Qt::AltModifier); // Lessons
    LessonsPage& page = room.window->panel<LessonDesk>().page();
    WAIT_VERIFY(page.isVisible());
    WAIT_VERIFY(page.show(QStringLiteral("first_kernel"), QStringLiteral("count-threads-and-blocks")));
    for (const auto& [key, text] : {std::pair("number", "773"), std::pair("blocks", "12"), std::pair("idle", "72")}) {
        page.conditions()->answerField(key)->setText(QLatin1String(text));
        QTest::keyClick(page.conditions()->answerField(key), Qt::Key_Return);
    }
    CourseMenu& course = *page.course();
    course.recordAction()->trigger();
    QVERIFY(course.nameField()->isVisible() && !course.writeButton()->isEnabled());
    QTest::keyClicks(course.nameField(), QStringLiteral("Ada Lovelace"));
    QVERIFY(course.writeButton()->isEnabled());
    Q_EMIT course.recordRequested(course.nameField()->text(), room.file(QStringLiteral("starter.sqlite/ada.json")));
    WAIT_VERIFY(!course.nameField()->isVisible() && course.isVisible()); // it says why not
    const QString file = room.file(QStringLiteral("ada.json"));
    Q_EMIT course.recordRequested(QStringLiteral("Ada Lovelace"), file);
    WAIT_VERIFY(QFile::exists(file) && says(course, QStringLiteral("1 step of 1 lesson")));
    const auto record = lesson::readRecord(file.toStdString());
    QVERIFY(record.ok());
    QCOMPARE(record->student, std::string("Ada Lovelace"));
    QCOMPARE(record->lessons.at(0).passed.at(0).step, std::string("count-threads-and-blocks"));
    QVERIFY(record->lessons.at(0).passed.at(0).atMs > 0);
    QCOMPARE(record->lessons.at(0).passed.at(0).version, page.lessons().at(0).version);
    QCOMPARE(room.workspace->settings().get(setting::student), QStringLiteral("Ada Lovelace"));
}

/// A step asks for a time on an H200: whoever has chosen another target is not kept from passing it.
void TestCourse::lessonsAreForTheirOwnDevice() {
    Room room;
    QVERIFY(room.start());
    Target target = room.workspace->place().target();
    target.device = QStringLiteral("t4");
    target.arch = QStringLiteral("sm_75");
    room.workspace->place().setTarget(target);
    LessonsPage& page = room.window->panel<LessonDesk>().page();
    const QString lesson = QStringLiteral("tensor_cores"), step = QStringLiteral("one-instruction-for-a-warp");
    WAIT_VERIFY(page.show(lesson, step));
    Q_EMIT page.starterRequested(lesson, step);
    WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
    room.workspace->bench().replaceSource(QString::fromStdString(page.find(lesson, step)->kernel.solution));
    Q_EMIT page.checkRequested(lesson, step);
    WAIT_VERIFY2(page.holds(lesson, step), qPrintable(room.notice()));
}

void TestCourse::theProjectorShowsLargeText() {
    Room room;
    QVERIFY(room.start());
    room.window->resize(1920, 1080);
    const auto* facts = room.window->findChild<QDockWidget*>(QStringLiteral("inspector"));
    WAIT_VERIFY(isInFront(*facts));
    const double before = room.theme.textFont().pointSizeF();
    room.press(Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    WAIT_VERIFY(facts->isHidden());
    QCOMPARE(room.theme.textFont().pointSizeF(), 1.5 * before);
    QCOMPARE(QApplication::font().pointSizeF(), 1.5 * before);
    QVERIFY(isInFront(*room.window->findChild<QDockWidget*>(QStringLiteral("lessons"))));
    room.keepPicture(QStringLiteral("projector"));
    room.window->actions().run(QStringLiteral("view.projector"));
    WAIT_VERIFY(!facts->isHidden());
    QCOMPARE(QApplication::font().pointSizeF(), before);
}

KERNELARIUM_TEST(TestCourse);

} // namespace kernelarium::ui
