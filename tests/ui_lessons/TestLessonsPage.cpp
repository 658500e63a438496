// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/LessonLibrary.h"
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/lessons/ChangesPanel.h"
#include "ui/lessons/ConditionPanel.h"
#include "ui/lessons/HintPanel.h"
#include "ui/lessons/LessonTree.h"
#include "ui/lessons/LessonsPage.h"
#include "ui/lessons/MarkdownView.h"
#include "ui/lessons/StartOver.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QtTest>

namespace kernelarium::ui {
namespace {

/// Two of the lessons, on which the page is tried: one of the first and one that follows it.
std::vector<lesson::Lesson> twoLessons() {
    std::vector<lesson::Lesson> two;
    std::vector<lesson::Lesson> all = lesson::builtInLessons().value();
    for (auto& each : all)
        if (each.id == "coalescing" || each.id == "tiling") two.push_back(std::move(each));
    return two;
}

struct PageRoom {
    Theme theme;
    LessonsPage page{theme};

    PageRoom() {
        theme.setChoice(Theme::Choice::light);
        page.resize(1100, 760);
        page.setLessons(twoLessons());
        static_cast<QWidget&>(page).show();
        if (!QTest::qWaitForWindowExposed(&page, longWait)) qWarning("the page does not show");
    }
    void click(QWidget* button) { QTest::mouseClick(button, Qt::LeftButton); }
    void answer(const char* key, const char* text) {
        QLineEdit* field = page.conditions()->answerField(key);
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
};

/// The counters of a kernel that reads whole sectors.
lesson::StepEvidence goodEvidence() {
    lesson::StepEvidence evidence;
    evidence.verdict = "verified";
    evidence.counters = {{"global_load_sectors", 400},
                         {"global_load_requests", 100},
                         {"global_store_sectors", 400},
                         {"global_store_requests", 100}};
    evidence.times = {{true, 0.127, "NVIDIA H200", "full"}};
    evidence.source = "int i;";
    return evidence;
}

class TestLessonsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void beginsWithTheIntroduction() {
        PageRoom bench;
        QCOMPARE(bench.page.currentLesson(), QString("coalescing"));
        QVERIFY(bench.page.currentStep().isEmpty());
        QVERIFY(!bench.page.checkButton()->isVisible());
        QCOMPARE(bench.page.nextButton()->text(), QString("Begin"));
        test::keepPicture(bench.page, "lesson_introduction");
    }

    void questionsHaveRoomInANarrowPanel() {
        PageRoom bench;
        bench.page.resize(430, 760); // as it is beside the editor
        bench.click(bench.page.nextButton());
        QLineEdit* field = bench.page.conditions()->findChild<QLineEdit*>();
        WAIT_VERIFY(field && field->isVisible());
        QLabel* question = nullptr;
        QLabel* finding = nullptr;
        for (auto* label : bench.page.conditions()->findChildren<QLabel*>()) {
            if (label->buddy() == field) question = label;
            if (finding == nullptr && label->property("role").toString() == QLatin1String("muted")) finding = label;
        }
        QVERIFY(question && finding);
        WAIT_VERIFY2(question->width() >= 200, qPrintable(QString::number(question->width())));
        QVERIFY(finding->y() >= question->geometry().bottom());
    }

    void answersMakeAStepDone() {
        PageRoom bench;
        QSignalSpy progress(&bench.page, &LessonsPage::progressChanged);
        QSignalSpy checks(&bench.page, &LessonsPage::checkRequested);
        bench.click(bench.page.nextButton());
        QCOMPARE(bench.page.currentStep(), QString("what-a-warp-asks-for"));
        QVERIFY(!bench.page.starterButton()->isVisible()); // there is no kernel in this step
        bench.answer("neighbours", "4");
        bench.answer("rows", "128");
        bench.answer("used", "12,5");
        QCOMPARE(bench.page.nextButton()->text(), QString("Skip this step"));
        test::keepPicture(bench.page, "lesson_answers");
        bench.answer("rows", "many");
        QCOMPARE(bench.page.nextButton()->text(), QString("Skip this step"));
        bench.answer("rows", "32");
        QCOMPARE(bench.page.nextButton()->text(), QString("Next step"));
        QCOMPARE(checks.count(), 0);
        QVERIFY(progress.count() > 0);
        QVERIFY(progress.last().at(0).toByteArray().contains("\"met\""));
    }

