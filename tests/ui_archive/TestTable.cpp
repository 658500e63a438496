// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestTable.h"

#include "core/archive/search/TableSelection.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_archive/Rows.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/ExportDialog.h"
#include "ui/archive/FilterRow.h"
#include "ui/archive/KernelTableView.h"
#include "ui/frame/Actions.h"
#include "ui/tour/Keys.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

namespace kernelarium::ui {

namespace {

bool openMade(Room& room, int rows) {
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(room.write(QStringLiteral("rows.jsonl"), madeRows(rows)));
    return QTest::qWaitFor([&] { return !ended.isEmpty(); }, longWait) &&
           QTest::qWaitFor(
               [&] {
                   const ArchiveDesk& desk = room.workspace->archive();
                   return room.window->archive().model().rowCount() == rows && desk.shown() && !desk.arriving();
               },
               longWait);
}

QMenu* openMenu(KernelTableView& table, int column) {
    QHeaderView* header = table.horizontalHeader();
    const QPoint at(header->sectionViewportPosition(column) + 5, 5);
    Q_EMIT header->customContextMenuRequested(at);
    return table.findChild<QMenu*>();
}

QAction* actionNamed(const QMenu& menu, const QString& text) {
    for (QAction* action : menu.actions())
        if (action->text() == text) return action;
    return nullptr;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestTable::modelGrowsAndFolds() {
    Theme theme;
    KernelTableModel model(theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto table = std::make_shared<archive::KernelTable>();
    for (int i = 0; i < 6; ++i) {
        archive::KernelTable one;
        one.id = {i + 1};
        one.level = one.task = one.codeBytes = {1};
        one.opName = {"1_Op"};
        one.name = {std::string(1, char('f' - i))};
        one.codeHash.resize(1);
        one.shape.resize(1);
        one.runtime = one.nativeRuntime = one.compileRuntime = one.speedupNative = one.speedupCompile =
            one.maxDiff = {1.0};
        one.correct = {archive::KernelTable::Correct::yes};
        one.errorKind = {archive::ErrorKind::none};
        one.originalIndex = {archive::KernelTable::missingIndex};
        one.hasError = one.hasNcu = one.hasTorch = one.hasTidy = {0};
        table->append(one);
    }
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted);
    auto part = std::make_shared<ArchiveDesk::Found>();
    part->table = table;
    part->rows = {5, 3};
    part->complete = false;
    model.show(part);
    auto all = std::make_shared<ArchiveDesk::Found>(*part);
    all->rows = {5, 3, 1};
    all->folded[3] = {0, 2};
    all->foldedCount = 2;
    all->complete = true;
    model.show(all);
    QCOMPARE(resets.size(), 1);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.foldedUnder(1), 2);
    model.unfold(1);
    model.unfold(1);
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.id(2), 1);
    QCOMPARE(model.id(4), 2);
    QCOMPARE(model.rowOfTableRow(1), 4);
    QCOMPARE(model.rowBeginningWith(QStringLiteral("E"), 0), 4); // "e" is the table's row 1
    QCOMPARE(model.rowBeginningWith(QStringLiteral("z"), 0), -1);
    model.foldAgain(3);
    QCOMPARE(model.rowCount(), 3);
    model.show(part); // another search
    QCOMPARE(resets.size(), 2);
    for (int column = 0; column < model.columnCount(); ++column)
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

void TestTable::typingGoesToTheNextName() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 60));
    KernelTableView& table = room.window->archive().table();
    table.setFocus();
    typeText(table, QStringLiteral("MADE_37"));
    WAIT_COMPARE(table.currentIndex()
                     .data(KernelTableModel::labelRole)
                     .toString()
                     .section(QLatin1Char('/'), 2)
                     .section(QLatin1Char('@'), 0, 0),
                 QStringLiteral("made_37"));
    WAIT_VERIFY(room.workspace->bench().kernel().row && room.workspace->bench().kernel().row->name == "made_37");
}

