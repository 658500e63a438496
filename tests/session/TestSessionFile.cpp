// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/RawDatabase.h"
#include "tests/TestRegistry.h"
#include "tests/session/SessionFixture.h"

#include <thread>

namespace kernelarium::session {
namespace {

QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const std::filesystem::path& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

/// A closed file with a few hundred attempts.
std::filesystem::path filled(const QTemporaryDir& folder) {
    const std::filesystem::path path = folder.filePath("sessions.sqlite").toStdString();
    auto store = SessionStore::open(path).value();
    Attempt attempt;
    attempt.session = store.createSession("s").value().id;
    for (int i = 0; i < 200; ++i) {
        attempt.source = "text " + std::to_string(i);
        attempt.kernelKey = std::string(200, 'k');
        if (!store.addAttempt(attempt).ok()) return {};
    }
    return path;
}

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void foldersAreMade() {
        QTemporaryDir folder;
        const auto path = folder.filePath("a/b/sessions.sqlite").toStdString();
        VERIFY_OK(SessionStore::open(path));
        QVERIFY(std::filesystem::exists(path));
    }

    void unusableFilesAreRefusedAndLeftAlone_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("code");
        QTest::newRow("text") << "text"
                              << "damaged_session";
        QTest::newRow("cut short") << "cut"
                                   << "damaged_session";
        QTest::newRow("overwritten page") << "page"
                                          << "damaged_session";
        QTest::newRow("newer") << "newer"
                               << "newer_session";
        QTest::newRow("another program's") << "foreign"
                                           << "not_a_session";
        QTest::newRow("view") << "view"
                              << "not_a_session";
        QTest::newRow("trigger") << "trigger"
                                 << "not_a_session";
        QTest::newRow("table is missing") << "missing"
                                          << "damaged_session";
    }

    void unusableFilesAreRefusedAndLeftAlone() {
        QFETCH(QString, kind);
        QFETCH(QString, code);
        QTemporaryDir folder;
        const auto path = filled(folder);
        QVERIFY(!path.empty());
        QByteArray bytes = bytesOf(path);
        QVERIFY(bytes.size() > 64 * 1024);
        if (kind == "text") write(path, "these are notes of mine\n");
        if (kind == "cut") write(path, bytes.left(bytes.size() / 2));
        if (kind == "page") write(path, bytes.replace(4096, 40000, QByteArray(40000, 'x')));
        if (kind == "newer") executeRaw(path, "PRAGMA user_version = 99");
        if (kind == "foreign") executeRaw(path, "PRAGMA application_id = 1");
        if (kind == "view")
            executeRaw(path,
                       "ALTER TABLE value RENAME TO v; CREATE VIEW value AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
                       "SELECT x + 1 FROM c) SELECT x AS key, '{}' AS json FROM c");
        if (kind == "trigger")
            executeRaw(path, "CREATE TRIGGER t AFTER INSERT ON attempt BEGIN UPDATE source SET data = x''; END");
        if (kind == "missing") executeRaw(path, "DROP TABLE draft");
        const QByteArray before = bytesOf(path);

        const auto refused = SessionStore::open(path);
        QVERIFY(!refused.ok());
        QCOMPARE(QString::fromStdString(refused.error().code), code);
        QVERIFY(!refused.error().action.empty());
        QCOMPARE(bytesOf(path), before);

        const auto aside = SessionStore::setAside(path);
        VERIFY_OK(aside);
        QCOMPARE(bytesOf(*aside), before);
        VERIFY_OK(SessionStore::open(path));
        const auto again = SessionStore::setAside(path);
        VERIFY_OK(again);
        QVERIFY(*again != *aside);
        QCOMPARE(bytesOf(*aside), before);
    }

    /// A file of the first version, which knew one parent: everything in it stays, and it takes two from now on.
    void aFileOfTheFirstVersionIsBroughtUpToDate() {
        QTemporaryDir folder;
        const auto path = filled(folder);
        QVERIFY(!path.empty());
        executeRaw(path, "DROP TABLE taken; PRAGMA user_version = 1; UPDATE attempt SET parent = id - 1");
        auto store = SessionStore::open(path);
        VERIFY_OK(store);
        const auto before = store->attempts({});
        VERIFY_OK(before);
        QCOMPARE(before->size(), std::size_t{200});
        QCOMPARE(before->back().parent, before->back().id - 1);
        QVERIFY(before->back().takenFrom.empty());
        QCOMPARE(store->attempt(before->back().id)->source, std::string("text 199"));
        Attempt attempt;
        attempt.session = before->back().session;
        attempt.source = "a new one";
        attempt.takenFrom = {{"archive:L1/T1/other@1", "other", 0}};
        const auto id = store->addAttempt(attempt);
        VERIFY_OK(id);
        QVERIFY(store->attempt(*id)->takenFrom == attempt.takenFrom);
        QCOMPARE(readRaw(path, "PRAGMA user_version"), std::string("2"));
    }

    void emptyFileIsANewOne() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("sessions.sqlite").toStdString();
        write(path, {});
        VERIFY_OK(SessionStore::open(path));
    }

    void folderInThePlaceIsAnError() {
        QTemporaryDir folder;
        const auto refused = SessionStore::open(folder.path().toStdString());
        QVERIFY(!refused.ok());
        QVERIFY(!refused.error().message.empty());
    }

    /// Two stores, as of two processes: each connection has its own locks.
    void twoWritersWaitForEachOther() {
        SessionFixture file;
        constexpr int each = 60;
        int failures[2] = {0, 0};
        const auto body = [&](int which) {
            auto store = SessionStore::open(file.path);
            if (!store) {
                failures[which] = each;
                return;
            }
            for (int i = 0; i < each; ++i)
                if (!store->addAttempt(file.attempt(std::to_string(which) + ":" + std::to_string(i))).ok())
                    ++failures[which];
        };
        std::thread first(body, 0);
        std::thread second(body, 1);
        first.join();
        second.join();
        QCOMPARE(failures[0], 0);
        QCOMPARE(failures[1], 0);
        QCOMPARE(file.store.attempts({}).value().size(), std::size_t{2 * each});
    }

    void manyMayCreateTheFileAtOnce() {
        const QTemporaryDir folder;
        for (int round = 0; round < 20; ++round) {
            const std::filesystem::path path = folder.filePath(QString::number(round)).toStdString();
            std::atomic<int> opened = 0;
            std::vector<std::thread> threads;
            for (int i = 0; i < 6; ++i)
                threads.emplace_back([&] {
                    auto store = SessionStore::open(path);
                    if (store && store->createSession("").ok()) ++opened;
                    if (!store) qWarning("%s", store.error().text().c_str());
                });
            for (auto& thread : threads)
                thread.join();
            QCOMPARE(opened.load(), 6);
        }
    }
};

} // namespace

KERNELARIUM_TEST(TestSessionFile);

} // namespace kernelarium::session

#include "TestSessionFile.moc"
