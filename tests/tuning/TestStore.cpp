// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tuning/TuningFixture.h"

#include "core/tuning/strategies/Random.h"

#include <QElapsedTimer>
#include <fmt/format.h>
#include <fstream>

namespace kernelarium::tuning {
namespace {

/// A store of some candidates and other records.
QByteArray smallStore(const StoreFolder& folder) {
    const auto path = folder.path("small");
    {
        auto store = Store::open(path, headerOf());
        for (int i = 0; i < 5; ++i)
            static_cast<void>(store->keep(judgedOf(fmt::format("A={}", i), 1.0 + i, 1000 + i)));
        static_cast<void>(store->append(recordOf("note", {{"key", "u"}, {"rank", 2}, {"when", 7}}).value()));
    }
    QByteArray bytes = StoreFolder::read(path);
    std::filesystem::remove(path);
    return bytes;
}

class TestStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack() {
        const StoreFolder folder;
        Judged put = judgedOf("TILE=16 WORD=\"a b\"", 0.1 + 0.2);
        put.candidate.effort = 0.25;
        put.outcome.reason = "a \"quoted\"\nreason";
        put.outcome.details = R"({"samples":[1,2.5],"verdict":"verified"})";
        put.secondKey = "00ff";
        put.sameAs = "TILE=8";
        put.filtered = true;
        put.outcome.unproven = true;
        {
            auto store = Store::open(folder.path("a"), headerOf());
            VERIFY_OK(store);
            VERIFY_OK(store->keep(put));
            for (const auto kind : {Outcome::Kind::refused, Outcome::Kind::wrong, Outcome::Kind::failed})
                VERIFY_OK(store->keep(judgedOf("B=1", kind)));
        }
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        std::vector<Judged> all;
        VERIFY_OK(store->each([&](const Judged& judged) { all.push_back(judged); }));
        QCOMPARE(all.size(), std::size_t(4));
        const Judged& got = all.front();
        QCOMPARE(got.candidate.key, put.candidate.key);
        QVERIFY(got.candidate.effort == 0.25);
        QVERIFY(got.outcome.kind == Outcome::Kind::valued && *got.outcome.value == 0.1 + 0.2);
        QCOMPARE(got.outcome.reason, put.outcome.reason);
        QCOMPARE(got.outcome.details, put.outcome.details);
        QCOMPARE(got.secondKey, put.secondKey);
        QCOMPARE(got.sameAs, put.sameAs);
        QVERIFY(got.outcome.unproven && !all[1].outcome.unproven);
        QVERIFY(got.filtered);
        QCOMPARE(got.when, put.when);
        QVERIFY(got.seconds == put.seconds);
        QVERIFY(all[1].outcome.kind == Outcome::Kind::refused && !all[1].outcome.value);
        QVERIFY(all[2].outcome.kind == Outcome::Kind::wrong);
        QVERIFY(all[3].outcome.kind == Outcome::Kind::failed);
    }

    void otherKindsPassUnchanged() {
        const StoreFolder folder;
        const auto record = recordOf("note", {{"state", "open"}, {"prefix", {1, 2, 3}}, {"key", "u1"}});
        VERIFY_OK(record);
        {
            auto store = Store::open(folder.path("a"), headerOf());
            VERIFY_OK(store);
            VERIFY_OK(store->append(*record));
            VERIFY_OK(store->keep(judgedOf("A=1", 1)));
        }
        auto reader = StoreReader::open(folder.path("a"));
        VERIFY_OK(reader);
        const auto first = reader->next();
        VERIFY_OK(first);
        QCOMPARE((*first)->kind, std::string("note"));
        QCOMPARE((*first)->key(), std::string("u1"));
        QCOMPARE((*first)->line, record->line);
        QCOMPARE((*reader->next())->kind, std::string("candidate"));
        QVERIFY(!reader->next()->has_value());
        QCOMPARE(candidatesOf(folder.path("a")).size(), std::size_t(1));
        for (const char* kind : {"", "header", "candidate", "unit"})
            QCOMPARE(recordOf(kind, nlohmann::json::object()).error().code, std::string("bad_input"));
        QCOMPARE(recordOf("note", nlohmann::json::array()).error().code, std::string("bad_input"));
        QCOMPARE(recordOf("note", {{"key", 5}}).error().code, std::string("bad_input"));
    }

