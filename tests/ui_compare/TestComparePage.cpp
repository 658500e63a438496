// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SearchField.h"
#include "ui/compare/ComparePage.h"
#include "ui/compare/CounterPairModel.h"
#include "ui/desks/SessionDesk.h"
#include "ui/editor/DiffView.h"
#include "ui/frame/Actions.h"
#include "ui/sessions/SessionDock.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"
#include "ui/window/Pages.h"

#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

namespace kernelarium::ui {

namespace {

ComparePage& pageOf(Room& room) {
    return *room.window->findChild<ComparePage*>();
}

bool narrowTo(Room& room, const QString& text, int rows) {
    room.window->archive().filters().field().setText(text);
    return QTest::qWaitFor([&] { return room.window->archive().model().rowCount() == rows; }, longWait);
}

class TestComparePage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void anEmptyPageSaysWhatToDo() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_B, Qt::AltModifier);
        QVERIFY(pageOf(room).isVisible());
        QVERIFY(pageOf(room).emptyState().isVisible() && pageOf(room).emptyState().button()->isVisible());
        QVERIFY(!room.window->actions().action(QStringLiteral("compare.original"))->isEnabled());
        pageOf(room).emptyState().button()->click();
        WAIT_VERIFY(room.window->archive().table().hasFocus());
    }

    /// Two rows by keyboard and the context menu: texts, compiled texts and counters of both.
    void twoArchivedKernels() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(narrowTo(room, QStringLiteral("task:1/36"), 3));
        KernelTableView& table = room.window->archive().table();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, KernelTableModel::name));
        pressKey(table, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(table.chosenRows().size(), 2);
        Q_EMIT table.customContextMenuRequested(
            table.visualRect(table.model()->index(1, KernelTableModel::name)).center());
        QAction* compare = nullptr;
        for (auto* menu : room.window->archive().findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                if (action->text() == QLatin1String("Co&mpare the two")) compare = action;
        QVERIFY(compare && compare->isEnabled());
        compare->trigger();
        ComparePage& page = pageOf(room);
        QVERIFY(page.isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().stage, Stage::finished);
        const Comparison found = *page.desk().state().found; // another one replaces it
        QVERIFY2(found.a.problem.isEmpty() && found.b.problem.isEmpty(), qPrintable(found.a.problem + found.b.problem));
        QVERIFY(found.complete && found.a.source != found.b.source);
        QVERIFY(found.a.ptx.contains(QStringLiteral(".entry")) && found.b.ptx.contains(QStringLiteral(".entry")));
        WAIT_VERIFY(page.diff(ComparePage::texts).changes() > 0);
        WAIT_VERIFY(page.diff(ComparePage::ptx).changes() > 0);
        QVERIFY(page.model().rowCount() > 10);
        QVERIFY2(page.sentences().contains(QStringLiteral("Modelled on H200: A ")), qPrintable(page.sentences()));
        // By key to the counters, which sort by how far the two are apart.
        page.views().setCurrentIndex(ComparePage::counters);
        page.table().sortByColumn(CounterPairModel::ratio, Qt::DescendingOrder);
        const auto apart = [&](int row) {
            return page.table()
                .model()
                ->index(row, CounterPairModel::ratio)
                .data(CounterPairModel::sortRole)
                .toDouble();
        };
        QVERIFY(apart(0) >= apart(1) && apart(1) >= apart(page.model().rowCount() - 1));
        QVERIFY(page.isVisible()); // choosing the second row has opened no kernel
        room.keepPicture(QStringLiteral("compare-light"));
        for (auto* button : page.findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Swap A and B")) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning() && page.desk().state().found; }, longWait));
        QCOMPARE(page.desk().state().found->b.source, found.a.source);
    }

    /// An edited text beside its original, and a change taken back from there.
    void theBenchBesideItsOriginal() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 36, "naive"));
        Bench& bench = room.workspace->bench();
        const QString original = bench.source();
        bench.setSource(original + QStringLiteral("\n// edited\n"), 0);
        WAIT_VERIFY(room.window->actions().action(QStringLiteral("compare.original"))->isEnabled());
        room.window->actions().action(QStringLiteral("compare.original"))->trigger();
        ComparePage& page = pageOf(room);
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().stage, Stage::finished);
        QVERIFY2(page.desk().state().found->b.problem.isEmpty(), qPrintable(page.desk().state().found->b.problem));
        DiffView& diff = page.diff(ComparePage::texts);
        WAIT_VERIFY(diff.changes() == 1);
        WAIT_VERIFY((diff.nextChange(), diff.revertChange(), bench.source() == original));
    }

    /// Two attempts of the session: neither is what the editor has.
    void twoAttempts() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 36, "naive"));
        Bench& bench = room.workspace->bench();
        std::vector<qint64> ids;
        for (const char* comment : {"// first\n", "// second\n"}) {
            session::Attempt attempt;
            attempt.kernelKey = bench.kernel().key.toStdString();
            attempt.kernelTitle = "naive";
            attempt.session = room.workspace->session().current();
            attempt.level = 1;
            attempt.task = 36;
            attempt.source = comment + bench.source().toStdString();
            room.workspace->session().add(attempt, [&ids](Result<std::int64_t> id) { ids.push_back(id ? *id : 0); });
        }
        WAIT_VERIFY(ids.size() == 2);
        QVERIFY(ids[0] > 0 && ids[1] > 0);
        Q_EMIT room.window->panel<SessionDock>().panel().compareRequested(ids[0], ids[1]);
        ComparePage& page = pageOf(room);
        WAIT_VERIFY(page.isVisible() && page.desk().isRunning());
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().stage, Stage::finished);
        const Comparison found = *page.desk().state().found;
        QVERIFY2(found.a.problem.isEmpty() && found.b.problem.isEmpty(), qPrintable(found.a.problem + found.b.problem));
        QVERIFY(found.a.source.startsWith(QStringLiteral("// first")));
        QVERIFY(found.b.source.startsWith(QStringLiteral("// second")));
        QVERIFY(page.model().rowCount() > 10); // counters of both
        DiffView& diff = page.diff(ComparePage::texts);
        WAIT_VERIFY(diff.changes() == 1);
        QVERIFY2(diff.sideName(0).contains(QStringLiteral("#%1").arg(ids[0])), qPrintable(diff.sideName(0)));
        QVERIFY2(diff.sideName(1).contains(QStringLiteral("#%1").arg(ids[1])), qPrintable(diff.sideName(1)));
    }

    void whatDoesNotCompileIsSaid() {
        Room room;
        QVERIFY(room.start());
        ComparePage& page = pageOf(room);
        ComparedKernel broken;
        broken.title = QStringLiteral("broken");
        broken.source = QStringLiteral("__global__ void k() { this is no code }\n");
        page.compare(page.archived(0), broken);
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().stage, Stage::finished);
        QVERIFY(page.sentences().contains(QStringLiteral("B: it does not compile")));
        QVERIFY(!page.desk().state().found->a.ptx.isEmpty());
        QCOMPARE(page.model().rowCount(), 0);
    }
};

} // namespace

KERNELARIUM_TEST(TestComparePage);

} // namespace kernelarium::ui

#include "TestComparePage.moc"
