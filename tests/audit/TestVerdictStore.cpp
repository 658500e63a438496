// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictLine.h"
#include "core/sqlite/Sqlite.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/audit/AuditFixture.h"

#include <QProcess>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

using verify::VerdictKind;

namespace {

/// Puts verdicts into a store until it is killed, and says each number that the store has acknowledged.
int putForever(int argc, char** argv) {
    auto store = VerdictStore::open(argc > 1 ? argv[1] : "");
    if (!store) return 1;
    for (int i = 0;; ++i) {
        if (!store->put(kernelWith("k" + std::to_string(i), VerdictKind::wrong, i))) return 1;
        std::printf("%d\n", i);
        std::fflush(stdout);
    }
}

KERNELARIUM_TEST_PROGRAM("--put-forever", putForever);

class TestVerdictStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack() {
        const AuditFixture fixture;
        const JudgedKernel put = kernelWith("a", VerdictKind::wrong);
        {
            auto store = VerdictStore::open(fixture.path("a.verdicts"));
            VERIFY_OK(store);
            VERIFY_OK(store->put(put));
        }
        auto store = VerdictStore::openExisting(fixture.path("a.verdicts"));
        VERIFY_OK(store);
        QVERIFY(store->has_value());
        const auto found = (*store)->find(keyOf("a"));
        VERIFY_OK(found);
        QVERIFY(found->has_value());
        const StoredVerdict& row = **found;
        QCOMPARE(row.verdict, std::string("wrong"));
        QCOMPARE(row.reasons, (std::vector<std::string>{"values", "nan"}));
        QCOMPARE(row.message, put.verdict.message);
        QVERIFY(std::isnan(row.maxAbsoluteError.value())); // a NaN is not nothing
        QVERIFY(row.maxRelativeError.value() == 0.1 + 0.2);
        QVERIFY(row.versions == put.verdict.versions);
        QCOMPARE(row.timeMs, std::int64_t(1000));
        const auto evidence = (*store)->evidence(keyOf("a"));
        VERIFY_OK(evidence);
        QCOMPARE(evidence->value(), put.evidence);
        QVERIFY(!(*store)->find(keyOf("b")).value().has_value());
    }

    void aNewVerdictTakesTheOldOnesPlace() {
        const AuditFixture fixture;
        auto store = VerdictStore::open(fixture.path("a.verdicts"));
        VERIFY_OK(store);
        VERIFY_OK(store->put(kernelWith("a", VerdictKind::wrong)));
        VERIFY_OK(store->put(failed(keyOf("a"), {"child_died", "It was killed."}, {}, {})));
        const auto all = store->all();
        VERIFY_OK(all);
        QCOMPARE(all->size(), std::size_t(1));
        QVERIFY(all->front().isFailure());
        QCOMPARE(all->front().reasons, std::vector<std::string>{"child_died"});
        QVERIFY(!store->evidence(keyOf("a")).value().has_value()); // the wrong one's went with it
    }

    void theCodeAndNotTheNameMakesAKernel() {
        const AuditFixture fixture;
        auto store = VerdictStore::open(fixture.path("a.verdicts"));
        VERIFY_OK(store);
        VERIFY_OK(store->put(kernelWith("a")));
        VerdictKey other = keyOf("a");
        other.codeHash[31] ^= 1;
        QVERIFY(!store->find(other).value().has_value());
        QVERIFY(!store->find(keyOf("a", 1, 2)).value().has_value());
    }

    void aMissingFileIsNoError() {
        const AuditFixture fixture;
        const auto store = VerdictStore::openExisting(fixture.path("none.verdicts"));
        VERIFY_OK(store);
        QVERIFY(!store->has_value());
        QVERIFY(!std::filesystem::exists(fixture.path("none.verdicts")));
    }