    void whatCannotBeReadAgainIsNotWritten() {
        const StoreFolder folder;
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        Judged judged = judgedOf("A=\xff", 1);
        QCOMPARE(store->keep(judged).error().code, std::string("bad_input"));
        judged = judgedOf("A=1", std::numeric_limits<double>::infinity());
        QCOMPARE(store->keep(judged).error().code, std::string("bad_input"));
        judged = judgedOf("A=1", 1);
        judged.outcome.details = "[1]";
        QCOMPARE(store->keep(judged).error().code, std::string("bad_input"));
        judged.outcome.details = "{\"a\":";
        QCOMPARE(store->keep(judged).error().code, std::string("bad_input"));
        judged.outcome.details.clear();
        judged.outcome.reason.assign(longestRecord, 'x');
        QCOMPARE(store->keep(judged).error().code, std::string("too_large"));
        for (const char* key : {"", "A=1\nB=2"})
            QCOMPARE(store->keep(judgedOf(key, 1)).error().code, std::string("bad_input"));
        VERIFY_OK(store->keep(judgedOf("A=1", 1)));
        QCOMPARE(candidatesOf(folder.path("a")).size(), std::size_t(1));
    }

    void aTornLastLineIsCutOff() {
        const StoreFolder folder;
        const QByteArray whole = smallStore(folder);
        const qsizetype header = whole.indexOf('\n') + 1;
        for (qsizetype length = 0; length <= whole.size(); ++length) {
            const auto path = folder.write("torn", whole.left(length));
            const qsizetype lines = whole.left(length).lastIndexOf('\n') + 1;
            auto reader = StoreReader::open(path);
            if (length < header) {
                QCOMPARE(reader.error().code, std::string("empty_store"));
            } else {
                VERIFY_OK(reader);
                auto next = reader->next();
                while (next.ok() && next->has_value())
                    next = reader->next();
                VERIFY_OK(next);
                QCOMPARE(reader->bytes(), std::uint64_t(lines));
            }
            QCOMPARE(StoreFolder::read(path).size(), length); // readers change nothing
            {
                auto store = Store::open(path, headerOf());
                VERIFY_OK(store);
                VERIFY_OK(store->keep(judgedOf("NEW=1", 1)));
            }
            const QByteArray now = StoreFolder::read(path);
            QVERIFY(now.startsWith(whole.left(std::max(lines, header))));
            QCOMPARE(candidatesOf(path).back().candidate.key, std::string("NEW=1"));
        }
    }

