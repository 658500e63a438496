// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidateModel.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/SuperoptBar.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// The page with the candidates of a task listed; null: they did not come.
CandidatesView* listedCandidates(Room& room, int level, int task) {
    room.press(Qt::Key_Z, Qt::AltModifier);
    auto* page = room.window->findChild<SuperoptPage*>();
    if (!page || !page->isVisible()) return nullptr;
    QComboBox& tasks = page->bar().tasks();
    tasks.setCurrentIndex(tasks.findData(QPoint(level, task)));
    QTabBar& tabs = *page->parts().tabBar();
    QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(1).center());
    CandidatesView& view = page->candidates();
    const std::string key = std::to_string(level) + "/" + std::to_string(task);
    const auto there = [&] {
        const auto& list = view.desk().state().answer;
        return page->isSettled() && !view.desk().isListing() && list && list->question.card->key() == key;
    };
    return QTest::qWaitFor(there, longWait) ? &view : nullptr;
}

QString cellOf(CandidatesView& view, int row, int column) {
    return view.table().model()->index(row, column).data().toString();
}

QAction* actionOf(QWidget& widget, const QString& text) {
    for (QAction* action : widget.actions())
        if (action->text() == text) return action;
    return nullptr;
}

} // namespace

class TestCandidates : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void filesAreListedTheFastestFirstAndRefusedOnesLast() {
        Room room;
        QVERIFY(room.start());
        CandidatesView* const view = listedCandidates(room, 2, 50);
        QVERIFY(view);
        const QAbstractItemModelTester tester(&view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester order(view->table().model(),
                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto& candidates = view->desk().state().answer->candidates;
        QVERIFY(candidates.all.size() > 2 && !candidates.refused.empty());
        const int files = int(candidates.all.size()), rows = view->table().model()->rowCount();
        QCOMPARE(rows, files + int(candidates.refused.size()));
        QCOMPARE(cellOf(*view, 0, CandidateModel::name), QString::fromStdString(candidates.all.front().name));
        for (int row = files; row < rows; ++row) {
            QVERIFY(cellOf(*view, row, CandidateModel::launches).startsWith(QStringLiteral("refused: ")));
            QVERIFY(view->table().columnSpan(row, CandidateModel::launches) > 1);
        }
        QVERIFY2(view->said().contains(QStringLiteral("%1 files").arg(files)), qPrintable(view->said()));
        for (int row = 0; row < files; ++row) { // nothing was run
            QVERIFY(!cellOf(*view, row, CandidateModel::modelled).isEmpty());
            QVERIFY(cellOf(*view, row, CandidateModel::measured).isEmpty());
            QVERIFY(cellOf(*view, row, CandidateModel::verified).isEmpty());
        }
        room.keepPicture(QStringLiteral("superopt-candidates"));
        // The slowest first, by its header: refused ones stay last.
        QHeaderView& header = *view->table().horizontalHeader();
        const QPoint modelled(header.sectionViewportPosition(CandidateModel::modelled) + 10, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, modelled);
        QCOMPARE(cellOf(*view, 0, CandidateModel::name), QString::fromStdString(candidates.all.back().name));
        QVERIFY(cellOf(*view, rows - 1, CandidateModel::launches).startsWith(QStringLiteral("refused: ")));
        // A refused one says why, and cannot be put or proved.
        view->table().setFocus();
        pressKey(view->table(), Qt::Key_End, Qt::ControlModifier);
        QVERIFY(!view->chosen());
        QVERIFY(!view->putButton().isEnabled() && !view->proveButton().isEnabled());
        QVERIFY(!view->evidence().toPlainText().isEmpty());
        pressKey(view->table(), Qt::Key_Return);
        QVERIFY(room.workspace->bench().kernel().isEmpty());
    }

    void returnPutsTheChosenFileOnTheBench() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        CandidatesView* view = listedCandidates(room, 1, 23);
        QVERIFY(view && view->chosen());
        room.keepPicture(QStringLiteral("superopt-candidates-dark"));
        QVERIFY(!view->levels().graph().frames.empty());
        view->choose("fused");
        QVERIFY(view->chosen() && view->chosen()->name == "fused");
        const QString text = QString::fromStdString(view->chosen()->file.text);
        // By the context menu: its text, and its row.
        QAction* const copy = actionOf(view->table(), QStringLiteral("Copy the file's text"));
        QVERIFY(copy && view->table().contextMenuPolicy() == Qt::ActionsContextMenu);
        copy->trigger();
        QCOMPARE(QApplication::clipboard()->text(), text);
        QAction* const rows = actionOf(view->table(), QStringLiteral("Copy rows"));
        QVERIFY(rows);
        rows->trigger();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\nfused\t")));
        view->views().setCurrentWidget(&view->text());
        QCOMPARE(view->text().toPlainText(), text);
        view->table().setFocus();
        pressKey(view->table(), Qt::Key_Return);
        Bench& bench = room.workspace->bench();
        QCOMPARE(bench.kernel().title, QStringLiteral("1_23_fused.cu"));
        QCOMPARE(bench.source(), text);
        QCOMPARE(*bench.kernel().task, (task::TaskKey{1, 23}));
        QVERIFY(room.workspace->assignment().card());
        QVERIFY(!view->isVisible()); // the editor is in front
        room.press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_VERIFY(room.workspace->runner().verifyState().answer);
        QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        QVERIFY(room.waitUntilIdle());
        // Its attempt says where it comes from, and the list what came out of it.
        WAIT_VERIFY(!room.workspace->past().known().empty());
        QVERIFY(QString::fromStdString(room.workspace->past().known().back().kernelKey)
                    .startsWith(QStringLiteral("generated:1/23/fused/")));
        view = listedCandidates(room, 1, 23);
        QVERIFY(view);
        WAIT_VERIFY(view->desk().findings("fused").verdict == "verified");
        view->choose("fused");
        const int row = view->table().currentIndex().row();
        WAIT_VERIFY(cellOf(*view, row, CandidateModel::verified).contains(QStringLiteral("verified")));
        QVERIFY(cellOf(*view, row, CandidateModel::measured).isEmpty());
    }

