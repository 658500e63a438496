// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/sessions/SessionPanel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

namespace kernelarium::ui {
namespace {

using session::AttemptSummary;
using session::Timing;

AttemptSummary attempt(qint64 id, const char* verdict, double measured = 0) {
    AttemptSummary made;
    made.id = id;
    made.session = 1;
    made.kernelKey = "L1/T1/naive@1a2b3c4d";
    made.kernelTitle = "naive";
    made.createdMs = 1'772'374'000'000 + id * 60'000;
    made.verdict = verdict;
    if (measured > 0) {
        made.timings.resize(2);
        for (Timing& timing : made.timings) {
            timing.device = "NVIDIA H200";
            timing.size = "full";
        }
        made.timings[0].origin = Timing::Origin::measured;
        made.timings[0].milliseconds = measured;
        made.timings[0].relativeNoise = 0.004;
        made.timings[1].origin = Timing::Origin::modelled;
        made.timings[1].milliseconds = measured * 0.8;
        made.timings[1].relativeNoise = 0;
    }
    return made;
}

AttemptModel::Attempts attempts(int count) {
    auto all = std::make_shared<std::vector<AttemptSummary>>();
    const char* const verdicts[] = {"verified", "wrong", "", "compile_error", "fault"};
    for (int i = 0; i < count; ++i)
        all->push_back(attempt(i + 1, verdicts[i % 5], i % 5 == 0 ? 34.7 / (i + 1) : 0));
    return all;
}

struct PanelRoom {
    Theme theme;
    SessionPanel panel{theme};

    PanelRoom() {
        theme.setChoice(Theme::Choice::light);
        panel.resize(1200, 400);
        panel.setSessions({{1, "Tiling & <b>", 0, 0, 12}, {2, "Second", 0, 0, 0}}, 1);
        panel.setAttempts(attempts(12));
        panel.show();
        if (!QTest::qWaitForWindowExposed(&panel, longWait)) qWarning("the panel does not show");
    }
    void click(QWidget* button) { QTest::mouseClick(button, Qt::LeftButton); }
    void select(std::initializer_list<int> rows) {
        auto* selection = panel.table().selectionModel();
        selection->clear();
        for (const int row : rows)
            selection->select(panel.table().model()->index(row, 0),
                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
        if (rows.size() == 1)
            selection->setCurrentIndex(panel.table().model()->index(*rows.begin(), 0), QItemSelectionModel::NoUpdate);
    }
};

class TestSessionPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void modelKeepsItsPromises() {
        Theme theme;
        AttemptModel model(theme);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &AttemptModel::modelReset);
        QSignalSpy inserts(&model, &AttemptModel::rowsInserted);
        model.setAttempts(attempts(3));
        model.setAttempts(attempts(5)); // the same ones and two more
        QCOMPARE(resets.count(), 1);
        QCOMPARE(inserts.count(), 1);
        model.setAttempts(attempts(5));
        model.setAttempts(attempts(2));
        QCOMPARE(resets.count(), 2);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowOf(2), 1);
        QCOMPARE(model.rowOf(9), -1);
        QVERIFY(!model.index(0, AttemptModel::columnCount_).isValid());
        model.setAttempts(attempts(0));
    }