    void damageIsRefusedByNameAndLine() {
        const StoreFolder folder;
        const QByteArray whole = smallStore(folder);
        QList<QByteArray> lines = whole.split('\n');
        for (const char* bad : {"",
                                "{",
                                "[]",
                                "3",
                                "null",
                                "{\"kind\":5}",
                                "{\"kind\":\"\"}",
                                "{\"no\":1}",
                                "{\"kind\":\"candidate\"}",
                                R"({"kind":"candidate","key":"","outcome":"failed"})",
                                R"({"kind":"candidate","key":"A\nB","outcome":"failed"})",
                                R"({"kind":"candidate","key":"A","outcome":"fine"})",
                                R"({"kind":"candidate","key":"A","outcome":"valued"})",
                                R"({"kind":"candidate","key":"A","outcome":"valued","value":"1"})",
                                R"({"kind":"candidate","key":"A","outcome":"valued","value":1e999})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","effort":0})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","effort":2})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","when":1.5})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","when":18446744073709551615})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","details":[]})",
                                R"({"kind":"candidate","key":"A","outcome":"failed","filtered":1})",
                                R"({"kind":"note","rank":"high"})",
                                "{\"kind\":\"unit\",\"x\":\"\xff\"}",
                                R"({"kind":"header","format":"kernelarium-search","version":1,"search":{}})"}) {
            QList<QByteArray> damaged = lines;
            damaged[3] = bad;
            const auto path = folder.write("damaged", damaged.join('\n'));
            auto store = Store::open(path, headerOf());
            VERIFY_OK(store);
            const auto read = store->each([](const Judged&) {});
            QVERIFY2(!read.ok(), bad);
            QCOMPARE(read.error().code, std::string("damaged_store"));
            QVERIFY(read.error().message.find("line 4") != std::string::npos);
            QVERIFY(read.error().message.find(path.string()) != std::string::npos);
        }
        lines[2] = QByteArray("{\"kind\":\"unit\",\"x\":\"") + QByteArray(qsizetype(longestRecord), 'y') + "\"}";
        auto reader = StoreReader::open(folder.write("long", lines.join('\n')));
        VERIFY_OK(reader);
        VERIFY_OK(reader->next());
        QCOMPARE(reader->next().error().code, std::string("damaged_store"));
    }

    void otherFilesAreRefusedAndLeftAsTheyAre() {
        const StoreFolder folder;
        for (const QByteArray& content :
             {QByteArray("a text"), QByteArray("a text\nof lines\n"), QByteArray("{\"kind\":\"header\"}\n"),
              QByteArray(R"({"format":"other","kind":"header","version":1,"search":{}})") + "\n",
              QByteArray(R"({"format":"kernelarium-search","kind":"header","version":0,"search":{}})") + "\n",
              QByteArray(R"({"format":"kernelarium-search","kind":"header","version":1,"search":{"a":1}})") + "\n",
              QByteArray(R"({"format":"kernelarium-search","kind":"header","version":1,"search":{},"shard":"3/2"})") +
                  "\n",
              QByteArray(1 << 20, '\0')}) {
            const auto path = folder.write("other", content);
            QCOMPARE(Store::open(path, headerOf()).error().code, std::string("not_store"));
            QVERIFY(!StoreReader::open(path).ok());
            QCOMPARE(StoreFolder::read(path), content);
        }
        const auto newer = folder.write(
            "newer", QByteArray(R"({"format":"kernelarium-search","kind":"header","version":99,"search":{}})") + "\n");
        QCOMPARE(Store::open(newer, headerOf()).error().code, std::string("newer_store"));
        QCOMPARE(Store::open(folder.path(""), headerOf()).error().code, std::string("unwritable_file"));
        QCOMPARE(StoreReader::open(folder.path("none")).error().code, std::string("unreadable_file"));
        QCOMPARE(StoreReader::open(folder.path("")).error().code, std::string("not_store"));
        QCOMPARE(Store::open("/proc/none/a", headerOf()).error().code, std::string("unwritable_file"));
    }

    void anotherSearchsStoreIsRefused() {
        const StoreFolder folder;
        VERIFY_OK(Store::open(folder.path("a"), headerOf("abc")));
        const auto other = Store::open(folder.path("a"), headerOf("def"));
        QCOMPARE(other.error().code, std::string("other_search"));
        QVERIFY(other.error().message.find("space is `abc` in the store and `def` now") != std::string::npos);
        Header more = headerOf("abc");
        more.search["device"] = "h200";
        QVERIFY(Store::open(folder.path("a"), more).error().message.find("device is absent in the store") !=
                std::string::npos);
        QCOMPARE(Store::open(folder.path("a"), headerOf("abc", {2, 3})).error().code, std::string("other_search"));
        VERIFY_OK(Store::open(folder.path("a"), headerOf("abc")));
    }

    void oneWritesAndManyRead() {
        const StoreFolder folder;
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        QCOMPARE(Store::open(folder.path("a"), headerOf()).error().code, std::string("busy"));
        auto reader = StoreReader::open(folder.path("a"));
        VERIFY_OK(reader);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(!reader->next()->has_value());
            VERIFY_OK(store->keep(judgedOf(fmt::format("A={}", i), i)));
            const auto next = reader->next();
            VERIFY_OK(next);
            QCOMPARE((*next)->key(), fmt::format("A={}", i));
        }
    }

    void hostileFilesNeverCrashAndNeverHang() {
        const StoreFolder folder;
        const QByteArray whole = smallStore(folder);
        Random random(7);
        int readable = 0;
        for (int i = 0; i < 1500; ++i) {
            QByteArray bytes = whole;
            for (std::uint64_t changes = 1 + random.below(6); changes > 0; --changes) {
                const auto at = qsizetype(random.below(std::uint64_t(bytes.size())));
                switch (random.below(5)) {
                case 0: bytes[at] = char(random.next()); break;
                case 1: bytes.remove(at, qsizetype(random.below(20))); break;
                case 2: bytes.insert(at, bytes.mid(qsizetype(random.below(std::uint64_t(bytes.size()))), 30)); break;
                case 3: bytes.insert(at, QByteArray(int(random.below(300)), "[{\"\n"[random.below(4)])); break;
                default: bytes.insert(at, "\"value\":-1e308,\"effort\":1e-300,"); break;
                }
                if (bytes.isEmpty()) bytes = "x";
            }
            const auto path = folder.write("hostile", bytes);
            auto store = Store::open(path, headerOf());
            if (!store) {
                QVERIFY(!store.error().message.empty());
                continue;
            }
            if (!store->each([](const Judged& judged) { QVERIFY(!judged.candidate.key.empty()); })) continue;
            ++readable;
            VERIFY_OK(store->keep(judgedOf("Z=1", 1)));
            VERIFY_OK(store->each([](const Judged&) {})); // what was readable stays so
        }
        QVERIFY(readable > 0);
    }

    /// Prints what opening takes; nothing is asserted of it.
    void manyRecordsAreOpenedQuickly() {
        const StoreFolder folder;
        const int count = qEnvironmentVariableIntValue("KERNELARIUM_RECORDS") > 0
                              ? qEnvironmentVariableIntValue("KERNELARIUM_RECORDS")
                              : 100000;
        QElapsedTimer timer;
        timer.start();
        {
            auto store = Store::open(folder.path("many"), headerOf());
            VERIFY_OK(store);
            Judged judged = judgedOf("", 1.5e-3);
            judged.secondKey = std::string(64, 'f');
            for (int i = 0; i < count; ++i) {
                judged.candidate.key = fmt::format("TILE={} UNROLL=4 VECTOR=float4", i);
                VERIFY_OK(store->keep(judged));
            }
        }
        const double writing = double(timer.nsecsElapsed()) * 1e-9;
        timer.restart();
        auto store = Store::open(folder.path("many"), headerOf());
        const double opening = double(timer.nsecsElapsed()) * 1e-9;
        int read = 0;
        VERIFY_OK(store->each([&](const Judged&) { ++read; }));
        QCOMPARE(read, count);
        const double reading = double(timer.nsecsElapsed()) * 1e-9;
        timer.restart();
        for (int i = 0; i < 20; ++i) {
            VERIFY_OK(store->keep(judgedOf(fmt::format("S={}", i), 1)));
            VERIFY_OK(store->sync());
        }
        qInfo("%d records: %.2f s to write (%.1f us each), %.4f s to open, %.2f s to read; %.2f ms a sync", count,
              writing, writing / count * 1e6, opening, reading, double(timer.nsecsElapsed()) * 1e-6 / 20);
    }
};

KERNELARIUM_TEST(TestStore);

} // namespace
} // namespace kernelarium::tuning

#include "TestStore.moc"