    /// A percentage may be written as one, and what is no number stays said after Check.
    void answersAreReadAsTheyAreWritten() {
        PageRoom bench;
        bench.click(bench.page.nextButton());
        const auto says = [&](const QString& text) {
            for (const auto* label : bench.page.conditions()->findChildren<QLabel*>())
                if (label->text().contains(text)) return true;
            return false;
        };
        bench.answer("neighbours", "4");
        bench.answer("rows", "32");
        for (const char* text : {"12.5%", "12,5 %", "12.5 percent", "1.25e1"}) {
            bench.answer("used", text);
            QVERIFY2(says("12.5 is right."), text);
        }
        bench.answer("used", "an eighth");
        QVERIFY(says("\"an eighth\" is not a number"));
        bench.click(bench.page.checkButton());
        QVERIFY(says("\"an eighth\" is not a number"));
        QVERIFY(!says("Not answered yet"));
        // What was typed counts although nobody pressed Return there.
        bench.page.conditions()->answerField("used")->setText("12.5 %");
        bench.click(bench.page.checkButton());
        QVERIFY(says("12.5 is right."));
        QCOMPARE(bench.page.nextButton()->text(), QString("Next step"));
    }

    void theListShowsTheLessonOneIsIn() {
        PageRoom bench;
        auto* tree = bench.page.tree();
        QVERIFY(bench.page.show("coalescing", "walk-along-the-rows"));
        QVERIFY(tree->topLevelItem(0)->isExpanded() && !tree->topLevelItem(1)->isExpanded());
        QVERIFY(bench.page.show("tiling", ""));
        QVERIFY(!tree->topLevelItem(0)->isExpanded() && tree->topLevelItem(1)->isExpanded());
        bench.page.resize(430, 860); // as it is beside the editor
        WAIT_VERIFY(tree->viewport()->height() >= 7 * tree->visualItemRect(tree->topLevelItem(0)).height());
    }

    void aLessonIsStartedOver() {
        PageRoom bench;
        StartOver& over = *bench.page.startOver();
        bench.click(bench.page.nextButton());
        QVERIFY(!over.textAction()->isEnabled() && over.lessonAction()->isEnabled()); // no kernel in this step
        bench.answer("neighbours", "4");
        bench.answer("rows", "32");
        bench.answer("used", "12.5");
        QVERIFY(bench.page.show("tiling", "share-a-tile"));
        QSignalSpy texts(&bench.page, &LessonsPage::startOverRequested);
        over.textAction()->trigger();
        QCOMPARE(texts.takeFirst(), (QVariantList{"tiling", "share-a-tile"}));
        QVERIFY(bench.page.show("coalescing", ""));
        over.lessonAction()->trigger();
        QVERIFY(over.confirmButton()->isVisible()); // it asks
        QVERIFY(bench.page.progress().contains("\"met\""));
        bench.click(over.confirmButton());
        QVERIFY(!bench.page.progress().contains("\"met\"") && bench.page.progress().contains("share-a-tile"));
        QVERIFY(bench.page.currentStep().isEmpty());
        QVERIFY(bench.page.show("coalescing", "what-a-warp-asks-for"));
        QVERIFY(bench.page.conditions()->answerField("rows")->text().isEmpty());
        over.allAction()->trigger();
        bench.click(over.confirmButton());
        QVERIFY(!bench.page.progress().contains("share-a-tile"));
        QVERIFY(!over.allAction()->isEnabled());
    }

