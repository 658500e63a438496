// SPDX-License-Identifier: GPL-3.0-or-later
// Our verdicts in the Archive panel: searched, filtered, sorted, exported, and audits of what is selected there.
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_audit/AuditRoom.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/ExportDialog.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SearchField.h"
#include "ui/archive/SearchHelp.h"
#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditFilter.h"
#include "ui/audit/AuditPage.h"
#include "ui/audit/FacetTree.h"
#include "ui/desks/ExportDesk.h"
#include "ui/frame/Actions.h"
#include "ui/tour/Keys.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

constexpr int judgedOfStarter = 12; ///< rows 1 to 12: 4, 8 and 12 wrong, 5 and 10 a timeout, the rest verified

void storeSome(const AuditRoom& room) {
    for (int row = 1; row <= judgedOfStarter; ++row)
        room.store(row,
                   row % 4 == 0   ? verify::VerdictKind::wrong
                   : row % 5 == 0 ? verify::VerdictKind::timeout
                                  : verify::VerdictKind::verified,
                   row % 4 == 0   ? "values"
                   : row % 5 == 0 ? "timeout"
                                  : "",
                   row == 3);
}

KernelTableModel& modelOf(AuditRoom& room) {
    return room.window->archive().model();
}

void typeSearch(AuditRoom& room, const QString& text) {
    SearchField& field = room.window->archive().filters().field();
    field.setFocus();
    field.clear();
    typeText(field, text);
    if (field.isCompleting()) QApplication::activePopupWidget()->close();
}

QMenu* visibleMenuOf(const QWidget& place) {
    for (auto* menu : place.findChildren<QMenu*>())
        if (menu->isVisible()) return menu;
    return nullptr;
}

QAction* actionBeginning(const QMenu& menu, const QString& text) {
    for (QAction* action : menu.actions())
        if (action->text().remove(QLatin1Char('&')).startsWith(text)) return action;
    return nullptr;
}

/// The context menu of a cell, as the mouse asks for it.
QMenu* menuOfCell(AuditRoom& room, QTableView& table, const QModelIndex& index) {
    table.scrollTo(index);
    Q_EMIT table.customContextMenuRequested(table.visualRect(index).center());
    return visibleMenuOf(*room.window);
}