void TestTable::verdictsAreSeenAtFirst() {
    Room room;
    QVERIFY(room.start());
    KernelTableView& table = room.window->archive().table();
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
    QHeaderView& header = *table.horizontalHeader();
    const int order[] = {KernelTableModel::task,    KernelTableModel::name,    KernelTableModel::verdict,
                         KernelTableModel::speedup, KernelTableModel::runtime, KernelTableModel::speedupCompile};
    for (int place = 0; place < 6; ++place)
        QCOMPARE(header.logicalIndex(place), order[place]);
    WAIT_VERIFY(table.viewport()->width() > 0);
    const int end =
        header.sectionViewportPosition(KernelTableModel::runtime) + header.sectionSize(KernelTableModel::runtime);
    QVERIFY2(end <= table.viewport()->width(),
             qPrintable(QStringLiteral("%1 %2").arg(end).arg(table.viewport()->width())));
    // What the reader arranged wins.
    header.moveSection(header.visualIndex(KernelTableModel::verdict), 5);
    const QByteArray kept = table.saveHeader();
    header.moveSection(5, 0);
    table.restoreHeader(kept);
    QCOMPARE(header.visualIndex(KernelTableModel::verdict), 5);
    QMenu* menu = openMenu(table, KernelTableModel::runtime);
    actionNamed(*menu, QStringLiteral("&Reset columns"))->trigger();
    menu->close();
    QCOMPARE(header.visualIndex(KernelTableModel::verdict), 2);
    const QString tip =
        room.window->archive().model().index(0, KernelTableModel::task).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(QStringLiteral("Level 1, task 1: ")) && tip.size() > 20, qPrintable(tip));
}

void TestTable::aRowsMenuCopiesCodeAndVerifies() {
    Room room;
    QVERIFY(room.start());
    KernelTableView& table = room.window->archive().table();
    WAIT_VERIFY(room.window->archive().model().rowCount() > 3);
    const auto chosen = [&](int row, const char* text) {
        Q_EMIT table.customContextMenuRequested(
            table.visualRect(room.window->archive().model().index(row, KernelTableModel::name)).center());
        for (auto* menu : room.window->archive().findChildren<QMenu*>())
            if (QAction* action = menu->isVisible() ? actionNamed(*menu, QLatin1String(text)) : nullptr) {
                action->trigger();
                menu->close();
                return true;
            }
        return false;
    };
    const auto isOnBench = [&](int row) {
        const auto& kernel = room.workspace->bench().kernel().row;
        return kernel && QString::fromStdString(kernel->label()) == room.window->archive().model().label(row);
    };
    QApplication::clipboard()->clear();
    QVERIFY(chosen(2, "Copy c&ode")); // another kernel is on the bench, or none
    WAIT_VERIFY(isOnBench(2));
    WAIT_COMPARE(QApplication::clipboard()->text(), room.workspace->bench().kernel().original);
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("__global__")));
    QVERIFY(chosen(1, "&Verify"));
    WAIT_VERIFY(isOnBench(1));
    WAIT_VERIFY(room.workspace->runner().verifyState().stage != Stage::idle);
    room.press(Qt::Key_Escape);
}

void TestTable::columnsAreChosenAndKept() {
    Room room;
    QVERIFY(room.start());
    {
        KernelTableView& table = room.window->archive().table();
        QVERIFY(table.isColumnHidden(KernelTableModel::nativeTime));
        QMenu* menu = openMenu(table, KernelTableModel::runtime);
        QVERIFY(menu);
        actionNamed(*menu, QStringLiteral("Native (ms)"))->trigger();
        actionNamed(*menu, QStringLiteral("Speed-up"))->trigger();
        QVERIFY(!actionNamed(*menu, QStringLiteral("Kernel"))->isEnabled());
        menu->close();
        QVERIFY(!table.isColumnHidden(KernelTableModel::nativeTime));
        QVERIFY(table.isColumnHidden(KernelTableModel::speedup));
        table.horizontalHeader()->moveSection(table.horizontalHeader()->visualIndex(KernelTableModel::claim), 0);
        table.setColumnWidth(KernelTableModel::name, 222);
    }
    room.window->close();
    QVERIFY(room.start());
    KernelTableView& table = room.window->archive().table();
    QVERIFY(!table.isColumnHidden(KernelTableModel::nativeTime));
    QVERIFY(table.isColumnHidden(KernelTableModel::speedup));
    QCOMPARE(table.horizontalHeader()->visualIndex(KernelTableModel::claim), 0);
    QCOMPARE(table.columnWidth(KernelTableModel::name), 222);
    WAIT_VERIFY(!table.findChild<QMenu*>());
    QMenu* menu = openMenu(table, KernelTableModel::runtime);
    actionNamed(*menu, QStringLiteral("&Reset columns"))->trigger();
    menu->close();
    QVERIFY(table.isColumnHidden(KernelTableModel::nativeTime));
    QVERIFY(!table.isColumnHidden(KernelTableModel::speedup));
    QCOMPARE(table.horizontalHeader()->visualIndex(KernelTableModel::claim), int(KernelTableModel::claim) + 1);
}

