// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestGetArchive.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/archive/DuckDbWriter.h"
#include "tests/hub/HubServer.h"
#include "tests/ui_archive/Rows.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/GetArchiveDialog.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"

#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace kernelarium::ui {

namespace {

/// A hub with two files of a hundred kernels each; empty where no Parquet can be written.
HubBehaviour twoFiles(const Room& room) {
    HubBehaviour behaviour;
    for (int i = 0; i < 2; ++i) {
        const QString lines = room.write(QStringLiteral("hub.jsonl"), madeRows(100, 100 * i)),
                      parquet = room.file(QStringLiteral("hub.parquet"));
        if (!writeParquet(lines, parquet).isEmpty()) return {};
        QFile file(parquet);
        if (file.open(QIODevice::ReadOnly))
            behaviour.files[QStringLiteral("data/level_%1.parquet").arg(i + 1)] = file.readAll();
    }
    return behaviour;
}

GetArchiveDialog* openDialog(Room& room) {
    room.window->actions().action(QStringLiteral("archive.get"))->trigger();
    return room.window->findChild<GetArchiveDialog*>();
}

QPushButton* buttonNamed(QWidget& place, const QString& text) {
    for (auto* button : place.findChildren<QPushButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

QString findHub(const HubServer& server) {
    qputenv("KERNELARIUM_HUB", server.host().toUtf8());
    return server.host();
}

} // namespace

void TestGetArchive::cleanup() {
    qunsetenv("KERNELARIUM_HUB");
}

void TestGetArchive::bringsAndImports() {
    if (const std::string missing = duckDbMissing(); !missing.empty()) QSKIP(missing.c_str());
    Room room;
    room.paths.starterArchive.clear();
    const HubServer server(twoFiles(room));
    findHub(server);
    QVERIFY(room.start());
    QPushButton* button = buttonNamed(room.window->archive(), QStringLiteral("Get the archive…")); // of the empty state
    QVERIFY(button && button->isVisible());
    button->click();
    auto* dialog = room.window->findChild<GetArchiveDialog*>();
    QVERIFY(dialog);
    QPushButton* get = buttonNamed(*dialog, QStringLiteral("&Download and import"));
    WAIT_VERIFY(get->isEnabled());
    QCOMPARE(dialog->findChild<QListWidget*>()->count(), 2);
    QVERIFY2(dialog->finding().contains(QStringLiteral("2 of 2 files")), qPrintable(dialog->finding()));
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    get->click();
    QVERIFY(room.workspace->archive().isImporting());
    QVERIFY(!room.window->actions().action(QStringLiteral("archive.get"))->isEnabled());
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(ended.front().at(2).toBool(), qPrintable(ended.front().at(0).toString()));
    WAIT_COMPARE(room.window->archive().model().rowCount(), 200);
    QVERIFY(QFile::exists(room.file(QStringLiteral("downloads/data/level_2.parquet"))));
    QVERIFY(room.window->actions().action(QStringLiteral("archive.get"))->isEnabled());
}

void TestGetArchive::onlyWhatIsTicked() {
    if (const std::string missing = duckDbMissing(); !missing.empty()) QSKIP(missing.c_str());
    Room room;
    const HubServer server(twoFiles(room));
    findHub(server);
    QVERIFY(room.start());
    auto* dialog = openDialog(room);
    QVERIFY(dialog);
    auto* list = dialog->findChild<QListWidget*>();
    QPushButton* get = buttonNamed(*dialog, QStringLiteral("&Download and import"));
    WAIT_VERIFY(get->isEnabled());
    list->item(0)->setCheckState(Qt::Unchecked);
    list->item(1)->setCheckState(Qt::Unchecked);
    QVERIFY(!get->isEnabled());
    QVERIFY(get->toolTip().contains(QStringLiteral("ticked")));
    list->item(1)->setCheckState(Qt::Checked);
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    get->click();
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!QFile::exists(room.file(QStringLiteral("downloads/data/level_1.parquet"))));
    WAIT_COMPARE(room.workspace->archive().table()->size(), 100U);
}

void TestGetArchive::saysWhyThereIsNoList_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QString>("word");
    QTest::newRow("gone") << 404 << QByteArray("x") << "404";
    QTest::newRow("busy") << 503 << QByteArray("x") << "busy";
    QTest::newRow("page") << 200 << QByteArray("<html>") << "web page";
    QTest::newRow("nobody") << 0 << QByteArray() << "does not answer";
}