    void theLastLessonEndsInTheUnfinishedOneOrSaysSo() {
        PageRoom bench;
        lesson::Progress reached;
        const std::vector<lesson::Lesson> lessons = twoLessons();
        for (const auto& lesson : lessons)
            for (const auto& step : lesson.steps)
                reached.lessons[lesson.id].steps[step.id].state = lesson::StepProgress::State::met;
        const auto done = [&reached] { return QByteArray::fromStdString(lesson::progressText(reached)); };
        bench.page.setProgress(done());
        QVERIFY(bench.page.show("tiling", "a-square-for-each-thread"));
        QCOMPARE(bench.page.nextButton()->text(), QString("All lessons are done"));
        QVERIFY(!bench.page.nextButton()->isEnabled());
        reached.lessons["coalescing"].steps["what-a-warp-asks-for"].state = lesson::StepProgress::State::skipped;
        bench.page.setProgress(done());
        QVERIFY(bench.page.show("tiling", "a-square-for-each-thread"));
        QCOMPARE(bench.page.nextButton()->text(), QString("To the unfinished lesson"));
        bench.click(bench.page.nextButton());
        QCOMPARE(bench.page.currentLesson(), QString("coalescing"));
    }

    void oursIsReadBesideAnOwnSolution() {
        PageRoom bench;
        QVERIFY(bench.page.show("coalescing", "walk-along-the-rows"));
        auto* compare = bench.page.hints()->compareButton();
        QVERIFY(!compare->isVisible());
        QSignalSpy comparisons(&bench.page, &LessonsPage::comparisonRequested);
        bench.page.setEvidence("coalescing", "walk-along-the-rows", goodEvidence());
        QVERIFY(compare->isVisible());
        bench.page.resize(380, 760); // narrower than it is beside the editor
        const auto right = [&](QWidget* w) { return w->mapTo(&bench.page, QPoint(w->width(), 0)).x(); };
        for (QWidget* button : std::initializer_list<QWidget*>{compare, bench.page.hints()->solutionButton(),
                                                               bench.page.startOver()->button()})
            WAIT_VERIFY2(right(button) <= 380, qPrintable(QString::number(right(button))));
        bench.click(compare);
        QCOMPARE(comparisons.takeFirst(), (QVariantList{"coalescing", "walk-along-the-rows"}));
        QVERIFY(bench.page.show("coalescing", "take-turns-instead-of-shares"));
        QVERIFY(!compare->isVisible());
        test::keepPicture(bench.page, "lesson_compare");
    }

    void evidenceMakesAStepDone() {
        PageRoom bench;
        QVERIFY(bench.page.show("coalescing", "walk-along-the-rows"));
        QSignalSpy starters(&bench.page, &LessonsPage::starterRequested);
        QSignalSpy checks(&bench.page, &LessonsPage::checkRequested);
        bench.click(bench.page.starterButton());
        bench.click(bench.page.checkButton());
        QCOMPARE(starters.count(), 1);
        QCOMPARE(checks.takeFirst(), (QVariantList{"coalescing", "walk-along-the-rows"}));

        bench.page.setBusy(true, "Verifying");
        QVERIFY(!bench.page.checkButton()->isEnabled());
        bench.click(bench.page.checkButton());
        QCOMPARE(checks.count(), 0);
        bench.page.setBusy(false);

        auto evidence = goodEvidence();
        evidence.counters["global_load_sectors"] = 3200;
        bench.page.setEvidence("coalescing", "walk-along-the-rows", evidence);
        QCOMPARE(bench.page.nextButton()->text(), QString("Skip this step"));
        test::keepPicture(bench.page, "lesson_unmet");
        // Evidence of another step changes nothing here.
        bench.page.setEvidence("coalescing", "take-turns-instead-of-shares", goodEvidence());
        QCOMPARE(bench.page.nextButton()->text(), QString("Skip this step"));
        bench.page.setEvidence("coalescing", "walk-along-the-rows", goodEvidence());
        QCOMPARE(bench.page.nextButton()->text(), QString("Next step"));
        bench.theme.setChoice(Theme::Choice::dark);
        test::keepPicture(bench.page, "lesson_met_dark");
    }

