// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestTypedLessons.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/lessons/ChangesPanel.h"
#include "ui/lessons/ConditionPanel.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/source/EditorArea.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace kernelarium::ui {

namespace {

QStringList linesOf(const std::string& text) {
    return QString::fromStdString(text).split(QLatin1Char('\n'));
}

/// Without what an editor indents.
QString unindented(const QString& text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    for (QString& line : lines)
        line = line.trimmed();
    return lines.join(QLatin1Char('\n')).trimmed();
}

class Student {
public:
    explicit Student(Room& room)
        : page(room.window->panel<LessonDesk>().page())
        , m_editor(room.window->editorArea().editor()) {}

    /// As Tab and Space do.
    static void press(QPushButton* button) {
        button->setFocus(Qt::TabFocusReason);
        QTest::keyClick(button, Qt::Key_Space);
    }

    void answer(const lesson::Condition& condition) {
        QLineEdit* field = page.conditions()->answerField(condition.key);
        field->setFocus(Qt::TabFocusReason);
        QTest::keyClicks(field, QString::number(condition.bound, 'g', 8));
        QTest::keyClick(field, Qt::Key_Return);
    }

    /// From the starter to the solution: the lines that differ are marked and typed anew.
    void type(const lesson::StepKernel& kernel) {
        const QStringList from = linesOf(kernel.starter), to = linesOf(kernel.solution);
        const qsizetype least = std::min(from.size(), to.size());
        qsizetype above = 0, below = 0;
        while (above < least && from[above] == to[above])
            ++above;
        while (below < least - above && from[from.size() - 1 - below] == to[to.size() - 1 - below])
            ++below;
        m_editor.setFocus(Qt::OtherFocusReason);
        QTest::keyClick(&m_editor, Qt::Key_Home, Qt::ControlModifier);
        for (qsizetype i = 0; i < above; ++i)
            QTest::keyClick(&m_editor, Qt::Key_Down);
        for (qsizetype i = above; i < from.size() - below; ++i)
            QTest::keyClick(&m_editor, Qt::Key_Down, Qt::ShiftModifier);
        if (above < from.size() - below) QTest::keyClick(&m_editor, Qt::Key_Delete);
        for (qsizetype i = above; i < to.size() - below; ++i) {
            QTest::keyClicks(&m_editor, to[i].trimmed());
            if (m_editor.isListActive()) QTest::keyClick(&m_editor, Qt::Key_Escape); // Return would take its word
            QTest::keyClick(&m_editor, Qt::Key_Return);
        }
    }

    [[nodiscard]] bool check() {
        press(page.checkButton());
        return QTest::qWaitFor([this] { return page.checkButton()->isEnabled(); }, longWait);
    }

    /// All that the conditions' rows say.
    [[nodiscard]] QString said() const {
        QStringList all;
        for (const auto* label : page.conditions()->findChildren<QLabel*>())
            all << label->text();
        return all.join(QLatin1Char('\n'));
    }

    LessonsPage& page;

private:
    CodeEditor& m_editor;
};

} // namespace

void TestTypedLessons::threeLessonsArePassedByKeys() {
    Room room;
    QVERIFY(room.start());
    room.press(Qt::Key_2, Qt::AltModifier); // Lessons
    Student student(room);
    LessonsPage& page = student.page;
    WAIT_VERIFY(page.isVisible() && page.currentLesson() == QLatin1String("first_kernel"));
    CodeEditor& editor = room.window->editorArea().editor();
    const std::vector<lesson::Lesson> lessons = page.lessons();
    QStringList changes;
    for (std::size_t l = 0; l < 3; ++l) {
        QCOMPARE(page.currentLesson().toStdString(), lessons[l].id);
        QVERIFY(page.currentStep().isEmpty());
        Student::press(page.nextButton());
        for (const lesson::Step& step : lessons[l].steps) {
            QCOMPARE(page.currentStep().toStdString(), step.id);
            for (const auto& condition : step.conditions)
                if (condition.kind == lesson::Condition::Kind::answer) student.answer(condition);
            if (step.hasKernel) {
                Student::press(page.starterButton());
                WAIT_COMPARE(editor.text().toStdString(), step.kernel.starter);
                if (step.id == "stay-inside") { // the verdict's own sentence, before anything is changed
                    QVERIFY(student.check());
                    QVERIFY2(student.said().contains(QLatin1String("past the end")), qPrintable(student.said()));
                    QVERIFY(page.nextButton()->text() == QLatin1String("Skip this step"));
                }
                student.type(step.kernel);
                QCOMPARE(unindented(editor.text()), unindented(QString::fromStdString(step.kernel.solution)));
                QVERIFY(student.check());
            }
            QVERIFY2(page.nextButton()->text().startsWith(QLatin1String("Next")),
                     qPrintable(page.currentStep() + QLatin1Char('\n') + student.said()));
            if (step.hasKernel) {
                const bool counts = lesson::needsOf(step).counters || !lesson::needsOf(step).times.empty();
                if (counts) WAIT_VERIFY(page.changes()->isVisible()); // when the starter is counted
                for (const auto* label : page.changes()->findChildren<QLabel*>())
                    if (!label->isHidden()) changes << label->text();
            }
            Student::press(page.nextButton());
        }
    }
    QCOMPARE(page.currentLesson().toStdString(), lessons[3].id);
    for (const char* row : {"Verdict", "fault (out of bounds)", "Time of our solution, measured on NVIDIA H200",
                            "Sectors per load request", "Bytes to and from device memory, modelled"})
        QVERIFY2(changes.contains(QLatin1String(row)), qPrintable(changes.join(QLatin1Char('\n'))));
    for (std::size_t l = 0; l < 3; ++l)
        for (const auto& step : lessons[l].steps) {
            const auto& reached = page.reachedSoFar().lessons.at(lessons[l].id).steps.at(step.id);
            QVERIFY(reached.state == lesson::StepProgress::State::met && reached.metAtMs > 0);
            QCOMPARE(reached.metVersion, lessons[l].version);
        }
}

KERNELARIUM_TEST_PART(TestTypedLessons, "typed");

} // namespace kernelarium::ui
