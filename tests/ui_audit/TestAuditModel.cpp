// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/Archive.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_audit/AuditRoom.h"
#include "ui/audit/AuditFilter.h"
#include "ui/audit/AuditModel.h"
#include "ui/audit/FacetTree.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

namespace kernelarium::ui {

namespace {

class TestAuditModel : public QObject {
    Q_OBJECT

    std::shared_ptr<const archive::KernelTable> tableOf(const AuditRoom& room) {
        auto opened = archive::Archive::open(room.database().toStdString());
        return std::make_shared<const archive::KernelTable>(*opened->table());
    }

    static bool follow(VerdictDesk& desk, const AuditRoom& room) {
        QSignalSpy changed(&desk, &VerdictDesk::changed);
        desk.follow(room.database());
        return QTest::qWaitFor([&] { return !desk.verdicts().isEmpty(); }, longWait);
    }

private Q_SLOTS:

    void rowsAreWhatWasJudged() {
        const AuditRoom room;
        room.store(3, verify::VerdictKind::wrong, "unwritten_output");
        room.store(1, verify::VerdictKind::verified, {});
        room.store(9, verify::VerdictKind::timeout, "timeout", true);
        VerdictDesk desk;
        QVERIFY(follow(desk, room));
        const Theme theme;
        AuditModel model(theme);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(tableOf(room));
        QCOMPARE(model.rowCount(), 0);
        model.update(desk);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1, AuditModel::kernel).data().toString(), QStringLiteral("naive"));
        QCOMPARE(model.index(1, AuditModel::reasons).data().toString(), QStringLiteral("unwritten output"));
        QVERIFY(model.index(1, AuditModel::verdict).data().toString().endsWith(QStringLiteral("wrong")));
        QVERIFY(model.index(2, AuditModel::verdict).data().toString().endsWith(QStringLiteral("(stale)")));
        QVERIFY(model.index(2, AuditModel::verdict).data(AuditModel::staleRole).toBool());
        QCOMPARE(model.index(1, 0).data(AuditModel::idRole).toLongLong(), 3);
        const audit::ClaimCount claims = model.claims();
        QCOMPARE(claims.tried, 3);
        QCOMPARE(claims.standing, 1);
        QCOMPARE(claims.refuted, 1);
        QCOMPARE(claims.undecided, 1);
        QCOMPARE(model.staleCount(), 1);
        // A second look changes a row in place and adds the new ones at the end.
        audit::StoredVerdict changed = desk.verdicts()[model.index(1, 0).data(AuditModel::labelRole).toString()];
        changed.verdict = "verified";
        changed.reasons.clear();
        changed.timeMs += 1;
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy data(&model, &QAbstractItemModel::dataChanged);
        desk.learn(desk.path(), {changed});
        model.update(desk);
        QCOMPARE(inserted.size(), 0);
        QCOMPARE(data.size(), 1);
        QCOMPARE(model.claims().standing, 2);
        model.setTable(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void facetsNarrowAndColumnsSort() {
        const AuditRoom room;
        for (const int row : {1, 2, 3, 4, 5})
            room.store(row, row % 2 ? verify::VerdictKind::wrong : verify::VerdictKind::verified,
                       row % 2 ? "values" : "");
        room.store(30, verify::VerdictKind::wrong, "nan");
        VerdictDesk desk;
        QVERIFY(follow(desk, room));
        Theme theme;
        AuditModel model(theme);
        AuditFilter filter(model);
        const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(tableOf(room));
        model.update(desk);
        QCOMPARE(filter.rowCount(), 6);
        filter.sort(AuditModel::seconds, Qt::DescendingOrder);
        QCOMPARE(filter.index(0, 0).data(AuditModel::idRole).toLongLong(), 30);
        filter.sort(AuditModel::task, Qt::AscendingOrder);
        QCOMPARE(filter.index(5, 0).data(AuditModel::idRole).toLongLong(), 30); // 1/36 after 1/1, not before 1/4
        FacetTree tree(theme);
        tree.setCounts(audit::countFacets(model.facetRows(), tree.choice()));
        QCOMPARE(tree.itemOf(0, QStringLiteral("wrong"))->text(1), QStringLiteral("4"));
        QCOMPARE(tree.itemOf(1, QStringLiteral("nan"))->text(1), QStringLiteral("1"));
        QSignalSpy chosen(&tree, &FacetTree::choiceChanged);
        tree.itemOf(0, QStringLiteral("wrong"))->setCheckState(0, Qt::Checked);
        tree.itemOf(1, QStringLiteral("values"))->setCheckState(0, Qt::Checked);
        QCOMPARE(chosen.size(), 2);
        filter.setChoice(tree.choice());
        QCOMPARE(filter.rowCount(), 3);
        tree.setCounts(audit::countFacets(model.facetRows(), tree.choice()));
        QCOMPARE(tree.itemOf(1, QStringLiteral("nan"))->text(1), QStringLiteral("1"));
        QCOMPARE(tree.itemOf(0, QStringLiteral("wrong"))->checkState(0), Qt::Checked); // counts come, ticks stay
        QVERIFY(!tree.itemOf(0, QStringLiteral("verified")));                          // none of them has this reason
        tree.clearChoice();
        QVERIFY(tree.choice().isEmpty());
        filter.setChoice(tree.choice());
        QCOMPARE(filter.rowCount(), 6);
    }

    void anotherArchiveHasItsOwn() {
        const AuditRoom one, two;
        one.store(1, verify::VerdictKind::verified, {});
        VerdictDesk desk;
        QVERIFY(follow(desk, one));
        desk.follow(two.database());
        QVERIFY(desk.verdicts().isEmpty());
        QTest::qWait(50);
        QVERIFY(desk.verdicts().isEmpty());
    }

    void aFileThatIsNoneIsSaid() {
        const AuditRoom room;
        QFile file(room.database() + QStringLiteral(".verdicts"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("garbage");
        file.close();
        VerdictDesk desk;
        QSignalSpy failed(&desk, &VerdictDesk::failed);
        desk.follow(room.database());
        WAIT_COMPARE(failed.size(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("damaged")));
    }
};

} // namespace

KERNELARIUM_TEST(TestAuditModel);

} // namespace kernelarium::ui

#include "TestAuditModel.moc"