    void otherFilesAreRefusedAndLeftAsTheyAre_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("code");
        QTest::newRow("text") << QByteArray("no database at all, and long enough for a header\n") << "damaged_verdicts";
        const AuditFixture fixture;
        QTest::newRow("an archive") << fixture.read(fixture.archive(3)) << "not_verdicts";
        {
            auto store = VerdictStore::open(fixture.path("a.verdicts"));
            for (int i = 0; i < 60; ++i)
                QVERIFY(store->put(kernelWith(std::to_string(i))).ok());
        }
        const QByteArray whole = fixture.read(fixture.path("a.verdicts"));
        QVERIFY(whole.size() > 40000);
        QTest::newRow("half of it") << whole.left(whole.size() / 2) << "damaged_verdicts";
        QByteArray newer = whole;
        newer[63] = 99; // user_version
        QTest::newRow("newer") << newer << "newer_verdicts";
    }

    void otherFilesAreRefusedAndLeftAsTheyAre() {
        QFETCH(QByteArray, content);
        QFETCH(QString, code);
        const AuditFixture fixture;
        const auto path = fixture.write("b.verdicts", content);
        const auto store = VerdictStore::open(path);
        QVERIFY(!store.ok());
        QCOMPARE(QString::fromStdString(store.error().code), code);
        QVERIFY(!store.error().action.empty());
        QCOMPARE(fixture.read(path), content);
    }

    void foreignSchemasAreRefused() {
        const AuditFixture fixture;
        const auto path = fixture.path("a.verdicts");
        {
            auto store = VerdictStore::open(path);
            VERIFY_OK(store);
            VERIFY_OK(store->put(kernelWith("a")));
        }
        sqlite::Database(path, sqlite::Database::Access::readWrite)
            .execute("CREATE TRIGGER t AFTER UPDATE ON verdict BEGIN UPDATE verdict SET verdict = 'verified'; END");
        const auto before = fixture.read(path);
        for (const Error& refused : {VerdictStore::open(path).error(), VerdictStore::openExisting(path).error()}) {
            QCOMPARE(refused.code, std::string("not_verdicts"));
            QVERIFY(refused.message.find("trigger `t`") != std::string::npos);
            QVERIFY(!refused.action.empty());
        }
        QCOMPARE(fixture.read(path), before);
    }

    void aFolderThatIsNoneIsSaid() {
        const AuditFixture fixture;
        const auto store = VerdictStore::open(fixture.write("file", "x") / "a.verdicts");
        QVERIFY(!store.ok());
        QCOMPARE(store.error().code, std::string("unwritable_file"));
    }

    /// The same file through several deaths: whatever a child had acknowledged is there, whole.
    void acknowledgedVerdictsSurviveAKill() {
        const AuditFixture fixture;
        const QString path = QString::fromStdString(fixture.path("a.verdicts").string());
        int most = 0;
        for (const int lines : {1, 9, 40}) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {"--put-forever", path});
            QVERIFY(child.waitForStarted(longWait));
            QByteArray said;
            while (said.count('\n') < lines) {
                QVERIFY2(child.waitForReadyRead(longWait), child.readAllStandardError().constData());
                said += child.readAllStandardOutput();
            }
            child.kill();
            child.waitForFinished(longWait);
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            said += child.readAllStandardOutput();
            most = std::max(most, int(said.count('\n')));
            auto store = VerdictStore::open(path.toStdString());
            VERIFY_OK(store);
            for (int i = 0; i < most; ++i) {
                const auto evidence = store->evidence(keyOf("k" + std::to_string(i)));
                VERIFY_OK(evidence);
                QCOMPARE(evidence->value(), kernelWith("k" + std::to_string(i), VerdictKind::wrong, i).evidence);
            }
        }
        QVERIFY(most >= 40);
    }

    void anArchivesVerdictsAreBesideIt() {
        const AuditFixture fixture;
        QCOMPARE(verdictsPathFor(fixture.path("my.sqlite")), fixture.path("my.sqlite.verdicts"));
        const auto unwritable = verdictsPathFor("/proc/no/my.sqlite"); // nobody, root neither, can write there
        QVERIFY(unwritable.string().find("/kernelarium/verdicts/my.sqlite-") != std::string::npos);
        QVERIFY(unwritable != verdictsPathFor("/proc/other/my.sqlite"));
    }

    void aLineComesBack() {
        for (const JudgedKernel& kernel : {kernelWith("a", VerdictKind::wrong), kernelWith("b"),
                                           failed(keyOf("c"), {"child_died", "It was killed."}, {}, {})}) {
            const std::string line = toLine(kernel);
            QVERIFY(line.find('\n') == std::string::npos);
            const auto read = verdictFromLine(line);
            VERIFY_OK(read);
            QCOMPARE(toLine(*read), line);
        }
    }

    void damagedLinesAreRefused() {
        const std::string line = toLine(kernelWith("a", VerdictKind::wrong));
        const nlohmann::json good = nlohmann::json::parse(line);
        for (const auto& [key, value] : good.items()) {
            nlohmann::json bad = good;
            bad[key] = key == "label" ? nlohmann::json("x") : nlohmann::json::array({nlohmann::json::object()});
            if (key == "label") continue; // for people
            QVERIFY2(!verdictFromLine(bad.dump()).ok(), key.c_str());
            bad.erase(key);
            QVERIFY2(!verdictFromLine(bad.dump()).ok(), key.c_str());
        }
        nlohmann::json other = good;
        other["verdict"] = "verified"; // the evidence says otherwise
        QVERIFY(!verdictFromLine(other.dump()).ok());
        nlohmann::json deep = nlohmann::json::object();
        for (int level = 0; level < 100; ++level)
            deep = {{"x", std::move(deep)}};
        other = good;
        other["evidence"]["deep"] = std::move(deep);
        QVERIFY(!verdictFromLine(other.dump()).ok());
        for (std::size_t end = 0; end < line.size(); end += 37)
            QVERIFY(!verdictFromLine(line.substr(0, end)).ok());
    }
};

} // namespace

KERNELARIUM_TEST(TestVerdictStore);

} // namespace kernelarium::audit

#include "TestVerdictStore.moc"