class TestVerdictList : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void verdictsAreSearched_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("rows");
        QTest::newRow("one") << "verdict:wrong" << 3;
        QTest::newRow("several") << "verdict:wrong,timeout" << 5;
        QTest::newRow("either") << "verdict:wrong OR verdict:timeout" << 5;
        QTest::newRow("reason") << "reason:values" << 3;
        QTest::newRow("stale") << "verdict:stale" << 1;
        QTest::newRow("group") << "verdict:any -(verdict:wrong OR reason:timeout)" << 7;
        QTest::newRow("not") << "verdict:any NOT verdict:verified" << 5;
        QTest::newRow("old checks") << "checks<100000 -verdict:verified" << 5;
        QTest::newRow("unfinished") << "verdict:wrong OR" << 3;
        QTest::newRow("unfinished not") << "verdict:wrong -verdict:" << 3;
    }

    void verdictsAreSearched() {
        QFETCH(QString, text);
        QFETCH(int, rows);
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->verdicts().words().size(), judgedOfStarter);
        const QAbstractItemModelTester tester(&modelOf(room));
        typeSearch(room, text);
        WAIT_COMPARE(modelOf(room).rowCount(), rows);
        QVERIFY2(room.window->archive().filters().problem().isEmpty(),
                 qPrintable(room.window->archive().filters().problem()));
    }

    void anUnknownFieldIsSaid() {
        AuditRoom room;
        QVERIFY(room.start());
        typeSearch(room, QStringLiteral("verdcit:wrong"));
        const FilterBar& filters = room.window->archive().filters();
        WAIT_VERIFY2(filters.problem().contains(QStringLiteral("There is no field verdcit, verdict is the nearest")),
                     qPrintable(filters.problem()));
    }

    void fieldsOfVerdictsAreOffered() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->verdicts().words().size(), judgedOfStarter);
        SearchField& field = room.window->archive().filters().field();
        field.setText(QStringLiteral("-verd"));
        QCOMPARE(field.completions(), QStringList{QStringLiteral("-verdict:")});
        field.setText(QStringLiteral("(verdict:wrong,fa"));
        QCOMPARE(field.completions(),
                 (QStringList{QStringLiteral("(verdict:wrong,fault"), QStringLiteral("(verdict:wrong,failed")}));
        field.setText(QStringLiteral("reason:"));
        QCOMPARE(field.completions(), (QStringList{QStringLiteral("reason:timeout"), QStringLiteral("reason:values")}));
        for (const char* word : {"verdict:wrong,fault", "reason:race", "remark:", "NOT tiled", "a OR b"})
            QVERIFY2(SearchHelp::sheet().contains(QLatin1String(word)), word);
    }

    /// A click on the header's title; missing verdicts come last in both orders.
    void theVerdictColumnSorts() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->verdicts().words().size(), judgedOfStarter);
        QHeaderView& header = *room.window->archive().table().horizontalHeader();
        const auto words = [&] {
            QStringList all;
            for (int row = 0; row < judgedOfStarter + 1; ++row)
                all << modelOf(room).index(row, 0).data(KernelTableModel::verdictRole).toString();
            return all;
        };
        QStringList up(7, QStringLiteral("verified"));
        up << QStringLiteral("wrong") << QStringLiteral("wrong") << QStringLiteral("wrong") << QStringLiteral("timeout")
           << QStringLiteral("timeout") << QString();
        const QPoint title(header.sectionViewportPosition(KernelTableModel::verdict) + 10, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, title);
        WAIT_COMPARE(words(), up);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, title);
        QStringList down(up.rbegin() + 1, up.rend());
        down << QString();
        WAIT_COMPARE(words(), down);
    }

    void cellsBecomeConditions() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->verdicts().words().size(), judgedOfStarter);
        const int all = modelOf(room).rowCount();
        typeSearch(room, QStringLiteral("verdict:any"));
        WAIT_COMPARE(modelOf(room).rowCount(), judgedOfStarter);
        KernelTableView& table = room.window->archive().table();
        int wrong = 0;
        while (modelOf(room).index(wrong, 0).data(KernelTableModel::verdictRole).toString() != QLatin1String("wrong"))
            ++wrong;
        QMenu* menu = menuOfCell(room, table, modelOf(room).index(wrong, KernelTableModel::verdict));
        QVERIFY(menu);
        QAction* without = actionBeginning(*menu, QStringLiteral("Without verdict:wrong"));
        QVERIFY(without && actionBeginning(*menu, QStringLiteral("Only verdict:wrong")));
        without->trigger();
        menu->close();
        QCOMPARE(room.window->archive().filters().field().text(), QStringLiteral("verdict:any -verdict:wrong"));
        WAIT_COMPARE(modelOf(room).rowCount(), judgedOfStarter - 3);
        // What is chosen beside the text narrows it, too.
        auto* results = room.window->archive().filters().findChild<QComboBox*>();
        for (auto* box : room.window->archive().filters().findChildren<QComboBox*>())
            if (box->findText(QStringLiteral("Not tried here")) >= 0) results = box;
        room.window->archive().filters().reset();
        results->setCurrentIndex(results->findText(QStringLiteral("Not tried here")));
        WAIT_COMPARE(modelOf(room).rowCount(), all - judgedOfStarter);
        QVERIFY(room.window->archive().filters().saved().text == "verdict:none");
        results->setCurrentIndex(results->findText(QStringLiteral("Fails here")));
        WAIT_COMPARE(modelOf(room).rowCount(), 3);
    }

    void aColumnsMenuBeginsAField() {
        AuditRoom room;
        QVERIFY(room.start());
        QHeaderView& header = *room.window->archive().table().horizontalHeader();
        Q_EMIT header.customContextMenuRequested(
            QPoint(header.sectionViewportPosition(KernelTableModel::verdict) + 10, 5));
        QMenu* menu = visibleMenuOf(room.window->archive().table());
        QVERIFY(menu);
        menu->setActiveAction(actionBeginning(*menu, QStringLiteral("Filter by this column")));
        pressKey(*menu, Qt::Key_Return);
        SearchField& field = room.window->archive().filters().field();
        QCOMPARE(field.text(), QStringLiteral("verdict:"));
        QVERIFY(field.completions().contains(QStringLiteral("verdict:wrong")));
        // Every column has one that the language knows.
        for (int column = 0; column < KernelTableModel::columnCount_; ++column) {
            QString name = KernelTableModel::searchField(column);
            name.chop(1);
            QVERIFY2(archive::searchField(name.toStdString()), qPrintable(name));
        }
    }

    /// Several rows by keyboard, from the context menu; the list of what is not tried shrinks as verdicts come.
    void theSelectionIsAudited() {
        AuditRoom room;
        QVERIFY(room.start());
        typeSearch(room, QStringLiteral("RMSNorm verdict:none"));
        WAIT_COMPARE(modelOf(room).rowCount(), 3);
        KernelTableView& table = room.window->archive().table();
        table.setFocus();
        table.setCurrentIndex(modelOf(room).index(0, KernelTableModel::name));
        pressKey(table, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(table.chosenRows(), (QList<int>{0, 1}));
        QStringList labels{modelOf(room).label(0), modelOf(room).label(1)};
        QMenu* menu = menuOfCell(room, table, modelOf(room).index(1, KernelTableModel::name));
        QVERIFY(menu);
        QAction* audit = actionBeginning(*menu, QStringLiteral("Audit the 2 selected kernels"));
        QVERIFY(audit && audit->isEnabled());
        audit->trigger();
        menu->close();
        AuditPage& page = room.window->audit();
        QVERIFY(page.isVisible());
        QVERIFY(page.desk().isRunning());
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QStringList judged = room.stored().keys();
        judged.sort();
        labels.sort();
        QCOMPARE(judged, labels);
        WAIT_COMPARE(modelOf(room).rowCount(), 1); // the one that nobody has tried
        QVERIFY(room.window->actions().action(QStringLiteral("audit.selection")));
    }

    void exportsHaveVerdicts() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        WAIT_COMPARE(room.workspace->verdicts().words().size(), judgedOfStarter);
        typeSearch(room, QStringLiteral("verdict:wrong"));
        WAIT_COMPARE(modelOf(room).rowCount(), 3);
        QSignalSpy ended(&room.workspace->exporter(), &ExportDesk::ended);
        room.window->actions().action(QStringLiteral("archive.exportShown"))->trigger();
        auto* dialog = room.window->findChild<ExportDialog*>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>()->setText(room.file(QStringLiteral("out.csv")));
        dialog->accept();
        WAIT_COMPARE(ended.size(), 1);
        QFile file(room.file(QStringLiteral("out.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].contains(",verdict,reasons,remarks,checks_version,verdict_time,verdict_stale"));
        for (int row = 1; row < 4; ++row)
            QVERIFY2(lines[row].contains(",wrong,values,,"), lines[row].constData());
    }

    /// A click beside the small box, on the word and on its count.
    void facetsReactOnTheirWholeRow() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.audit"))->trigger();
        AuditPage& page = room.window->audit();
        WAIT_COMPARE(page.table().model()->rowCount(), judgedOfStarter);
        FacetTree& facets = page.facets();
        QTreeWidgetItem* wrong = facets.itemOf(0, QStringLiteral("wrong"));
        QVERIFY(wrong);
        facets.scrollToItem(wrong);
        const QModelIndex word = facets.indexFromItem(wrong, 0), count = facets.indexFromItem(wrong, 1);
        QTest::mouseClick(facets.viewport(), Qt::LeftButton, {}, facets.visualRect(count).center());
        QCOMPARE(wrong->checkState(0), Qt::Checked);
        QCOMPARE(page.table().model()->rowCount(), 3);
        QTest::mouseClick(facets.viewport(), Qt::LeftButton, {}, facets.visualRect(word).center());
        QCOMPARE(wrong->checkState(0), Qt::Unchecked);
        const QPoint box(facets.visualRect(word).left() + 8, facets.visualRect(word).center().y());
        QTest::mouseClick(facets.viewport(), Qt::LeftButton, {}, box);
        QCOMPARE(wrong->checkState(0), Qt::Checked); // once, not twice
        facets.setFocus();
        facets.setCurrentItem(wrong, 1);
        QTest::keyClick(&facets, Qt::Key_Return);
        QCOMPARE(wrong->checkState(0), Qt::Unchecked);
        QCOMPARE(page.table().model()->rowCount(), judgedOfStarter);
    }

    void theAuditsListHasAMenu() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.audit"))->trigger();
        AuditPage& page = room.window->audit();
        QTableView& table = page.table();
        WAIT_COMPARE(table.model()->rowCount(), judgedOfStarter);
        table.setFocus();
        table.setCurrentIndex(table.model()->index(2, 0));
        QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
        QMenu* menu = menuOfCell(room, table, table.model()->index(3, AuditModel::kernel));
        QVERIFY(menu);
        for (const char* text : {"Open", "Copy", "Judge the 3 selected kernels again", "Export all listed"})
            QVERIFY2(actionBeginning(*menu, QLatin1String(text)), text);
        actionBeginning(*menu, QStringLiteral("Export the selection"))->trigger();
        menu->close();
        auto* dialog = room.window->findChild<ExportDialog*>();
        QVERIFY(dialog && dialog->onlyChosen());
        QSignalSpy ended(&room.workspace->exporter(), &ExportDesk::ended);
        dialog->findChild<QLineEdit*>()->setText(room.file(QStringLiteral("out.csv")));
        dialog->accept();
        WAIT_COMPARE(ended.size(), 1);
        QFile file(room.file(QStringLiteral("out.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().trimmed().split('\n').size(), 4);
        // Judged again, though the verdict is up to date: another one takes its place.
        const QString label = table.model()->index(2, 0).data(AuditModel::labelRole).toString();
        const std::int64_t before = room.stored()[label].timeMs;
        table.setCurrentIndex(table.model()->index(2, 0));
        menu = menuOfCell(room, table, table.model()->index(2, AuditModel::kernel));
        actionBeginning(*menu, QStringLiteral("Judge this kernel again"))->trigger();
        menu->close();
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QVERIFY(room.stored()[label].timeMs > before);
    }

    /// While the order is held, rows neither move nor vanish; afterwards all is as it should be.
    void rowsStayWhereTheyAre() {
        AuditRoom room;
        storeSome(room);
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.audit"))->trigger();
        AuditPage& page = room.window->audit();
        QTableView& table = page.table();
        WAIT_COMPARE(table.model()->rowCount(), judgedOfStarter);
        table.sortByColumn(AuditModel::seconds, Qt::DescendingOrder);
        auto* filter = qobject_cast<AuditFilter*>(table.model());
        QVERIFY(filter);
        const auto labels = [&] {
            QStringList all;
            for (int row = 0; row < table.model()->rowCount(); ++row)
                all << table.model()->index(row, 0).data(AuditModel::labelRole).toString();
            return all;
        };
        const QStringList before = labels();
        filter->holdOrder(true);
        room.store(13, verify::VerdictKind::verified, ""); // slower than all: would be the first
        room.workspace->verdicts().follow(room.database());
        WAIT_COMPARE(table.model()->rowCount(), judgedOfStarter + 1);
        QCOMPARE(labels().mid(0, judgedOfStarter), before);
        filter->holdOrder(false);
        QCOMPARE(labels().mid(1), before);
        // The page holds it as long as an audit runs.
        QVERIFY(filter->dynamicSortFilter());
        page.startRows({0}, true);
        QVERIFY(page.desk().isRunning());
        WAIT_VERIFY(!filter->dynamicSortFilter());
        QVERIFY(QTest::qWaitFor([&] { return !page.desk().isRunning(); }, longWait));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(table.viewport(), &leave);
        WAIT_VERIFY(filter->dynamicSortFilter());
    }
};

} // namespace

KERNELARIUM_TEST(TestVerdictList);

} // namespace kernelarium::ui

#include "TestVerdictList.moc"
