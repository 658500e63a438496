// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/LongFirst.h"
#include "core/verify/ChecksVersion.h"
#include "tests/TestRegistry.h"
#include "tests/audit/AuditFixture.h"

#include <set>

namespace kernelarium::audit {

namespace {

using verify::VerdictKind;

std::vector<Candidate> candidates(int count) {
    std::vector<Candidate> all;
    for (int i = 0; i < count; ++i)
        all.push_back({i + 1, keyOf("k" + std::to_string(i)), i % 2 == 0, archive::ErrorKind::none});
    return all;
}

class TestPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsMissingOrStaleIsDue() {
        const auto all = candidates(5);
        std::vector<StoredVerdict> known;
        for (int i = 0; i < 4; ++i)
            known.push_back(kernelWith("k" + std::to_string(i)).verdict);
        known[1].versions.card = "another";
        known[2].settings.size = "full";
        TodaysVersions today;
        const AuditPlan plan = planAudit(all, indexOf(known), {}, today);
        QCOMPARE(plan.selected.size(), std::size_t(5));
        QCOMPARE(plan.current, std::int64_t(2));
        QCOMPARE(plan.stale, std::int64_t(2));
        QCOMPARE(plan.missing, std::int64_t(1));
        std::vector<std::int64_t> due;
        for (const Candidate& candidate : plan.due)
            due.push_back(candidate.id);
        QCOMPARE(due, (std::vector<std::int64_t>{2, 3, 5}));
        // The one of another size says nothing about the time.
        QCOMPARE(plan.due[0].lastSeconds, std::optional<double>(known[1].seconds));
        QVERIFY(!plan.due[1].lastSeconds && !plan.due[2].lastSeconds);
        PlanOptions again;
        again.again = true;
        QCOMPARE(planAudit(all, indexOf(known), again, today).due.size(), std::size_t(5));
    }

    void longKernelsComeFirstAtTheEnd() {
        // 1/20 is pointwise over 16 x 16384 elements, 1/1 a product of 2048 x 2048 matrices, 9/9 no task.
        std::vector<Candidate> due;
        for (const auto& [task, name] : {std::pair{20, "a"}, {1, "b"}, {20, "c"}, {1, "d"}})
            due.push_back({std::int64_t(due.size()), keyOf(name, 1, task), {}, archive::ErrorKind::none});
        due.push_back({4, keyOf("e", 9, 9), {}, archive::ErrorKind::none});
        const SourceOf sources = [](const Candidate& candidate) {
            return std::string(
                candidate.key.name == "c" ? "#pragma unroll 32\nfor (;;)\n#pragma unroll 32\nfor (;;) f();" : "f();");
        };
        const auto names = [&](unsigned jobs) {
            std::string all;
            for (const Candidate* candidate : longFirst(due, jobs, sources))
                all += candidate->key.name;
            return all;
        };
        QCOMPARE(names(2), std::string("cbdae")); // 1,024 copies of a statement take long to compile
        QCOMPARE(names(1), std::string("abcde")); // nobody waits
        due[0].lastSeconds = 100;
        due[2].lastSeconds = 0.001;
        QCOMPARE(names(2), std::string("abdec")); // what was measured counts, not what is guessed
        // Only the last ones: the others stay as they are.
        due.insert(due.begin(), 200, Candidate{5, keyOf("x", 1, 20), {}, archive::ErrorKind::none});
        QCOMPARE(names(2).substr(0, 77), std::string(77, 'x'));
        QCOMPARE(names(2).substr(77, 3), std::string("abd"));
    }

    void searchedVerdictsAreTheStoredOnes() {
        // Every verdict that there is has its place among the words, and nothing else but "failed".
        std::set<std::string, std::less<>> words(archive::ownVerdictWords.begin(), archive::ownVerdictWords.end());
        for (int kind = 0; kind <= int(VerdictKind::verified); ++kind)
            QCOMPARE(words.erase(std::string(verify::name(VerdictKind(kind)))), std::size_t(1));
        QCOMPARE(words, (std::set<std::string, std::less<>>{std::string(failedWord)}));

        StoredVerdict verdict = kernelWith("a").verdict;
        verdict.verdict = "wrong";
        verdict.reasons = {"values"};
        verdict.remarks = {"precision"};
        verdict.timeMs = 17;
        StoredVerdict old = kernelWith("b").verdict;
        --old.versions.checks;
        const auto all = ownVerdicts({verdict, old});
        const auto of = [&](const VerdictKey& key) {
            archive::KernelSummary kernel;
            kernel.level = key.level;
            kernel.task = key.task;
            kernel.name = key.name;
            kernel.codeHash = key.codeHash;
            return all->of(kernel);
        };
        QVERIFY(of(verdict.key) && of(old.key) && !of(keyOf("c")));
        const archive::OwnVerdict expected{"wrong", {"values"}, {"precision"}, verify::checksVersion(),
                                           17,      false,      false};
        QVERIFY(*of(verdict.key) == expected);
        QVERIFY(of(old.key)->stale);
        QCOMPARE(of(old.key)->checks, verify::checksVersion() - 1);
    }