void TestTable::narrowFiltersAreBehindAButton() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 20));
    room.window->resize(1440, 900);
    auto* row = room.window->archive().findChild<FilterRow*>();
    WAIT_VERIFY(!row->isFolded() && !row->button().isVisible());
    const QList<QComboBox*> boxes = row->findChildren<QComboBox*>();
    QCOMPARE(boxes.size(), 4);
    room.window->resize(960, 500);
    WAIT_VERIFY(row->isFolded() && row->button().isVisible());
    QCOMPARE(row->button().text(), QStringLiteral("Filter"));
    QTest::mouseClick(&row->button(), Qt::LeftButton);
    for (QComboBox* box : boxes)
        QVERIFY(box->isVisible());
    boxes[0]->setCurrentIndex(1);
    QCOMPARE(row->button().text(), QStringLiteral("Filter (1)"));
    pressKey(*boxes[0]->window(), Qt::Key_Escape);
    QVERIFY(!boxes[0]->isVisible());
    room.window->resize(1440, 900);
    WAIT_VERIFY(!row->isFolded() && boxes[0]->isVisible() && !row->button().isVisible());
    QCOMPARE(boxes[0]->currentIndex(), 1);
}

void TestTable::namesTakeTheRoomThatIsLeft() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 20));
    KernelTableView& table = room.window->archive().table();
    const auto* dock = room.window->findChild<QDockWidget*>(QStringLiteral("archive"));
    room.window->resize(1600, 900);
    const int before = table.columnWidth(KernelTableModel::name);
    room.window->resizeDocks({const_cast<QDockWidget*>(dock)}, {700}, Qt::Horizontal);
    WAIT_VERIFY(table.columnWidth(KernelTableModel::name) > before + 100);
    table.setColumnWidth(KernelTableModel::name, 150); // as somebody drags it: from now on it is theirs
    room.window->resizeDocks({const_cast<QDockWidget*>(dock)}, {500}, Qt::Horizontal);
    WAIT_VERIFY(dock->width() < 600);
    QCOMPARE(table.columnWidth(KernelTableModel::name), 150);
}

void TestTable::selectionIsCopiedAsATable() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 20));
    KernelTableView& table = room.window->archive().table();
    table.setFocus();
    table.setCurrentIndex(table.model()->index(2, KernelTableModel::name));
    WAIT_VERIFY(room.workspace->bench().kernel().row);
    const std::string first = room.workspace->bench().kernel().row->label();
    pressKey(table, Qt::Key_Down, Qt::ShiftModifier);
    pressKey(table, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(table.chosenRows(), (QList<int>{2, 3, 4}));
    QTest::qWait(100);
    QCOMPARE(room.workspace->bench().kernel().row->label(), first); // choosing several opens none of them
    pressKey(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith(QStringLiteral("Label\tTask\tKernel\tVerified\tSpeed-up")));
    for (const QString& line : lines)
        QCOMPARE(line.count(QLatin1Char('\t')), lines[0].count(QLatin1Char('\t')));
    QVERIFY(lines[2].startsWith(room.window->archive().model().label(3) + QLatin1Char('\t')));
    table.setColumnHidden(KernelTableModel::speedup, true);
    pressKey(table, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(!QApplication::clipboard()->text().contains(QStringLiteral("Speed-up")));
}

void TestTable::sortsByEveryColumn() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 200));
    KernelTableView& table = room.window->archive().table();
    const auto& names = *room.workspace->archive().table();
    for (int column = 0; column < KernelTableModel::columnCount_; ++column) {
        for (const auto order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            QSignalSpy shown(&room.workspace->archive(), &ArchiveDesk::shownChanged);
            table.horizontalHeader()->setSortIndicator(column, order);
            WAIT_VERIFY(!shown.isEmpty());
            archive::TableSelection selection;
            selection.sort = KernelTableModel::sortColumn(column);
            selection.descending = order == Qt::DescendingOrder;
            QVERIFY(room.workspace->archive().shown()->rows == archive::selectRows(names, selection));
        }
    }
}