    void cellsSayWhatTheyMean() {
        Theme theme;
        AttemptModel model(theme);
        model.setAttempts(attempts(3));
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, AttemptModel::verdict), QString("✓ verified"));
        QCOMPARE(text(1, AttemptModel::verdict), QString("✗ wrong"));
        QCOMPARE(text(2, AttemptModel::verdict), QString("not verified"));
        QCOMPARE(text(0, AttemptModel::measured), QString("34.700"));
        QCOMPARE(text(1, AttemptModel::measured), QString());
        const QString tip = model.index(0, AttemptModel::measured).data(Qt::ToolTipRole).toString();
        for (const char* part : {"34.700 ms", "measured", "NVIDIA H200", "full", "0.4%"})
            QVERIFY2(tip.contains(part), qPrintable(tip));
    }

    void namesAndNotesAreEditedInPlace() {
        PanelRoom bench;
        QSignalSpy names(&bench.panel, &SessionPanel::nameEdited);
        QSignalSpy notes(&bench.panel, &SessionPanel::notesEdited);
        bench.select({0}); // the newest comes first: attempt 12
        bench.panel.table().setFocus();
        QTest::keyClick(&bench.panel.table(), Qt::Key_F2);
        auto* editor = bench.panel.table().findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, "tile 64");
        QTest::keyClick(editor, Qt::Key_Return);
        WAIT_COMPARE(names.count(), 1); // the view takes what was typed when it comes back to its events
        QCOMPARE(names.takeFirst(), (QVariantList{qint64(12), "tile 64"}));
        const QModelIndex note = bench.panel.model().index(3, AttemptModel::notes);
        QVERIFY(bench.panel.model().setData(note, "why"));
        QVERIFY(bench.panel.model().setData(note, "why")); // no change, no second signal
        QCOMPARE(notes.count(), 1);
        QVERIFY(!bench.panel.model().setData(bench.panel.model().index(0, AttemptModel::verdict), "verified"));
    }

    void actionsFollowTheSelection() {
        PanelRoom bench;
        QSignalSpy compared(&bench.panel, &SessionPanel::compareRequested);
        QSignalSpy restored(&bench.panel, &SessionPanel::restoreRequested);
        QSignalSpy opened(&bench.panel, &SessionPanel::attemptActivated);
        bench.panel.table().clearSelection();
        QVERIFY(!bench.panel.compareAction().isEnabled() && !bench.panel.restoreAction().isEnabled());
        QVERIFY(bench.panel.compareAction().toolTip().contains("two"));
        bench.select({0, 4});
        bench.panel.compareAction().trigger();
        QCOMPARE(compared.takeFirst(), (QVariantList{qint64(8), qint64(12)}));
        bench.select({2});
        bench.panel.table().setFocus();
        QTest::keyClick(&bench.panel.table(), Qt::Key_R, Qt::ControlModifier);
        QTest::keyClick(&bench.panel.table(), Qt::Key_Return);
        QCOMPARE(restored.takeFirst(), (QVariantList{qint64(10)}));
        QCOMPARE(opened.takeFirst(), (QVariantList{qint64(10)}));
        test::keepPicture(bench.panel, "sessions_light");
        bench.theme.setChoice(Theme::Choice::dark);
        test::keepPicture(bench.panel, "sessions_dark");
    }

    void timesSortByNumberWithGapsLast() {
        PanelRoom bench;
        bench.panel.table().sortByColumn(AttemptModel::measured, Qt::AscendingOrder);
        const auto* model = bench.panel.table().model();
        QCOMPARE(model->index(0, AttemptModel::number).data().toString(), QString("11")); // 34.7 / 11
        QCOMPARE(model->index(2, AttemptModel::number).data().toString(), QString("1"));
        QVERIFY(model->index(3, AttemptModel::measured).data().toString().isEmpty());
    }

    void aNewAttemptKeepsTheSelection() {
        PanelRoom bench;
        bench.panel.setCurrentAttempt(5);
        bench.panel.setAttempts(attempts(13));
        QCOMPARE(bench.panel.table().currentIndex().data(AttemptModel::idRole).toLongLong(), 5);
        bench.panel.setAttempts(attempts(0));
        QVERIFY(!bench.panel.table().isVisible());
        test::keepPicture(bench.panel, "sessions_empty");
    }

    void sessionsAreChosenNamedAndDeleted() {
        PanelRoom bench;
        SessionBar& bar = bench.panel.bar();
        QSignalSpy chosen(&bench.panel, &SessionPanel::sessionChosen);
        QSignalSpy made(&bench.panel, &SessionPanel::newSessionRequested);
        QSignalSpy renamed(&bench.panel, &SessionPanel::renameSessionRequested);
        QSignalSpy removed(&bench.panel, &SessionPanel::removeSessionRequested);
        QSignalSpy restored(&bench.panel, &SessionPanel::restoreSessionRequested);
        bar.chooser()->setFocus();
        QTest::keyClick(bar.chooser(), Qt::Key_Down);
        QCOMPARE(chosen.takeFirst(), (QVariantList{qint64(2)}));

        bench.click(bar.newButton());
        QVERIFY(bar.nameField()->isVisible());
        QTest::keyClicks(bar.nameField(), "third");
        QTest::keyClick(bar.nameField(), Qt::Key_Return);
        QCOMPARE(made.takeFirst(), (QVariantList{"third"}));
        QVERIFY(!bar.nameField()->isVisible());

        bench.click(bar.renameButton());
        QCOMPARE(bar.nameField()->text(), QString("Tiling & <b>"));
        QTest::keyClick(bar.nameField(), Qt::Key_Escape);
        QCOMPARE(renamed.count(), 0);
        bench.click(bar.renameButton());
        QTest::keyClicks(bar.nameField(), "x");
        QTest::keyClick(bar.nameField(), Qt::Key_Return);
        QCOMPARE(renamed.takeFirst(), (QVariantList{qint64(1), "x"}));

        bench.click(bar.deleteButton());
        QCOMPARE(removed.takeFirst(), (QVariantList{qint64(1)}));
        bench.panel.setSessions({{2, "Second", 0, 0, 0}}, 2);
        QVERIFY(bar.undoButton()->isVisible());
        bench.click(bar.undoButton());
        QCOMPARE(restored.takeFirst(), (QVariantList{qint64(1)}));
        QVERIFY(!bar.undoButton()->isVisible());
    }

    void columnsAreRemembered() {
        PanelRoom first;
        first.panel.table().horizontalHeader()->resizeSection(AttemptModel::name, 300);
        PanelRoom second;
        second.panel.restoreState(first.panel.saveState());
        QCOMPARE(second.panel.table().columnWidth(AttemptModel::name), 300);
    }
};

} // namespace

KERNELARIUM_TEST(TestSessionPanel);

} // namespace kernelarium::ui

#include "TestSessionPanel.moc"