    void everythingThatMattersMakesStale_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<bool>("stale");
        const char* const names[] = {"nothing", "program",   "card",          "checks",       "size",
                                     "seed",    "fast math", "shorter limit", "longer limit", "backend"};
        for (int i = 0; i < 10; ++i)
            QTest::newRow(names[i]) << i << ((i >= 1 && i <= 6) || i == 9);
    }

    void everythingThatMattersMakesStale() {
        QFETCH(int, what);
        QFETCH(bool, stale);
        StoredVerdict verdict = kernelWith("a").verdict;
        TodaysVersions versions;
        const Versions today = versions.of(1, 1);
        if (what == 1) verdict.versions.program = "0.0.0";
        if (what == 2) verdict.versions.card = "0123456789abcdef";
        if (what == 3) verdict.versions.checks -= 1;
        if (what == 4) verdict.settings.size = "full";
        if (what == 5) verdict.settings.seed = 2;
        if (what == 6) verdict.settings.fastMath = true;
        if (what == 7) verdict.settings.timeLimit = 1;
        if (what == 8) verdict.settings.timeLimit = 100;
        if (what == 9) verdict.settings.backend = "cuda";
        QCOMPARE(standingOf(verdict, today, {}) == Standing::stale, stale);
        verdict.verdict = "timeout"; // which a longer limit may change
        QCOMPARE(standingOf(verdict, today, {}) == Standing::stale, stale || what == 7);
    }

    void failuresAreRetriedWhenAskedFor() {
        StoredVerdict broken = kernelWith("k0").verdict;
        broken.verdict = failedWord;
        TodaysVersions today;
        PlanOptions options;
        QVERIFY(planAudit(candidates(1), indexOf({broken}), options, today).due.empty());
        options.retryFailed = true;
        QCOMPARE(planAudit(candidates(1), indexOf({broken}), options, today).due.size(), std::size_t(1));
        broken.verdict = "timeout";
        QCOMPARE(planAudit(candidates(1), indexOf({broken}), options, today).due.size(), std::size_t(1));
        broken.verdict = "wrong";
        QVERIFY(planAudit(candidates(1), indexOf({broken}), options, today).due.empty());
    }

    void shardsPartTheKernels() {
        const auto all = candidates(300);
        std::set<VerdictKey> seen;
        for (unsigned i = 1; i <= 7; ++i) {
            PlanOptions options;
            options.shard = {i, 7};
            TodaysVersions today;
            const AuditPlan plan = planAudit(all, {}, options, today);
            QVERIFY(plan.selected.size() > 20 && plan.selected.size() < 70); // 43 on average
            for (const Candidate& candidate : plan.due)
                QVERIFY(seen.insert(candidate.key).second);
        }
        QCOMPARE(seen.size(), all.size());
        // The part must not change from one version to the next: machines of several may share an audit.
        const Shard tenth{10, 10};
        std::string inTenth;
        for (int i = 0; i < 40; ++i)
            if (tenth.has(keyOf("k" + std::to_string(i)))) inTenth += " " + std::to_string(i);
        QCOMPARE(inTenth, std::string(" 4 22 27"));
    }

    void shardsAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("good");
        for (const char* good : {"1/1", "2/5", "5/5", "100/100000"})
            QTest::newRow(good) << QByteArray(good) << true;
        for (const char* bad :
             {"", "/", "1", "0/5", "6/5", "1/0", "-1/5", "1/5x", "x/5", "1/100001", " 1/5", "1/99999999999999"})
            QTest::newRow(*bad ? bad : "nothing") << QByteArray(bad) << false;
    }

    void shardsAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(bool, good);
        QCOMPARE(parseShard(text.toStdString()).ok(), good);
    }

    void oneKernelTwiceIsOne() {
        auto all = candidates(2);
        all.push_back(all.front());
        TodaysVersions today;
        QCOMPARE(planAudit(all, {}, {}, today).due.size(), std::size_t(2));
    }

    void versionsNameTheCard() {
        TodaysVersions today;
        const Versions first = today.of(1, 1);
        QCOMPARE(first.checks, verify::checksVersion());
        QCOMPARE(first.card.size(), std::size_t(16));
        QVERIFY(first.card != today.of(1, 2).card);
        QCOMPARE(today.of(9, 9).card, std::string("none"));
        QVERIFY(referenceVersion("a") != referenceVersion("b"));
    }

    void claimsHaveWords() {
        Candidate candidate;
        QCOMPARE(claimWord(candidate), std::string_view("unknown"));
        candidate.claimedCorrect = false;
        QCOMPARE(claimWord(candidate), std::string_view("incorrect"));
        candidate.claimedError = archive::ErrorKind::launch;
        QCOMPARE(claimWord(candidate), std::string_view("launch"));
        candidate.claimedCorrect = true;
        QCOMPARE(claimWord(candidate), std::string_view("correct"));
    }
};

} // namespace

KERNELARIUM_TEST(TestPlan);

} // namespace kernelarium::audit

#include "TestPlan.moc"
