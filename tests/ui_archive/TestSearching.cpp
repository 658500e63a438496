// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestSearching.h"

#include "core/archive/search/SearchSyntax.h"
#include "core/session/SavedSearches.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_archive/Rows.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SavedSearchMenu.h"
#include "ui/archive/SearchField.h"
#include "ui/archive/SearchHelp.h"
#include "ui/tour/Keys.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

QToolButton* toolButtonNamed(QWidget& place, const QString& name) {
    for (auto* button : place.findChildren<QToolButton*>())
        if (button->accessibleName() == name || button->text() == name) return button;
    return nullptr;
}

/// Its text replaced as by typing, its result awaited.
bool search(Room& room, const QString& text) {
    QSignalSpy shown(&room.workspace->archive(), &ArchiveDesk::shownChanged);
    SearchField& field = room.window->archive().filters().field();
    field.clear();
    typeText(field, text);
    QApplication::processEvents();
    return QTest::qWaitFor([&] { return !shown.isEmpty() || !room.window->archive().filters().problem().isEmpty(); },
                           longWait);
}

/// What the search language gives over the file itself.
int expected(Room& room, const QString& text) {
    auto opened = archive::Archive::open(room.workspace->archive().path().toStdString());
    auto query = archive::parseSearch(text.toStdString());
    if (!opened || !query) return -1;
    auto result = opened->search(*query);
    return result ? int(result->hits.size()) : -1;
}

void trigger(SavedSearchMenu& menu, const QString& text) {
    Q_EMIT menu.aboutToShow();
    for (QAction* action : menu.actions())
        if (action->text() == text) {
            action->trigger();
            return;
        }
    QFAIL(qPrintable(text));
}

QStringList namesIn(SavedSearchMenu& menu) {
    Q_EMIT menu.aboutToShow();
    QStringList names;
    for (const QAction* action : menu.actions())
        if (!action->isSeparator()) names << action->text();
    return names;
}

void answer(Room& room, const QString& name) {
    WAIT_VERIFY(room.window->findChild<QInputDialog*>());
    auto* dialog = room.window->findChild<QInputDialog*>();
    dialog->setTextValue(name);
    dialog->accept();
    WAIT_VERIFY(!room.window->findChild<QInputDialog*>());
}

} // namespace

void TestSearching::fieldsNarrowTheTable_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"speedup>2", "level:1 correct:yes", "task:1/23", "uses:__syncthreads", "op:softmax tile", "runtime<0.05",
          "re:\"float[24]\\s\"", "name:online", "error:no", "speedup:1..3 __shfl", "default: x", "__shfl_xor_sync",
          "__shfl_xor_sync OR atomicAdd", "tile -level:1", "-(op:softmax OR tile) speedup>1"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestSearching::fieldsNarrowTheTable() {
    QFETCH(QString, text);
    Room room;
    QVERIFY(room.start());
    QVERIFY(search(room, text));
    const int wanted = expected(room, text);
    QVERIFY(wanted >= 0);
    WAIT_COMPARE(room.window->archive().model().rowCount(), wanted);
    QVERIFY(room.window->archive().filters().problem().isEmpty());
    if (wanted == 0) QVERIFY(!room.window->archive().table().isVisible()); // but a sentence
}

void TestSearching::saysWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("no number") << "tile speedup>fast"
                               << "number";
    QTest::newRow("no kind") << "error:strange"
                             << "compile";
    QTest::newRow("broken expression") << "re:\"a(\""
                                       << "";
    QTest::newRow("text beside one") << "re:a b"
                                     << "b";
}

void TestSearching::saysWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, word);
    Room room;
    QVERIFY(room.start());
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
    FilterBar& filters = room.window->archive().filters();
    filters.field().setText(text); // at once, so that nothing in between is shown
    const int before = room.window->archive().model().rowCount();
    WAIT_VERIFY(!filters.problem().isEmpty());
    QVERIFY2(filters.problem().contains(word), qPrintable(filters.problem()));
    QCOMPARE(room.window->archive().model().rowCount(), before); // what was found before stays
    filters.field().clear();
    WAIT_VERIFY(filters.problem().isEmpty());
}