void TestGetArchive::saysWhyThereIsNoList() {
    QFETCH(int, status);
    QFETCH(QByteArray, list);
    QFETCH(QString, word);
    Room room;
    QVERIFY(room.start());
    HubBehaviour behaviour;
    behaviour.listStatus = status;
    behaviour.list = list;
    if (list.startsWith('<')) behaviour.listType = "text/html";
    HubServer server(behaviour);
    findHub(server);
    if (status == 0) qputenv("KERNELARIUM_HUB", "http://127.0.0.1:1"); // where nobody listens
    auto* dialog = openDialog(room);
    WAIT_VERIFY2(dialog->finding().contains(word), qPrintable(dialog->finding()));
    QVERIFY(!buttonNamed(*dialog, QStringLiteral("&Download and import"))->isEnabled());
    QVERIFY(room.notice().isEmpty()); // it is said where it was asked
    HubBehaviour mended;
    mended.files[QStringLiteral("a.parquet")] = "content";
    server.behave(mended);
    auto* host = dialog->findChildren<QLineEdit*>().front();
    host->setText(server.host());
    buttonNamed(*dialog, QStringLiteral("&Ask again"))->click();
    WAIT_COMPARE(dialog->findChild<QListWidget*>()->count(), 1);
    dialog->reject();
}

void TestGetArchive::escapeKeepsWhatCame() {
    Room room;
    HubBehaviour behaviour;
    behaviour.files[QStringLiteral("a.parquet")] = QByteArray(8'000'000, 'a');
    behaviour.pieceBytes = 2000; // seconds in all
    const HubServer server(behaviour);
    findHub(server);
    QVERIFY(room.start());
    const auto size = room.workspace->archive().table()->size();
    auto* dialog = openDialog(room);
    QPushButton* get = buttonNamed(*dialog, QStringLiteral("&Download and import"));
    WAIT_VERIFY(get->isEnabled());
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    get->click();
    WAIT_VERIFY(room.window->status().workText().contains(QStringLiteral("/s")) || !ended.isEmpty());
    QVERIFY(ended.isEmpty());
    QVERIFY2(room.window->status().workText().startsWith(QStringLiteral("Downloading a.parquet (1 of 1)")),
             qPrintable(room.window->status().workText()));
    WAIT_VERIFY(!room.window->findChild<GetArchiveDialog*>());
    room.window->activateWindow(); // as a desktop does when a dialog closes
    QVERIFY(QTest::qWaitForWindowActive(room.window.get(), longWait));
    room.press(Qt::Key_Escape);
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY(!ended.front().at(2).toBool());
    QVERIFY2(room.notice().contains(QStringLiteral("cancelled")), qPrintable(room.notice()));
    QVERIFY(QFile(room.file(QStringLiteral("downloads/a.parquet.part"))).size() > 0);
    QCOMPARE(room.workspace->archive().table()->size(), size);
    QVERIFY(room.window->status().workText().isEmpty());
}

void TestGetArchive::failsInPlace() {
    Room room;
    HubBehaviour behaviour;
    behaviour.files[QStringLiteral("a.parquet")] = QByteArray(2000, 'a'); // comes as listed, and is not a Parquet
    HubServer server(behaviour);
    findHub(server);
    QVERIFY(room.start());
    auto* dialog = openDialog(room);
    QPushButton* get = buttonNamed(*dialog, QStringLiteral("&Download and import"));
    WAIT_VERIFY(get->isEnabled());
    behaviour.otherContent = QByteArray(2000, 'b');
    server.behave(behaviour);
    QSignalSpy ended(&room.workspace->archive(), &ArchiveDesk::importEnded);
    get->click();
    WAIT_COMPARE(ended.size(), 1);
    QVERIFY2(room.notice().contains(QStringLiteral("is not what the list says")), qPrintable(room.notice()));
    QVERIFY(!QFile::exists(room.file(QStringLiteral("downloads/a.parquet"))));
    behaviour.otherContent.clear();
    server.behave(behaviour);
    WAIT_VERIFY(!room.window->findChild<GetArchiveDialog*>());
    dialog = openDialog(room);
    get = buttonNamed(*dialog, QStringLiteral("&Download and import"));
    WAIT_VERIFY(get->isEnabled());
    get->click();
    WAIT_COMPARE(ended.size(), 2);
    QVERIFY(!ended.back().at(2).toBool());
    QVERIFY2(room.notice().contains(QStringLiteral("a.parquet")), qPrintable(room.notice()));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestGetArchive);