    /// The introduction and the last step of all lessons, as wide as the page is beside the editor.
    void everyLessonFitsInBothThemes() {
        PageRoom bench;
        bench.page.resize(500, 1000);
        const std::vector<lesson::Lesson> lessons = lesson::builtInLessons().value();
        bench.page.setLessons(lessons);
        for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
            bench.theme.setChoice(choice);
            const QString theme = Theme::word(choice);
            for (const auto& lesson : lessons)
                for (const std::string& step : {std::string(), lesson.steps.back().id}) {
                    const QString name = QString::fromStdString(lesson.id);
                    QVERIFY(bench.page.show(name, QString::fromStdString(step)));
                    const auto fits = [&] {
                        for (const auto* view : bench.page.findChildren<MarkdownView*>())
                            if (view->isVisible() && (view->document()->size().height() > view->height() ||
                                                      view->document()->idealWidth() > view->viewport()->width() + 1))
                                return false;
                        for (const auto* label : bench.page.findChildren<QLabel*>())
                            if (label->isVisible() && label->mapTo(&bench.page, QPoint(label->width(), 0)).x() > 500)
                                return false;
                        return true;
                    };
                    WAIT_VERIFY2(fits(), qPrintable(name + QString::fromStdString("/" + step)));
                    test::keepPicture(bench.page, "lesson_" + name + (step.empty() ? "_first_" : "_last_") + theme);
                }
        }
    }

    void whatAStepChangedIsTold() {
        PageRoom bench;
        const QString lesson = "coalescing", step = "walk-along-the-rows";
        QVERIFY(bench.page.show(lesson, step));
        ChangesPanel& changes = *bench.page.changes();
        lesson::StepEvidence starter = goodEvidence();
        starter.counters["global_load_sectors"] = 3200;
        starter.times[0].milliseconds = 0.7;
        bench.page.setStarter(lesson, step, starter);
        QVERIFY(!changes.isVisible());
        bench.page.setEvidence(lesson, step, goodEvidence());
        const auto texts = [&] {
            QStringList all;
            for (const auto* label : changes.findChildren<QLabel*>())
                if (!label->isHidden()) all << label->text();
            return all;
        };
        QVERIFY(changes.isVisible());
        for (const char* part : {"Time, modelled on NVIDIA H200", "700 µs", "127 µs", "Sectors per load request", "32",
                                 "Time of our solution, measured on NVIDIA H200"})
            QVERIFY2(texts().contains(QString::fromUtf8(part)), qPrintable(texts().join('\n')));
        for (const int width : {430, 1100}) { // nothing stands beyond the edge
            bench.page.resize(width, 760);
            WAIT_VERIFY(changes.mapTo(&bench.page, QPoint(changes.width(), 0)).x() <= width);
        }
        test::keepPicture(bench.page, "lesson_changes");
        bench.page.setEvidence(lesson, step, starter); // the text was made worse
        QVERIFY(!changes.isVisible());
    }

    /// As when a teacher takes a lesson away that is being read.
    void lessonsMayGoWhileTheyAreRead() {
        PageRoom bench;
        QVERIFY(bench.page.show("tiling", "share-a-tile"));
        bench.click(bench.page.hints()->hintButton());
        std::vector<lesson::Lesson> one = twoLessons();
        one.pop_back();
        bench.page.setLessons(one);
        bench.theme.setChoice(Theme::Choice::dark);
        QCOMPARE(bench.page.currentLesson(), QString("coalescing"));
        bench.page.setLessons({});
        bench.theme.setChoice(Theme::Choice::light);
        QVERIFY(bench.page.currentLesson().isEmpty());
        bench.page.setLessons(twoLessons());
        QVERIFY(bench.page.show("tiling", "share-a-tile"));
        QCOMPARE(bench.page.hints()->hintsShown(), 1);
    }

    void hintsComeOneByOneAndStay() {
        PageRoom bench;
        QVERIFY(bench.page.show("tiling", "share-a-tile"));
        auto* hints = bench.page.hints();
        QCOMPARE(hints->hintsShown(), 0);
        bench.click(hints->hintButton());
        bench.click(hints->hintButton());
        QCOMPARE(hints->hintsShown(), 2);
        bench.click(hints->hintButton());
        QVERIFY(!hints->hintButton()->isEnabled());
        // Nothing is cut off, with a scroll bar and in a narrow page too.
        for (const int width : {1100, 760}) {
            bench.page.resize(width, 700);
            QTest::qWait(50);
            for (const auto* view : bench.page.findChildren<MarkdownView*>())
                if (view->isVisible()) WAIT_VERIFY(view->document()->size().height() <= view->height());
        }
        bench.page.resize(1100, 760);
        test::keepPicture(bench.page, "lesson_hints");
        bench.click(bench.page.previousButton());
        bench.click(bench.page.nextButton());
        QCOMPARE(bench.page.currentStep(), QString("share-a-tile"));
        QCOMPARE(hints->hintsShown(), 3);
    }

