// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/Sqlite.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_statistics/StatisticsRoom.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/statistics/LinkedLabel.h"
#include "ui/statistics/StatisticsSection.h"
#include "ui/tour/BusyMeter.h"
#include "ui/widgets/EmptyState.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

namespace kernelarium::ui {

namespace {

using Page = StatisticsPage;

std::size_t shownRows(StatisticsRoom& room) {
    return room.workspace->archive().shown()->rows.size();
}

class TestStatisticsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void withoutAnArchiveItSaysWhatToDo() {
        StatisticsRoom room;
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.statistics"))->trigger();
        QVERIFY(room.page().isVisible());
        QVERIFY(room.page().emptyState().isVisible() && room.page().emptyState().button()->isVisible());
        QVERIFY(!room.page().desk().isBusy());
        room.keepPicture(QStringLiteral("statistics-none"));
    }

    void anEmptyArchiveSaysThatItIs() {
        StatisticsRoom room(rowsOfManyKinds(3));
        {
            sqlite::Database database(room.database().toStdString(), sqlite::Database::Access::readWrite);
            database.execute("DELETE FROM kernel");
        }
        QVERIFY(room.start());
        QVERIFY(room.open());
        QVERIFY(room.page().emptyState().isVisible());
        QVERIFY(room.page().emptyState().accessibleName().contains(QStringLiteral("empty")));
    }