void TestTable::exportsWhatIsChosen_data() {
    QTest::addColumn<int>("format");
    QTest::newRow("csv") << 0;
    QTest::newRow("jsonl") << 1;
    QTest::newRow("cu") << 2;
}

void TestTable::exportsWhatIsChosen() {
    QFETCH(int, format);
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 50));
    KernelTableView& table = room.window->archive().table();
    table.setFocus();
    table.setCurrentIndex(table.model()->index(10, KernelTableModel::name));
    pressKey(table, Qt::Key_Down, Qt::ShiftModifier);
    const QString first =
        room.window->archive().model().label(10).section(QLatin1Char('/'), 2).section(QLatin1Char('@'), 0, 0);
    for (const bool onlyChosen : {true, false}) {
        QSignalSpy ended(&room.workspace->exporter(), &ExportDesk::ended);
        WAIT_VERIFY(room.window->actions().action(QStringLiteral("archive.exportChosen"))->isEnabled());
        room.window->actions()
            .action(onlyChosen ? QStringLiteral("archive.exportChosen") : QStringLiteral("archive.exportShown"))
            ->trigger();
        auto* dialog = room.window->findChild<ExportDialog*>();
        QVERIFY(dialog && dialog->onlyChosen() == onlyChosen);
        dialog->findChild<QComboBox*>()->setCurrentIndex(format);
        const QString path = room.file(QStringLiteral("out_%1").arg(onlyChosen));
        dialog->findChild<QLineEdit*>()->setText(path);
        dialog->accept();
        WAIT_COMPARE(ended.size(), 1);
        QVERIFY2(ended.front().at(1).toBool(), qPrintable(ended.front().at(0).toString()));
        QVERIFY2(room.notice().contains(onlyChosen ? QStringLiteral("2 kernels") : QStringLiteral("50 kernels")),
                 qPrintable(room.notice()));
        const int count = onlyChosen ? 2 : 50;
        if (format == 2) {
            QCOMPARE(QDir(path).entryList({QStringLiteral("*.cu")}).size(), count);
        } else {
            const QByteArray content = contentOf(path);
            QCOMPARE(int(content.count('\n')), format == 0 ? count + 1 : count);
            QVERIFY(content.contains(first.toUtf8()));
        }
        WAIT_VERIFY(!room.window->findChild<ExportDialog*>());
    }
}

void TestTable::exportFailsInPlace() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 10));
    QVERIFY(!room.write(QStringLiteral("file"), "no folder").isEmpty());
    QSignalSpy ended(&room.workspace->exporter(), &ExportDesk::ended);
    room.workspace->exporter().start(room.workspace->archive().path(), room.window->archive().shownKernels(),
                                     archive::ExportFormat::csv, room.file(QStringLiteral("file/out.csv")));
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended.front().at(1).toBool());
    QVERIFY2(room.notice().contains(QStringLiteral("out.csv")), qPrintable(room.notice()));
}

void TestTable::exportIsCancelled() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(openMade(room, 4000));
    const QString path = room.file(QStringLiteral("many.jsonl"));
    QSignalSpy ended(&room.workspace->exporter(), &ExportDesk::ended);
    auto kernels = room.window->archive().shownKernels();
    for (int i = 0; i < 6; ++i) // long enough to be met under way
        kernels.insert(kernels.end(), kernels.begin(), kernels.end());
    room.workspace->exporter().start(room.workspace->archive().path(), kernels, archive::ExportFormat::jsonLines, path);
    QVERIFY(room.workspace->exporter().isRunning());
    room.window->actions().refresh();
    room.press(Qt::Key_Escape);
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended.front().at(1).toBool());
    QVERIFY(!QFile::exists(path));
    QVERIFY(!QFile::exists(path + QStringLiteral(".part")));
}

void TestTable::dialogSaysWhereTo() {
    const QTemporaryDir folder;
    ExportDialog dialog(0, 5, true, folder.path());
    QVERIFY(!dialog.onlyChosen()); // nothing is
    QCOMPARE(dialog.path(), folder.filePath(QStringLiteral("kernels.csv")));
    dialog.findChild<QComboBox*>()->setCurrentIndex(2);
    QCOMPARE(dialog.path(), folder.filePath(QStringLiteral("kernels")));
    dialog.findChild<QLineEdit*>()->clear();
    for (const auto* button : dialog.findChildren<QAbstractButton*>())
        if (button->text() == QLatin1String("&Export")) QVERIFY(!button->isEnabled());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTable);