void TestSearching::completesFieldsAndValues() {
    Room room;
    QVERIFY(room.start());
    SearchField& field = room.window->archive().filters().field();
    field.setFocus();
    typeText(field, QStringLiteral("tile co"));
    QCOMPARE(field.completions(),
             (QStringList{QStringLiteral("correct:"), QStringLiteral("compile>"), QStringLiteral("compile-time>")}));
    WAIT_VERIFY(field.isCompleting());
    QWidget* list = QApplication::activePopupWidget();
    QVERIFY(list);
    pressKey(*list, Qt::Key_Down);
    pressKey(*list, Qt::Key_Return);
    WAIT_VERIFY(field.text() == QLatin1String("tile correct:") || field.text() == QLatin1String("tile compile>"));
    field.setText(QStringLiteral("correct:"));
    QCOMPARE(field.completions(), (QStringList{QStringLiteral("correct:yes"), QStringLiteral("correct:no")}));
    field.setText(QStringLiteral("task:1/2"));
    QVERIFY(field.completions().contains(QStringLiteral("task:1/23")));
    field.setText(QStringLiteral("error:comp"));
    QCOMPARE(field.completions(), QStringList{QStringLiteral("error:compile")});
    field.clear();
    pressKey(field, Qt::Key_Space, Qt::ControlModifier);
    WAIT_VERIFY(field.isCompleting());
    QApplication::activePopupWidget()->close();
}

void TestSearching::valuesFollowTheirField() {
    Room room;
    QVERIFY(room.start());
    SearchField& field = room.window->archive().filters().field();
    field.setFocus();
    typeText(field, QStringLiteral("cla"));
    WAIT_VERIFY(field.isCompleting());
    auto* list = qobject_cast<QListView*>(QApplication::activePopupWidget());
    QVERIFY(list);
    // Below the field, its rows whole.
    QVERIFY(list->geometry().top() > field.mapToGlobal(QPoint(0, field.height() - 1)).y());
    QVERIFY(list->sizeHintForRow(0) >= list->fontMetrics().height() + 6);
    QVERIFY(list->viewport()->height() >= list->sizeHintForRow(0));
    pressKey(*list, Qt::Key_Down);
    pressKey(*list, Qt::Key_Return);
    WAIT_COMPARE(field.text(), QStringLiteral("class:"));
    WAIT_VERIFY(field.isCompleting());
    list = qobject_cast<QListView*>(QApplication::activePopupWidget());
    QVERIFY(list && list->model()->rowCount() > 1);
    QVERIFY(list->model()->index(0, 0).data().toString().startsWith(QStringLiteral("class:")));
    const int rows = std::min(7, list->model()->rowCount()); // as many as the completer shows
    QVERIFY2(list->viewport()->height() >= rows * list->sizeHintForRow(0),
             qPrintable(QString::number(list->viewport()->height())));
    pressKey(*list, Qt::Key_Down);
    pressKey(*list, Qt::Key_Return);
    WAIT_VERIFY(field.text().size() > int(qstrlen("class: ")));
    QVERIFY(!field.isCompleting());
}

void TestSearching::anUnfinishedFieldIsLeftOut() {
    Room room;
    QVERIFY(room.start());
    WAIT_VERIFY(room.window->archive().model().rowCount() > 0);
    QVERIFY(search(room, QStringLiteral("__shfl")));
    const int wanted = expected(room, QStringLiteral("__shfl"));
    QVERIFY(wanted > 0);
    for (const char* text : {"__shfl class:", "__shfl speedup>", "__shfl speedup>="}) {
        QVERIFY(search(room, QLatin1String(text)));
        WAIT_COMPARE(room.window->archive().model().rowCount(), wanted);
        QVERIFY(room.window->archive().filters().problem().isEmpty());
    }
    room.window->archive().filters().field().setText(QStringLiteral("class: "));
    QCOMPARE(room.window->archive().filters().query()->text, std::string("class:")); // left: it is a text
}

