// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Merge.h"
#include "tests/TestRegistry.h"
#include "tests/tuning/TuningFixture.h"

#include <fmt/format.h>

namespace kernelarium::tuning {
namespace {

void writeStore(const std::filesystem::path& path, const Header& header, const std::vector<Judged>& all,
                const std::vector<Record>& others = {}) {
    auto store = Store::open(path, header);
    VERIFY_OK(store);
    for (const Judged& judged : all)
        VERIFY_OK(store->keep(judged));
    for (const Record& record : others)
        VERIFY_OK(store->append(record));
}

class TestStoreMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyOrderGivesTheSame() {
        const StoreFolder folder;
        std::vector<std::filesystem::path> parts;
        for (unsigned i = 1; i <= 4; ++i) {
            const Shard shard{i, 4};
            parts.push_back(shardPath(folder.path("a"), shard));
            std::vector<Judged> all;
            for (unsigned k = 0; k < 6; ++k) // some of them in two shards, with other outcomes
                all.push_back(judgedOf(fmt::format("K={}", i * 4 + k), double(i), 1000 + k * 7 % 5));
            all.push_back(i % 2 == 0 ? judgedOf("FAILS=1", Outcome::Kind::failed, 9000) : judgedOf("FAILS=1", i, 1));
            writeStore(parts.back(), headerOf("abc", shard), all,
                       {recordOf("climb", {{"key", "u"}, {"rank", i % 3}, {"when", 5}}).value(),
                        recordOf("note", {{"text", "the same"}}).value()});
        }
        QCOMPARE(parts[2].filename().string(), std::string("a.3-of-4"));
        const auto merged = mergeStores(folder.path("first"), parts);
        VERIFY_OK(merged);
        const QByteArray expected = StoreFolder::read(folder.path("first"));
        QCOMPARE(merged->records, std::uint64_t(expected.count('\n') - 1));
        QCOMPARE(merged->records + merged->dropped, std::uint64_t(4 * 9));
        std::sort(parts.begin(), parts.end());
        do {
            std::filesystem::remove(folder.path("again"));
            VERIFY_OK(mergeStores(folder.path("again"), parts));
            QCOMPARE(StoreFolder::read(folder.path("again")), expected);
        } while (std::next_permutation(parts.begin(), parts.end()));
        // One after the other, and again, into what is there.
        std::filesystem::remove(folder.path("again"));
        for (const auto& part : {parts[2], parts[0], parts[3], parts[1], parts[0]})
            VERIFY_OK(mergeStores(folder.path("again"), {part}));
        QCOMPARE(candidatesOf(folder.path("again")).size(), candidatesOf(folder.path("first")).size());
        QCOMPARE(linesOf(folder.path("again")), linesOf(folder.path("first")));

        for (const Judged& judged : candidatesOf(folder.path("first")))
            if (judged.candidate.key == "FAILS=1")
                QVERIFY(judged.outcome.kind == Outcome::Kind::valued); // a failure is known to be none
        auto reader = StoreReader::open(folder.path("first"));
        VERIFY_OK(reader);
        QVERIFY(reader->header().shard.whole());
        int climbs = 0, notes = 0;
        for (auto next = reader->next(); next.ok() && next->has_value(); next = reader->next()) {
            if ((*next)->kind == "climb") {
                ++climbs;
                QVERIFY((*next)->rank() == 2);
            }
            notes += (*next)->kind == "note" ? 1 : 0;
        }
        QCOMPARE(climbs, 1);
        QCOMPARE(notes, 1);
        QCOMPARE(Store::open(folder.path("first"), headerOf()).ok(), true); // and can be gone on with
    }

    void efforts() {
        const StoreFolder folder;
        Judged cheap = judgedOf("A=1", 5);
        cheap.candidate.effort = 0.1;
        writeStore(folder.path("a"), headerOf(), {cheap, judgedOf("A=1", 6)});
        VERIFY_OK(mergeStores(folder.path("b"), {folder.path("a")}));
        QCOMPARE(candidatesOf(folder.path("b")).size(), std::size_t(2));
    }

    void otherSearchesAndDamageAreRefused() {
        const StoreFolder folder;
        writeStore(folder.path("a"), headerOf("abc"), {judgedOf("A=1", 1)});
        writeStore(folder.path("b"), headerOf("def"), {judgedOf("A=2", 1)});
        const auto mixed = mergeStores(folder.path("c"), {folder.path("a"), folder.path("b")});
        QCOMPARE(mixed.error().code, std::string("other_search"));
        QVERIFY(mixed.error().message.find("space is `abc` in the first and `def` in the second") != std::string::npos);
        QVERIFY(!std::filesystem::exists(folder.path("c")));
        const QByteArray before = StoreFolder::read(folder.path("a"));
        QCOMPARE(mergeStores(folder.path("a"), {folder.path("b")}).error().code, std::string("other_search"));
        const auto damaged = folder.write("d", before + "{\"kind\":\"candidate\",\"key\":\"B\"}\n");
        QCOMPARE(mergeStores(folder.path("a"), {damaged}).error().code, std::string("damaged_store"));
        QCOMPARE(mergeStores(folder.path("a"), {folder.path("none")}).error().code, std::string("unreadable_file"));
        QCOMPARE(mergeStores(folder.path("e"), {}).error().code, std::string("bad_input"));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(mergeStores(folder.path("a"), {folder.path("a")}, stop.get_token()).error().code,
                 std::string("cancelled"));
        QCOMPARE(StoreFolder::read(folder.path("a")), before);
    }

    void aTargetInUseIsBusyAndAnInputInUseIsTaken() {
        const StoreFolder folder;
        auto store = Store::open(folder.path("a"), headerOf());
        VERIFY_OK(store);
        VERIFY_OK(store->keep(judgedOf("A=1", 1)));
        writeStore(folder.path("b"), headerOf(), {judgedOf("A=2", 1)});
        QCOMPARE(mergeStores(folder.path("a"), {folder.path("b")}).error().code, std::string("busy"));
        VERIFY_OK(mergeStores(folder.path("c"), {folder.path("a"), folder.path("b")}));
        QCOMPARE(candidatesOf(folder.path("c")).size(), std::size_t(2));
    }
};

KERNELARIUM_TEST(TestStoreMerge);

} // namespace
} // namespace kernelarium::tuning

#include "TestStoreMerge.moc"