    void aProofIsClimbedAndShownRungByRung() {
        Room room;
        QVERIFY(room.start());
        CandidatesView* const view = listedCandidates(room, 1, 12);
        QVERIFY(view);
        view->choose("naive");
        QVERIFY(view->chosen());
        QVERIFY(view->evidence().toPlainText().contains(QStringLiteral("Not proved yet")));
        view->proveButton().setFocus();
        pressKey(view->proveButton(), Qt::Key_Space);
        QVERIFY(view->desk().isProving() && view->cancelButton().isVisible());
        WAIT_VERIFY(!view->desk().isProving());
        const CandidateFindings found = view->desk().findings("naive");
        QVERIFY2(found.proof, found.noProof.message.c_str());
        QCOMPARE(view->views().currentWidget(), &view->evidence());
        QVERIFY2(view->evidence().toPlainText().contains(QStringLiteral("float64")),
                 qPrintable(view->evidence().toPlainText()));
        QVERIFY(!cellOf(*view, view->table().currentIndex().row(), CandidateModel::proof).isEmpty());
        room.keepPicture(QStringLiteral("superopt-evidence"));
    }

    void listsAndProofsAreCancelled() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        auto& page = *room.window->findChild<SuperoptPage*>();
        QComboBox& tasks = page.bar().tasks();
        tasks.setCurrentIndex(tasks.findData(QPoint(3, 11))); // a network
        WAIT_VERIFY(page.isSettled() && page.desk().state().answer);
        CandidatesView& view = page.candidates();
        QVERIFY(!view.desk().isListing() && !view.desk().state().answer); // nobody looks
        page.parts().setCurrentIndex(1);
        QVERIFY(view.desk().isListing() && view.cancelButton().isVisible());
        QTest::mouseClick(&view.cancelButton(), Qt::LeftButton);
        QCOMPARE(view.desk().state().stage, Stage::cancelled);
        QVERIFY(view.emptyState().isVisible() && view.emptyState().button()->isVisible());
        QVERIFY(!view.cancelButton().isVisible());
        // Another task's comes, and only that.
        CandidatesView* const listed = listedCandidates(room, 1, 23);
        QVERIFY(listed == &view && view.chosen());
        view.desk().prove(view.chosen()->name);
        QVERIFY(view.desk().isProving());
        view.cancelButton().click();
        QCOMPARE(view.desk().proofState().stage, Stage::cancelled);
        QVERIFY(!view.desk().findings(view.chosen()->name).proof);
        QVERIFY(view.chosen() && view.proveButton().isEnabled()); // the list is still there
    }
};

KERNELARIUM_TEST(TestCandidates);

} // namespace kernelarium::ui

#include "TestCandidates.moc"