void TestSearching::offersToLookForEachWord() {
    Room room;
    QVERIFY(room.start());
    ArchivePanel& panel = room.window->archive();
    const auto button = [&panel]() -> QPushButton* {
        for (auto* each : panel.findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Look for each word")) return each;
        return nullptr;
    };
    QVERIFY(search(room, QStringLiteral("__syncthreads level:1 gridDim blockIdx")));
    WAIT_VERIFY(button() && button()->isVisible());
    button()->click();
    QCOMPARE(panel.filters().field().text(), QStringLiteral("level:1 all:\"__syncthreads gridDim blockIdx\""));
    const int wanted = expected(room, panel.filters().field().text());
    QVERIFY(wanted > 0);
    WAIT_COMPARE(panel.model().rowCount(), wanted);
    QVERIFY(!button()->isVisible());
    QVERIFY(search(room, QStringLiteral("nowhere_in_there")));
    WAIT_COMPARE(panel.model().rowCount(), 0);
    QVERIFY(!button()->isVisible());
    QVERIFY(SearchHelp::sheet().contains(QStringLiteral("all:")) &&
            SearchHelp::sheet().contains(QStringLiteral("spaces included")));
}

void TestSearching::explainsItself() {
    Room room;
    QVERIFY(room.start());
    FilterBar& filters = room.window->archive().filters();
    QToolButton* button = toolButtonNamed(filters, QStringLiteral("What can be searched for"));
    QVERIFY(button);
    button->click();
    QVERIFY(filters.help().isVisible());
    for (const char* word : {"speedup", "uses:wmma", "correct:yes", "op:softmax"})
        QVERIFY2(SearchHelp::sheet().contains(QLatin1String(word)), word);
    pressKey(filters.help(), Qt::Key_Escape);
    QVERIFY(!filters.help().isVisible());
}

void TestSearching::foldsTheSameCode() {
    Room room;
    QVERIFY(room.start());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(room.write(QStringLiteral("rows.jsonl"), madeRows(100)));
    WAIT_COMPARE(ended.size(), 1);
    ArchivePanel& panel = room.window->archive();
    WAIT_VERIFY(panel.model().rowCount() == 100 && !room.workspace->archive().arriving());
    toolButtonNamed(panel.filters(), QStringLiteral("Fold kernels with the same code"))->click();
    WAIT_COMPARE(panel.model().rowCount(), 90);
    QVERIFY2(panel.status().contains(QStringLiteral("10 folded")), qPrintable(panel.status()));
    for (const char* text : {"threadIdx", "uses:threadIdx made"}) { // also where code is looked through
        QVERIFY(search(room, QLatin1String(text)));
        WAIT_COMPARE(panel.model().rowCount(), 90);
    }
    int row = 0;
    while (row < 90 && panel.model().foldedUnder(row) == 0)
        ++row;
    QVERIFY(row < 90);
    QVERIFY(panel.model().index(row, KernelTableModel::name).data().toString().contains(QStringLiteral("+1")));
    panel.table().setFocus();
    panel.table().setCurrentIndex(panel.model().index(row, KernelTableModel::name));
    pressKey(panel.table(), Qt::Key_Right);
    QCOMPARE(panel.model().rowCount(), 91);
    QVERIFY(panel.model().isBeneath(row + 1));
    const auto& table = *room.workspace->archive().table();
    const auto shapeOf = [&](int at) { return table.shape[std::size_t(panel.model().id(at)) - 1]; };
    QVERIFY(shapeOf(row) == shapeOf(row + 1));
    QVERIFY(shapeOf(row) != shapeOf(row + 2));
    panel.table().setCurrentIndex(panel.model().index(row + 1, KernelTableModel::name));
    pressKey(panel.table(), Qt::Key_Left); // from beneath
    QCOMPARE(panel.model().rowCount(), 90);
    QCOMPARE(panel.table().currentIndex().row(), row);
}

void TestSearching::firstHitsComeFirst() {
    Room room;
    QVERIFY(room.start());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    room.window->openPath(room.write(QStringLiteral("rows.jsonl"), madeRows(8000)));
    WAIT_COMPARE(ended.size(), 1);
    WAIT_VERIFY(room.window->archive().model().rowCount() == 8000 && !room.workspace->archive().arriving());
    std::vector<std::size_t> sizes;
    archive::SearchQuery query;
    query.text = "threadIdx.x";
    bool done = false;
    room.workspace->archive().find(
        query,
        [&](const ArchiveDesk::Answer& part) {
            QVERIFY(!part->complete && !done);
            sizes.push_back(part->rows.size());
        },
        [&](const Result<ArchiveDesk::Answer>& all) {
            QVERIFY(all.ok() && (*all)->complete);
            sizes.push_back((*all)->rows.size());
            done = true;
        });
    WAIT_VERIFY(done);
    QVERIFY(sizes.size() >= 2);
    QVERIFY(sizes.front() >= 200 && sizes.front() < 2000);
    QVERIFY(std::is_sorted(sizes.begin(), sizes.end()));
    QCOMPARE(sizes.back(), 8000U);
}

void TestSearching::savedSearchesAreKept() {
    Room room;
    QVERIFY(room.start());
    {
        FilterBar& filters = room.window->archive().filters();
        auto* menu = filters.findChild<SavedSearchMenu*>();
        QVERIFY(namesIn(*menu).contains(QStringLiteral("Saved searches are listed here")));
        QVERIFY(search(room, QStringLiteral("uses:__syncthreads speedup>1")));
        trigger(*menu, QStringLiteral("&Save this search…"));
        answer(room, QStringLiteral("Fast & synchronous"));
        WAIT_COMPARE(room.workspace->session().searches().size(), 1U);
        QVERIFY(search(room, QString(QLatin1Char('x'))));
        trigger(*menu, QStringLiteral("Fast && synchronous"));
        QCOMPARE(filters.field().text(), QStringLiteral("uses:__syncthreads speedup>1"));
        WAIT_COMPARE(room.window->archive().model().rowCount(), expected(room, filters.field().text()));
        room.workspace->session().renameSearch(QStringLiteral("Fast & synchronous"), QStringLiteral("Sync"));
        WAIT_COMPARE(room.workspace->session().searches().front().name, std::string("Sync"));
        room.workspace->session().renameSearch(QStringLiteral("absent"), QStringLiteral("Other"));
        WAIT_VERIFY(room.notice().contains(QStringLiteral("absent")));
    }
    room.window->close();
    QVERIFY(room.start());
    auto* menu = room.window->archive().filters().findChild<SavedSearchMenu*>();
    QVERIFY(namesIn(*menu).contains(QStringLiteral("Sync")));
    QCOMPARE(room.window->archive().filters().field().text(), QStringLiteral("uses:__syncthreads speedup>1"));
    room.workspace->session().removeSearch(QStringLiteral("Sync"));
    WAIT_VERIFY(room.workspace->session().searches().empty());
    QVERIFY(!namesIn(*menu).contains(QStringLiteral("Sync")));
}

void TestSearching::aDeletedSearchComesBack() {
    Room room;
    QVERIFY(room.start());
    FilterBar& filters = room.window->archive().filters();
    auto* menu = filters.findChild<SavedSearchMenu*>();
    session::SavedSearch search;
    search.name = "Sync & fast";
    search.text = "uses:__syncthreads";
    search.foldDuplicates = true;
    room.workspace->session().saveSearch(search);
    WAIT_COMPARE(room.workspace->session().searches().size(), 1U);
    Q_EMIT menu->aboutToShow();
    QAction* remove = nullptr;
    for (const QAction* action : menu->actions())
        if (action->menu() && action->text() == QLatin1String("&Delete")) remove = action->menu()->actions().front();
    QVERIFY(remove);
    remove->trigger();
    WAIT_VERIFY(room.workspace->session().searches().empty());
    WAIT_VERIFY2(room.notice().contains(QStringLiteral("Sync & fast")), qPrintable(room.notice()));
    trigger(*menu, QStringLiteral("&Undo deleting \"Sync && fast\""));
    WAIT_COMPARE(room.workspace->session().searches().size(), 1U);
    QVERIFY(room.workspace->session().searches().front() == search);
    QVERIFY(!namesIn(*menu).join(QLatin1Char(' ')).contains(QStringLiteral("Undo")));
}

void TestSearching::aSearchNeedsAName() {
    Room room;
    QVERIFY(room.start());
    QVERIFY(search(room, QStringLiteral("level:1")));
    trigger(*room.window->archive().filters().findChild<SavedSearchMenu*>(), QStringLiteral("&Save this search…"));
    WAIT_VERIFY(room.window->findChild<QInputDialog*>());
    auto* dialog = room.window->findChild<QInputDialog*>();
    WAIT_VERIFY(dialog->isVisible());
    WAIT_VERIFY2(dialog->width() >= 340, qPrintable(QString::number(dialog->width())));
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled() && ok->toolTip().contains(QStringLiteral("no name")));
    auto* name = dialog->findChild<QLineEdit*>();
    typeText(*name, QStringLiteral("  "));
    QVERIFY(!ok->isEnabled());
    typeText(*name, QStringLiteral("one"));
    QVERIFY(ok->isEnabled());
    dialog->reject();
}

void TestSearching::aSavedLiteralStaysOne() {
    Room room;
    QVERIFY(room.start());
    session::SavedSearch search;
    search.text = "level:1";
    search.literal = true;
    FilterBar& filters = room.window->archive().filters();
    filters.apply(search);
    QCOMPARE(filters.query()->text, std::string("level:1"));
    QVERIFY(filters.saved().literal);
    typeText(filters.field(), QStringLiteral(" "));
    QVERIFY(filters.query()->text.empty()); // edited: fields are fields again
    QCOMPARE(filters.query()->kernels.filter.level, std::optional<std::int64_t>(1));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestSearching);