    /// Nothing is counted before somebody looks; then it is all there.
    void countsWhenLookedAt() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start());
        QTest::qWait(200);
        QVERIFY(!room.page().desk().source().findings);
        QTest::keyClick(room.window.get(), Qt::Key_T, Qt::AltModifier);
        QVERIFY(room.page().isVisible());
        QVERIFY(room.waitUntilCounted());
        QCOMPARE(room.page().table(Page::overview)->figures().row(0).cells[1].sort.toInt(), 700);
        QVERIFY2(room.page().subline().contains(QStringLiteral("700 kernels of 21 tasks")),
                 qPrintable(room.page().subline()));
        QVERIFY(room.page().subline().contains(QStringLiteral("none was verified here")));
        QVERIFY(!room.page().headline().contains(QStringLiteral("fail here")));
        QVERIFY(room.page().table(Page::tasks)->model()->rowCount() == 21);
        QVERIFY(room.page().table(Page::tasks, 1)->model()->rowCount() > 0); // the first task's ranks
        QVERIFY(!room.page().chart(Page::fast)->isEmpty() && !room.page().chart(Page::speedups)->isEmpty());
        for (int section = 0; section < Page::sectionCount; ++section) {
            room.page().showSection(Page::Section(section));
            room.keepPicture(QStringLiteral("statistics-light-%1").arg(section));
        }
    }

    /// A click on a number, and Explore shows its kernels.
    void aNumberLeadsToExplore() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start() && room.open());
        FigureView& view = *room.page().table(Page::overview);
        const FigureRow& level = view.figures().row(1);
        QVERIFY(level.cells[0].text.startsWith(QStringLiteral("Level")));
        clickCell(view, 1, 4);
        const auto expected = level.cells[4].drill->rows();
        QVERIFY(expected.size() > 10);
        WAIT_COMPARE(shownRows(room), expected.size());
        QVERIFY(room.window->findChild<QDockWidget*>(QStringLiteral("archive"))->isVisible());
        QVERIFY(room.page().isVisible()); // it stays beside
        QCOMPARE(room.window->archive().model().rowCount(), int(expected.size()));
        // By keyboard, from a chart.
        room.page().showSection(Page::speedups);
        ChartCanvas& canvas = room.page().chart(Page::speedups)->plot();
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Home);
        QVERIFY(canvas.current() >= 0);
        for (int i = 0; i < canvas.markCount() && canvas.point(canvas.current()).y == 0; ++i)
            QTest::keyClick(&canvas, Qt::Key_Right);
        const double count = canvas.point(canvas.current()).y;
        QVERIFY(count > 0);
        QTest::keyClick(&canvas, Qt::Key_Return);
        WAIT_COMPARE(double(shownRows(room)), count);
    }

    /// What a search cannot say is listed on the page; from there a kernel is opened, and the editor is back.
    void whatNoSearchSaysIsListed() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start() && room.open());
        FigureView& view = *room.page().table(Page::overview);
        view.setFocus();
        view.setCurrentIndex(view.model()->index(0, 3)); // solved: the best kernel of each task
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(room.page().sections().currentRow(), int(Page::kernels));
        FigureView& list = *room.page().table(Page::kernels);
        WAIT_COMPARE(list.model()->rowCount(),
                     int(room.page().desk().source().findings->archived.groups.all.tasksWithCorrect));
        QCOMPARE(shownRows(room), std::size_t(700)); // Explore is left alone
        room.keepPicture(QStringLiteral("statistics-kernels"));
        list.setCurrentIndex(list.model()->index(2, 1));
        const QString name = list.currentIndex().data().toString();
        QTest::keyClick(&list, Qt::Key_Return);
        WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
        QCOMPARE(room.workspace->bench().kernel().title, name);
        QVERIFY(!room.window->isShowingPage());
        QVERIFY(room.window->editorArea().isVisible());
    }

    /// Panels below and to the right make room for the page, and come back.
    void thePageTakesTheEditorsPlace() {
        StatisticsRoom room(rowsOfManyKinds(60));
        QVERIFY(room.start());
        auto* verdict = room.window->findChild<QDockWidget*>(QStringLiteral("verdict"));
        auto* inspector = room.window->findChild<QDockWidget*>(QStringLiteral("inspector"));
        QVERIFY(inspector->isVisible());
        QVERIFY(room.open());
        QVERIFY(room.page().isVisible() && !room.window->editorArea().isVisible());
        QVERIFY(!verdict->isVisible() && !inspector->isVisible());
        QVERIFY(room.page().height() > room.window->height() * 3 / 4);
        room.window->showDock(QStringLiteral("verdict")); // work that ends meanwhile takes nothing away
        QVERIFY(room.page().isVisible() && !verdict->isVisible());
        QTest::keyClick(room.window.get(), Qt::Key_F1);
        WAIT_VERIFY(room.window->findChild<QDockWidget*>(QStringLiteral("help"))->isVisible());
        QVERIFY(room.page().isVisible());
        QTest::keyClick(room.window.get(), Qt::Key_0, Qt::AltModifier);
        QVERIFY(!room.page().isVisible() && room.window->editorArea().isVisible());
        QVERIFY(inspector->isVisible() && verdict->isVisible());
        // A panel that is asked for is more than the page.
        QVERIFY(room.open());
        room.window->actions().action(QStringLiteral("go.roofline"))->trigger();
        QVERIFY(!room.window->isShowingPage());
        QVERIFY(room.window->findChild<QDockWidget*>(QStringLiteral("roofline"))->isVisible());
    }

    /// Every shortcut of the window arrives while a page is in focus, and Tab leaves no control of it out.
    void theKeyboardReachesEverything() {
        StatisticsRoom room(rowsOfManyKinds(60));
        QVERIFY(room.start() && room.open());
        QVERIFY(room.page().isAncestorOf(QApplication::focusWidget()));
        QSet<QWidget*> seen;
        QStringList way;
        for (int i = 0; i < 40; ++i) {
            seen << QApplication::focusWidget();
            way << QApplication::focusWidget()->accessibleName() + QLatin1Char('/') +
                       QLatin1String(QApplication::focusWidget()->metaObject()->className());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (QWidget* control : std::initializer_list<QWidget*>{&room.page().sections(), &room.page().scope(),
                                                                room.page().table(Page::overview)})
            QVERIFY2(seen.contains(control),
                     qPrintable(control->accessibleName() + QStringLiteral(" is not on the way ") +
                                way.join(QLatin1Char(' '))));
        QStringList lost;
        for (QAction* action : room.window->actions().all()) {
            if (action->shortcut().isEmpty() || action->shortcutContext() == Qt::WidgetShortcut)
                continue; // the widget's own
            action->disconnect(SIGNAL(triggered(bool)));
            action->setEnabled(true);
            for (QWidget* place :
                 std::initializer_list<QWidget*>{&room.page().sections(), room.page().table(Page::overview)}) {
                place->setFocus();
                QSignalSpy triggered(action, &QAction::triggered);
                QTest::keySequence(place, action->shortcut());
                if (triggered.size() != 1) lost << action->objectName();
            }
        }
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char(' '))));
    }

    void bothNumbersWhereWeContradict() {
        StatisticsRoom room(rowsOfManyKinds(), Theme::Choice::dark);
        const auto table = archive::Archive::open(room.database().toStdString())->table().value();
        int failing = 0, contradictions = 0, judged = 0;
        for (std::size_t row = 0; row < table.size() && judged < 60; row += 3, ++judged) {
            const bool wrong = judged % 2 == 0;
            room.judge(table.id[row], wrong ? verify::VerdictKind::wrong : verify::VerdictKind::verified);
            failing += wrong;
            contradictions += wrong && table.correct[row] == archive::KernelTable::Correct::yes;
        }
        QVERIFY(contradictions > 5);
        QVERIFY(room.start() && room.open());
        WAIT_VERIFY2(room.page().headline().contains(QStringLiteral("kernels that fail here")),
                     qPrintable(room.page().headline()));
        QVERIFY2(room.page().subline().contains(
                     QStringLiteral("60 verified here: %1 fail, %2 of them").arg(failing).arg(contradictions)),
                 qPrintable(room.page().subline()));
        FigureView& view = *room.page().table(Page::overview);
        QVERIFY(view.figures().row(1).isSecond);
        QCOMPARE(view.figures().row(1).cells[1].sort.toInt(), 700 - failing);
        QCOMPARE(room.page().table(Page::contradictions)->model()->rowCount(), contradictions);
        QVERIFY(room.page().sections().item(Page::contradictions)->text().contains(QString::number(contradictions)));
        const FigureRow& row = room.page().table(Page::contradictions)->figures().row(0);
        QVERIFY(row.cells[5].text.contains(QStringLiteral("correct")) &&
                row.cells[6].text.contains(QStringLiteral("wrong")));
        QCOMPARE(room.page().chart(Page::fast)->plot().data().series.size(), 4U);
        // The sentences' numbers lead there too, by the keyboard and by a click.
        const auto labels = room.page().findChildren<LinkedLabel*>();
        const auto factsAt = std::find_if(labels.begin(), labels.end(), [](const LinkedLabel* label) {
            return label->sentence().contains(QStringLiteral("verified here"));
        });
        QVERIFY(factsAt != labels.end());
        LinkedLabel& facts = **factsAt;
        facts.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&facts, Qt::Key_Tab);
        QTest::keyClick(&facts, Qt::Key_Return);
        WAIT_COMPARE(room.page().table(Page::kernels)->model()->rowCount(), 700);
        // Links by their place in the sentence: kernels, tasks, verified here, failing, archived as correct.
        const int rows[] = {700, 700, judged, failing, contradictions};
        for (const int link : {2, 3, 4, 1}) {
            Q_EMIT facts.linkActivated(QString::number(link));
            WAIT_COMPARE(room.page().table(Page::kernels)->model()->rowCount(), rows[link]);
        }
        Q_EMIT facts.linkActivated(QStringLiteral("17")); // there is none
        Q_EMIT facts.linkActivated(QStringLiteral("https://nowhere"));
        // The number without them leads to a list: no search knows our verdicts.
        clickCell(view, 1, 1);
        WAIT_COMPARE(room.page().table(Page::kernels)->model()->rowCount(), 700 - failing);
        for (int section = 0; section < Page::sectionCount; ++section) {
            room.page().showSection(Page::Section(section));
            room.keepPicture(QStringLiteral("statistics-dark-%1").arg(section));
        }
        // A verdict that is found while the page is open counts at once.
        QVERIFY(QTest::qWaitFor([&] { return !room.page().desk().isBusy(); }, longWait));
        audit::StoredVerdict found;
        found.key = {table.level[1], table.task[1], table.name[1], table.codeHash[1]};
        found.verdict = "wrong";
        found.timeMs = 99999;
        room.workspace->verdicts().learn(room.workspace->verdicts().path(), {found});
        WAIT_COMPARE(int(room.page().desk().source().findings->failing.size()), failing + 1);
    }

    void followsWhatExploreShows() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start() && room.open());
        room.page().scope().setCurrentIndex(1);
        QVERIFY(room.waitUntilCounted());
        QCOMPARE(room.page().scope().itemText(1),
                 QStringLiteral("What the Archive panel shows")); // as that panel is called
        room.window->archive().filters().setSearch(QStringLiteral("level:2 correct:yes"));
        WAIT_VERIFY(shownRows(room) < 700);
        WAIT_COMPARE(room.page().desk().source().findings->archived.rows.size(), shownRows(room));
        QVERIFY(room.waitUntilCounted());
        QVERIFY(room.page()
                    .table(Page::overview)
                    ->figures()
                    .row(0)
                    .cells[0]
                    .text.contains(QStringLiteral("Archive panel")));
        // There a number is listed here, so that the selection stays.
        const std::size_t before = shownRows(room);
        clickCell(*room.page().table(Page::overview), 0, 4);
        QCOMPARE(room.page().sections().currentRow(), int(Page::kernels));
        QCOMPARE(shownRows(room), before);
        // Nothing shown is said.
        room.window->archive().filters().setSearch(QStringLiteral("nothing_has_this_name"));
        WAIT_VERIFY(room.page().emptyState().isVisible());
        room.window->archive().filters().reset();
        WAIT_VERIFY(!room.page().emptyState().isVisible());
        room.page().scope().setCurrentIndex(0);
        QVERIFY(room.waitUntilCounted());
        QCOMPARE(room.page().desk().source().findings->archived.rows.size(), std::size_t(700));
    }

    void emptyTablesSayWhatTheyWouldShow() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start() && room.open());
        QVERIFY(room.waitUntilCounted());
        for (const auto section : {Page::contradictions, Page::kernels}) {
            room.page().showSection(section);
            FigureView* table = room.page().table(section);
            QCOMPARE(table->figures().rowCount(), 0);
            QVERIFY(!table->accessibleDescription().isEmpty());
            WAIT_VERIFY(table->isVisible());
            const QImage picture = table->viewport()->grab().toImage();
            int written = 0;
            for (int x = 0; x < picture.width(); ++x)
                for (int y = picture.height() / 2 - 10; y < picture.height() / 2 + 10; ++y)
                    written += contrast(QColor(picture.pixel(x, y)), room.theme.colours().field) > 3;
            QVERIFY2(written > 50, qPrintable(QString::number(written)));
        }
        // The list of sections: flat, and with room.
        QListWidget& list = room.page().sections();
        QVERIFY(list.sizeHintForRow(0) >= list.fontMetrics().height() + 8);
        const QRect row = list.visualItemRect(list.currentItem());
        const QImage picture = list.viewport()->grab().toImage();
        for (const int y : {row.top() + 1, row.bottom() - 1})
            QCOMPARE(QColor(picture.pixel(row.right() - 4, y)), room.theme.colours().selection);
    }

    void nobodyKnowsWhetherAnUnjudgedTaskIsSolved() {
        std::vector<nlohmann::json> rows;
        for (const char* name : {"one", "two"})
            rows.push_back(
                {{"Op_Name", "1_Op"}, {"Level_ID", 1}, {"Task_ID", 1}, {"Kernel_Name", name}, {"CUDA_Code", "int a;"}});
        StatisticsRoom room(rows);
        QVERIFY(room.start() && room.open());
        QVERIFY(room.waitUntilCounted());
        const FigureRow& all = room.page().table(Page::overview)->figures().row(0);
        QCOMPARE(all.cells[2].text, QStringLiteral("–")); // correct
        QCOMPARE(all.cells[3].text, QStringLiteral("–")); // solved
        QVERIFY(!all.cells[3].sort.isValid());
        QCOMPARE(room.page().table(Page::tasks)->figures().row(0).cells[3].text, QStringLiteral("–"));
    }

    /// One task with a claim and two without: the share of solved tasks is of the one, and what is not known is not
    /// among the correct.
    void whatNobodyClaimsIsNotUnsolved() {
        std::vector<nlohmann::json> rows;
        for (int task = 1; task <= 3; ++task)
            for (const char* name : {"one", "two"})
                rows.push_back({{"Op_Name", "1_Op"},
                                {"Level_ID", 1},
                                {"Task_ID", task},
                                {"Kernel_Name", name},
                                {"CUDA_Code", "int a;"}});
        rows[0]["Correct"] = true;
        rows[0]["CUDA_Speedup_Native"] = 2.0;
        rows[1]["Correct"] = false;
        StatisticsRoom room(rows);
        QVERIFY(room.start() && room.open());
        QVERIFY(room.waitUntilCounted());
        const FigureCell& solved = room.page().table(Page::overview)->figures().row(0).cells[3];
        QCOMPARE(solved.sort.toDouble(), 1.0);
        QVERIFY2(solved.toolTip.contains(QStringLiteral("1 of 1 tasks")) &&
                     solved.toolTip.contains(QStringLiteral("2 more are not counted")),
                 qPrintable(solved.toolTip));
        QCOMPARE(room.page().table(Page::tasks)->figures().row(1).cells[3].text, QStringLiteral("–"));
        const auto& fast = room.page().desk().source().findings->archived.fast;
        QCOMPARE(fast.tasks, std::int64_t(1));
        QCOMPARE(fast.kernels, std::int64_t(2));
        QCOMPARE(fast.tasksUnclaimed, std::int64_t(2));
        QCOMPARE(fast.kernelsUnclaimed, std::int64_t(4));
        QCOMPARE(fast.points.front().tasksNative, std::int64_t(1));
        const FigureTable errors = errorFigures(room.page().desk().source());
        QStringList counted;
        for (const FigureRow& row : errors.rows)
            counted << row.cells[0].text.section(QLatin1Char(':'), 0, 0) + QLatin1Char(' ') + row.cells[1].text;
        QCOMPARE(counted, (QStringList{QStringLiteral("none 1"), QStringLiteral("not known 4"),
                                       QStringLiteral("✗ wrong result 1")}));
    }

    void isAsItWasLeft() {
        StatisticsRoom room(rowsOfManyKinds(80));
        QVERIFY(room.start() && room.open());
        QListWidget& sections = room.page().sections();
        sections.setFocus();
        QTest::keyClick(&sections, Qt::Key_Down);
        QTest::keyClick(&sections, Qt::Key_Down);
        QCOMPARE(sections.currentRow(), 2);
        auto* inspector = room.window->findChild<QDockWidget*>(QStringLiteral("inspector"));
        QVERIFY(!inspector->isVisible());
        room.window->close();
        QVERIFY(room.start());
        QCOMPARE(room.page().sections().currentRow(), 2);
        QVERIFY(!room.window->isShowingPage());
        QVERIFY(room.window->findChild<QDockWidget*>(QStringLiteral("inspector"))
                    ->isVisible()); // the docks as with the editor
    }
};

} // namespace

KERNELARIUM_TEST(TestStatisticsPage);

} // namespace kernelarium::ui

#include "TestStatisticsPage.moc"
