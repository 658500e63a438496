// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/Merge.h"
#include "core/audit/VerdictLine.h"
#include "tests/TestRegistry.h"
#include "tests/audit/AuditFixture.h"

namespace kernelarium::audit {

namespace {

using verify::VerdictKind;

std::filesystem::path storeOf(const AuditFixture& fixture, const std::string& name,
                              const std::vector<JudgedKernel>& kernels) {
    auto store = VerdictStore::open(fixture.path(name));
    for (const JudgedKernel& kernel : kernels)
        if (!store || !store->put(kernel)) qFatal("the test's verdicts were not taken");
    return fixture.path(name);
}

QByteArray linesWith(const std::vector<JudgedKernel>& kernels) {
    QByteArray lines;
    for (const JudgedKernel& kernel : kernels)
        lines += QByteArray::fromStdString(toLine(kernel) + "\n");
    return lines;
}

class TestMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newerWinsInAnyOrderAndTwiceIsOnce() {
        const AuditFixture fixture;
        const auto older = storeOf(fixture, "older",
                                   {kernelWith("a", VerdictKind::wrong, 10), kernelWith("b", VerdictKind::wrong, 30)});
        const auto newer = fixture.write("newer.jsonl", linesWith({kernelWith("a", VerdictKind::verified, 20),
                                                                   kernelWith("b", VerdictKind::verified, 20),
                                                                   kernelWith("c", VerdictKind::fault, 20)}));
        const auto one = mergeVerdicts(fixture.path("one"), {older, newer});
        VERIFY_OK(one);
        QCOMPARE(one->added, std::int64_t(3));
        QCOMPARE(one->replaced, std::int64_t(1));
        QCOMPARE(one->kept, std::int64_t(1));
        VERIFY_OK(mergeVerdicts(fixture.path("two"), {newer, older}));
        const auto merged = linesOf(fixture.path("one"));
        QCOMPARE(merged.size(), std::size_t(3));
        QCOMPARE(linesOf(fixture.path("two")), merged);
        QCOMPARE(merged.at(keyOf("a").label()), toLine(kernelWith("a", VerdictKind::verified, 20)));
        QCOMPARE(merged.at(keyOf("b").label()), toLine(kernelWith("b", VerdictKind::wrong, 30)));
        const auto again = mergeVerdicts(fixture.path("one"), {older, newer, fixture.path("one")});
        VERIFY_OK(again);
        QCOMPARE(again->added + again->replaced, std::int64_t(0));
        QCOMPARE(linesOf(fixture.path("one")), merged);
    }

    void aDamagedInputChangesNothing_data() {
        QTest::addColumn<QByteArray>("content");
        const AuditFixture fixture;
        const QByteArray lines = linesWith({kernelWith("x"), kernelWith("y")});
        QTest::newRow("cut line") << lines.left(lines.size() - 40);
        QTest::newRow("garbage line") << lines + QByteArray("\xff\xfe nothing\n");
        QTest::newRow("other JSON") << QByteArray("{\"Op_Name\": \"1_x\"}\n");
        QTest::newRow("an archive") << fixture.read(fixture.archive(3));
        std::vector<JudgedKernel> many;
        for (int i = 0; i < 60; ++i)
            many.push_back(kernelWith(std::to_string(i)));
        QByteArray whole = fixture.read(storeOf(fixture, "many", many));
        QTest::newRow("cut file") << whole.left(whole.size() / 2);
        QByteArray scratched = whole;
        scratched.replace(scratched.size() / 2, 4096, QByteArray(4096, 'x'));
        QTest::newRow("scratched file") << scratched;
    }

    void aDamagedInputChangesNothing() {
        QFETCH(QByteArray, content);
        const AuditFixture fixture;
        const auto target = storeOf(fixture, "target", {kernelWith("a", VerdictKind::wrong, 10)});
        const auto before = linesOf(target);
        const auto good =
            fixture.write("good.jsonl", linesWith({kernelWith("a", VerdictKind::verified, 20), kernelWith("b")}));
        const auto bad = fixture.write("bad", content);
        const auto merged = mergeVerdicts(target, {good, bad});
        QVERIFY(!merged.ok());
        QVERIFY2(merged.error().message.find("bad") != std::string::npos, merged.error().message.c_str());
        QCOMPARE(linesOf(target), before);
        QVERIFY(!mergeVerdicts(fixture.path("fresh"), {good, bad}).ok());
        QVERIFY(!std::filesystem::exists(fixture.path("fresh")));
    }

    void whatIsNotThereIsSaid() {
        const AuditFixture fixture;
        const auto merged = mergeVerdicts(fixture.path("target"), {fixture.path("nothing")});
        QVERIFY(!merged.ok());
        QCOMPARE(merged.error().code, std::string("bad_input"));
        QVERIFY(!mergeVerdicts(fixture.path("target"), {fixture.path("")}).ok()); // a folder
    }

    void itCanBeStopped() {
        const AuditFixture fixture;
        const auto good = fixture.write("good.jsonl", linesWith({kernelWith("a")}));
        std::stop_source stop;
        stop.request_stop();
        const auto merged = mergeVerdicts(fixture.path("target"), {good}, stop.get_token());
        QVERIFY(!merged.ok());
        QCOMPARE(merged.error().code, std::string("cancelled"));
        QVERIFY(!std::filesystem::exists(fixture.path("target")));
    }
};

} // namespace

KERNELARIUM_TEST(TestMerge);

} // namespace kernelarium::audit

#include "TestMerge.moc"
