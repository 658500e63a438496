// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_audit/AuditRoom.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditPage.h"
#include "ui/audit/FacetTree.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/source/EditorArea.h"
#include "ui/widgets/EmptyState.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// Explore's filters down to one task's kernels.
bool narrow(AuditRoom& room, const QString& text, std::size_t kernels) {
    auto* search = room.window->archive().filters().findChild<QLineEdit*>();
    search->setText(text);
    return QTest::qWaitFor([&] { return room.workspace->archive().shown()->rows.size() == kernels; }, longWait);
}

void doubleClick(QTableView& table, int row) {
    const QPoint place = table.visualRect(table.model()->index(row, AuditModel::kernel)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
}

class TestAuditPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void anEmptyPageSaysWhatToDo() {
        AuditRoom room;
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.audit"))->trigger();
        AuditPage& page = room.window->audit();
        QVERIFY(page.isVisible());
        QVERIFY(page.emptyState().isVisible());
        QVERIFY(page.emptyState().button()->isVisible());
        QVERIFY(!page.headline().isEmpty());
        QVERIFY(page.obstacle(false).isEmpty());
        QVERIFY(!room.window->actions().action(QStringLiteral("audit.pause"))->isEnabled());
        room.keepPicture(QStringLiteral("audit-empty"));
    }

    /// What Explore shows, through real children, by mouse; then the kernel with its verdict.
    void auditsWhatExploreShows() {
        AuditRoom room;
        QVERIFY(room.start());
        QVERIFY(narrow(room, QStringLiteral("RMSNorm"), 3));
        room.window->showDock(QStringLiteral("audit"));
        AuditPage& page = room.window->audit();
        page.bar().scope().setCurrentIndex(1);
        QVERIFY2(page.bar().scope().currentText().contains(QStringLiteral("the Archive panel")),
                 qPrintable(page.bar().scope().currentText()));
        QVERIFY(room.window->actions()
                    .action(QStringLiteral("audit.shown"))
                    ->toolTip()
                    .contains(QStringLiteral("the Archive panel")));
        page.bar().jobsBox().setValue(2);
        QSignalSpy changed(&page.desk(), &AuditDesk::changed);
        QTest::mouseClick(&page.bar().button(), Qt::LeftButton);
        QVERIFY(page.desk().isRunning());
        QVERIFY(!page.bar().scope().isEnabled());
        WAIT_VERIFY(room.window->status().workText().contains(QStringLiteral("Auditing")));
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().stage, Stage::finished);
        WAIT_COMPARE(page.table().model()->rowCount(), 3);
        WAIT_VERIFY2(page.headline().startsWith(QStringLiteral("100")), qPrintable(page.headline()));
        QVERIFY2(page.subline().contains(QStringLiteral("3 of %1").arg(page.model().kernels())),
                 qPrintable(page.subline()));
        QVERIFY(page.bar().progressText().contains(QStringLiteral("3 judged")));
        QCOMPARE(room.stored().size(), 3);
        for (const auto& verdict : room.stored())
            QCOMPARE(verdict.verdict, std::string("verified"));
        QVERIFY(changed.size() >= 3);
        // Explore's column shows the same.
        QVERIFY(room.window->archive()
                    .model()
                    .index(0, KernelTableModel::verdict)
                    .data()
                    .toString()
                    .contains(QStringLiteral("verified")));
        room.keepPicture(QStringLiteral("audit-light"));
        doubleClick(page.table(), 1);
        WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
        QCOMPARE(room.workspace->bench().kernel().title,
                 page.table().model()->index(1, AuditModel::kernel).data().toString());
        WAIT_COMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
        QCOMPARE(room.workspace->runner().verifyState().generation, room.workspace->bench().generation());
        QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        QVERIFY(!room.workspace->runner().verifyState().answer->checks.empty());
        // One click does, as in the Archive panel; with Ctrl it chooses.
        const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
            QTest::mouseClick(page.table().viewport(), Qt::LeftButton, modifiers,
                              page.table().visualRect(page.table().model()->index(row, AuditModel::kernel)).center());
        };
        click(0, {});
        const QString first = page.table().model()->index(0, AuditModel::kernel).data().toString();
        WAIT_COMPARE(room.workspace->bench().kernel().title, first);
        click(2, Qt::ControlModifier);
        QCOMPARE(page.table().selectionModel()->selectedRows().size(), 2);
        QCOMPARE(room.workspace->bench().kernel().title, first);
        // Why comes before what the archive claims.
        const QHeaderView& header = *page.table().horizontalHeader();
        QVERIFY(header.visualIndex(AuditModel::reasons) < header.visualIndex(AuditModel::claim));
        // Once more: there is nothing to do.
        page.start(true);
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QCOMPARE(page.desk().state().progress.total, std::int64_t(0));
        QCOMPARE(page.desk().state().current, std::int64_t(3));
    }

    void aPausedAuditGoesOnAfterARestart() {
        AuditRoom room;
        QVERIFY(room.start());
        room.window->showDock(QStringLiteral("audit"));
        room.window->audit().bar().jobsBox().setValue(1);
        room.window->actions().action(QStringLiteral("audit.archive"))->trigger();
        AuditPage* page = &room.window->audit();
        QVERIFY(page->desk().isRunning());
        WAIT_VERIFY(page->table().model()->rowCount() >= 2);
        QVERIFY(room.window->actions().action(QStringLiteral("audit.pause"))->isEnabled());
        QVERIFY(!room.window->actions().action(QStringLiteral("audit.archive"))->isEnabled());
        room.window->actions().action(QStringLiteral("kernel.cancel"))->trigger(); // Escape
        QVERIFY(QTest::qWaitFor([&] { return !page->desk().isRunning(); }, longWait));
        QCOMPARE(page->desk().state().stage, Stage::cancelled);
        QCOMPARE(page->bar().button().text(), QStringLiteral("Continue"));
        const auto before = room.stored();
        QVERIFY(before.size() >= 2 && before.size() < qsizetype(page->model().kernels()));
        QVERIFY(room.start());
        page = &room.window->audit();
        WAIT_COMPARE(page->table().model()->rowCount(), int(before.size())); // as it was left
        const auto& tasks = room.workspace->archive().table()->task;
        const auto& levels = room.workspace->archive().table()->level;
        int ofTask = 0;
        for (std::size_t row = 0; row < tasks.size(); ++row)
            ofTask += levels[row] == 1 && tasks[row] == 1;
        QVERIFY(narrow(room, QStringLiteral("task:1/1"), std::size_t(ofTask)));
        page->start(true);
        QVERIFY(QTest::qWaitFor([&] { return !page->desk().isRunning(); }, longWait));
        const auto after = room.stored();
        for (auto it = before.cbegin(); it != before.cend(); ++it)
            QCOMPARE(after[it.key()].timeMs, it->timeMs);
        int found = 0;
        for (const auto& verdict : after)
            found += verdict.key.level == 1 && verdict.key.task == 1;
        QCOMPARE(found, ofTask);
    }

    void closingTheWindowEndsTheAudit() {
        AuditRoom room;
        QVERIFY(room.start());
        room.window->audit().start(false);
        WAIT_VERIFY(!room.stored().isEmpty());
        room.window.reset(); // waits for the threads, whose children end with them
        room.workspace.reset();
        QVERIFY(!room.stored().isEmpty());
    }

    void listsFacetsAndStaleOnes() {
        AuditRoom room(Theme::Choice::dark);
        for (int row = 1; row <= 12; ++row)
            room.store(row,
                       row % 4 == 0   ? verify::VerdictKind::wrong
                       : row % 5 == 0 ? verify::VerdictKind::timeout
                                      : verify::VerdictKind::verified,
                       row % 4 == 0   ? "values"
                       : row % 5 == 0 ? "timeout"
                                      : "",
                       row == 3);
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.audit"))->trigger();
        AuditPage& page = room.window->audit();
        WAIT_COMPARE(page.table().model()->rowCount(), 12);
        QVERIFY2(page.subline().contains(QStringLiteral("stale verdicts: 1")), qPrintable(page.subline()));
        room.keepPicture(QStringLiteral("audit-dark"));
        // By keyboard: down to "wrong", and Space.
        FacetTree& facets = page.facets();
        QTreeWidgetItem* wrong = facets.itemOf(0, QStringLiteral("wrong"));
        QVERIFY(wrong);
        facets.setFocus();
        facets.setCurrentItem(wrong);
        QTest::keyClick(&facets, Qt::Key_Space);
        QCOMPARE(wrong->checkState(0), Qt::Checked);
        QCOMPARE(page.table().model()->rowCount(), 3);
        QVERIFY(page.subline().contains(QStringLiteral("3 are listed")));
        facets.clearChoice();
        QCOMPARE(page.table().model()->rowCount(), 12);
        // A stored verdict opens with Return, on the archived text.
        page.table().setFocus();
        page.table().setCurrentIndex(page.table().model()->index(0, 0));
        QTest::keyClick(&page.table(), Qt::Key_Return);
        WAIT_COMPARE(room.workspace->runner().verifyState().stage, Stage::finished);
        QCOMPARE(room.workspace->runner().verifyState().answer->message, std::string("what was found"));
        const int wide = 1000;
        page.resize(wide, page.height());
        room.theme.setChoice(Theme::Choice::light);
        WAIT_VERIFY(facets.isVisible());
    }

    /// A verification at the bench is kept where an audit's verdicts are.
    void theBenchWritesToo() {
        AuditRoom room;
        QVERIFY(room.start());
        const auto& table = *room.workspace->archive().table();
        room.workspace->bench().openArchived(table.id[18]);
        WAIT_VERIFY(!room.workspace->bench().kernel().isEmpty());
        room.workspace->trials().verify();
        QVERIFY(QTest::qWaitFor([&] { return !room.workspace->trials().isBusy(); }, longWait));
        WAIT_COMPARE(room.stored().size(), 1);
        const audit::StoredVerdict verdict = room.stored().begin().value();
        QCOMPARE(verdict.key.name, table.name[18]);
        QCOMPARE(verdict.verdict, std::string("verified"));
        audit::TodaysVersions today;
        QVERIFY(audit::standingOf(verdict, today.of(table.level[18], table.task[18]), {}) == audit::Standing::current);
        WAIT_COMPARE(room.window->audit().model().rowCount(), 1);
        // An edited text is not an archived kernel.
        room.workspace->bench().setSource(room.workspace->bench().source() + QStringLiteral("\n// edited\n"), 0);
        room.workspace->trials().verify();
        QVERIFY(QTest::qWaitFor([&] { return !room.workspace->trials().isBusy(); }, longWait));
        QTest::qWait(50);
        QCOMPARE(room.stored().begin()->timeMs, verdict.timeMs);
    }

    void whatCannotBeStartedIsSaid() {
        AuditRoom room;
        QVERIFY(room.start());
        QVERIFY(narrow(room, QStringLiteral("no kernel has this name"), 0));
        QVERIFY(!room.window->audit().obstacle(true).isEmpty());
        room.window->audit().start(true);
        QVERIFY(!room.window->audit().desk().isRunning());
        WAIT_VERIFY(!room.window->actions().action(QStringLiteral("audit.shown"))->isEnabled());
    }
};

} // namespace

KERNELARIUM_TEST(TestAuditPage);

} // namespace kernelarium::ui

#include "TestAuditPage.moc"