    void solutionAsksFirst() {
        PageRoom bench;
        QVERIFY(bench.page.show("tiling", "share-a-tile"));
        QSignalSpy solutions(&bench.page, &LessonsPage::solutionRequested);
        auto* hints = bench.page.hints();
        bench.click(hints->solutionButton());
        QCOMPARE(solutions.count(), 0);
        QVERIFY(hints->confirmButton()->isVisible());
        bench.click(hints->confirmButton());
        QCOMPARE(solutions.takeFirst(), (QVariantList{"tiling", "share-a-tile"}));
        QVERIFY(!hints->confirmButton()->isVisible());
        QVERIFY(bench.page.progress().contains("\"solution\":true"));
    }

    void skippingUnlocksAndIsSaid() {
        PageRoom bench;
        auto* steps = bench.page.tree()->topLevelItem(0);
        QVERIFY(steps->child(1)->isDisabled());
        bench.click(bench.page.nextButton());
        bench.click(bench.page.nextButton());
        QCOMPARE(bench.page.currentStep(), QString("walk-along-the-rows"));
        QVERIFY(!steps->child(1)->isDisabled());
        QVERIFY(steps->child(0)->toolTip(0).startsWith("Skipped"));
        QVERIFY(bench.page.progress().contains("skipped"));
    }

    void progressComesBack() {
        PageRoom first;
        first.click(first.page.nextButton());
        first.answer("rows", "32");
        first.click(first.page.nextButton());
        const QByteArray kept = first.page.progress();
        PageRoom second;
        second.page.setProgress(kept);
        QCOMPARE(second.page.currentStep(), QString("walk-along-the-rows"));
        QVERIFY(second.page.show("coalescing", "what-a-warp-asks-for"));
        QCOMPARE(second.page.conditions()->answerField("rows")->text(), QString("32"));
        second.page.setProgress("not json");
        QCOMPARE(second.page.currentStep(), QString("what-a-warp-asks-for"));
    }

    void theTreeIsTheOtherWay() {
        PageRoom bench;
        auto* tree = bench.page.tree();
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(bench.page.currentStep(), QString("what-a-warp-asks-for"));
        QVERIFY(!bench.page.find("coalescing", "nothing"));
        QVERIFY(!bench.page.show("nothing", ""));
    }

    void noLessonsAreSaid() {
        PageRoom bench;
        bench.page.setLessons({}, {"mine/lesson.md:3: no title."});
        QVERIFY(bench.page.currentLesson().isEmpty());
        QVERIFY(!bench.page.nextButton()->isEnabled());
    }

    void markdownFollowsTheThemeAndLoadsNothing() {
        Theme theme;
        theme.setChoice(Theme::Choice::dark);
        MarkdownView view(theme);
        view.resize(400, 100);
        view.setText("Text with `code`, and enough words after it to fill more than one line of a narrow "
                     "page.\n\n![x](/etc/hostname)\n\n```cuda\nint i;\n```\n\n<b>raw</b>");
        QVERIFY(!view.loadResource(QTextDocument::ImageResource, QUrl("file:///etc/hostname")).isValid());
        QVERIFY(view.toPlainText().contains("<b>raw</b>"));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, longWait));
        const int wide = view.height();
        view.resize(180, view.height());
        WAIT_VERIFY(view.height() > wide);
        QCOMPARE(view.minimumHeight(), view.maximumHeight());
        bool found = false;
        for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
            if (block.text() == "int i;") {
                found = true;
                QCOMPARE(block.blockFormat().background().color(), theme.colours().raised);
            }
        QVERIFY(found);
    }
};

} // namespace

KERNELARIUM_TEST(TestLessonsPage);

} // namespace kernelarium::ui

#include "TestLessonsPage.moc"
