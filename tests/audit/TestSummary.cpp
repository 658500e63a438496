// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/AuditFacets.h"
#include "core/audit/AuditSummary.h"
#include "tests/TestRegistry.h"
#include "tests/audit/AuditFixture.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

namespace {

struct Case {
    std::optional<bool> claim;
    const char* verdict; ///< nullptr: not tried
    int level;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {{true, "verified", 1},  {true, "verified", 1},      {true, "wrong", 1},
                                          {true, "timeout", 2},   {true, nullptr, 2},         {false, "wrong", 2},
                                          {false, "verified", 2}, {std::nullopt, "fault", 3}, {true, "failed", 3}};
    return all;
}

class TestSummary : public QObject {
    Q_OBJECT

    std::vector<Candidate> m_candidates;
    VerdictIndex m_verdicts;

private Q_SLOTS:
    void init() {
        m_candidates.clear();
        m_verdicts.clear();
        int number = 0;
        for (const Case& c : cases()) {
            const VerdictKey key = keyOf("k" + std::to_string(number++), c.level);
            m_candidates.push_back(
                {number, key, c.claim,
                 c.claim.value_or(true) ? archive::ErrorKind::none : archive::ErrorKind::wrongResult});
            if (!c.verdict) continue;
            StoredVerdict verdict = kernelWith("x").verdict;
            verdict.key = key;
            verdict.verdict = c.verdict;
            verdict.reasons.clear();
            if (verdict.verdict == "wrong") verdict.reasons = {"values", "nan"};
            TodaysVersions today;
            verdict.versions = today.of(c.level, 1);
            m_verdicts.emplace(key, verdict);
        }
    }

    void itCounts() {
        TodaysVersions today;
        const AuditSummary s = summarise(m_candidates, m_verdicts, {}, today);
        QCOMPARE(s.kernels, std::int64_t(9));
        QCOMPARE(s.tried, std::int64_t(8));
        QCOMPARE(s.stale, std::int64_t(0));
        QCOMPARE(s.verdicts, (Counts{{"verified", 3}, {"wrong", 2}, {"timeout", 1}, {"fault", 1}, {"failed", 1}}));
        QCOMPARE(s.reasons, (Counts{{"values", 2}, {"nan", 2}}));
        QCOMPARE(s.claimByVerdict.at("correct"),
                 (Counts{{"verified", 2}, {"wrong", 1}, {"timeout", 1}, {"failed", 1}}));
        QCOMPARE(s.claimByVerdict.at("wrong_result"), (Counts{{"verified", 1}, {"wrong", 1}}));
        QCOMPARE(s.claimByVerdict.at("unknown"), (Counts{{"fault", 1}}));
        QCOMPARE(s.claims.claimed, std::int64_t(6));
        QCOMPARE(s.claims.tried, std::int64_t(5));
        QCOMPARE(s.claims.standing, std::int64_t(2));
        QCOMPARE(s.claims.refuted, std::int64_t(1));
        QCOMPARE(s.claims.undecided, std::int64_t(2));
        QCOMPARE(s.claims.shareStanding(), 0.4);
        QCOMPARE(s.claims.shareOfDecided(), 2.0 / 3);
        QCOMPARE(s.levels.size(), std::size_t(3));
        QCOMPARE(s.levels[1].kernels, std::int64_t(4));
        QCOMPARE(s.levels[1].claims.claimed, std::int64_t(2));
        QVERIFY(std::isnan(s.levels[1].claims.shareOfDecided()));
        const nlohmann::json j = toJson(s);
        QCOMPARE(j.at("claims").at("share_standing").get<double>(), 0.4);
        QVERIFY(j.at("levels").at(1).at("claims").at("share_of_decided").is_null());
    }

    void staleOnesAreCountedAndNamed() {
        m_verdicts.begin()->second.versions.checks -= 1;
        TodaysVersions today;
        QCOMPARE(summarise(m_candidates, m_verdicts, {}, today).stale, std::int64_t(1));
        QCOMPARE(summarise(m_candidates, m_verdicts, {"full", 1, false, 60}, today).stale, std::int64_t(8));
    }

    void nothingTriedHasNoShare() {
        TodaysVersions today;
        const AuditSummary s = summarise(m_candidates, {}, {}, today);
        QCOMPARE(s.tried, std::int64_t(0));
        QVERIFY(std::isnan(s.claims.shareStanding()));
        QCOMPARE(summarise({}, {}, {}, today).levels.size(), std::size_t(0));
    }

    void facetsCountWhatTheOthersLeave() {
        const std::vector<FacetRow> rows = {{"verified", "correct", {}},
                                            {"wrong", "correct", {"values", "nan"}},
                                            {"wrong", "unknown", {"values"}},
                                            {"fault", "correct", {"out_of_bounds"}}};
        FacetChoice choice;
        FacetCounts counts = countFacets(rows, choice);
        QCOMPARE(counts.verdicts, (Counts{{"verified", 1}, {"wrong", 2}, {"fault", 1}}));
        QCOMPARE(counts.reasons, (Counts{{"values", 2}, {"nan", 1}, {"out_of_bounds", 1}}));
        choice.verdicts = {"wrong"};
        counts = countFacets(rows, choice);
        QCOMPARE(counts.verdicts,
                 (Counts{{"verified", 1}, {"wrong", 2}, {"fault", 1}})); // its own choice does not count
        QCOMPARE(counts.claims, (Counts{{"correct", 1}, {"unknown", 1}}));
        QCOMPARE(counts.reasons, (Counts{{"values", 2}, {"nan", 1}}));
        choice.reasons = {"out_of_bounds"};
        counts = countFacets(rows, choice);
        QCOMPARE(counts.verdicts, (Counts{{"fault", 1}, {"wrong", 0}}));
        QCOMPARE(counts.reasons, (Counts{{"values", 2}, {"nan", 1}, {"out_of_bounds", 0}}));
        QVERIFY(!choice.has(rows[1]));
        choice.verdicts = {"wrong", "fault"};
        QVERIFY(choice.has(rows[3]));
        QVERIFY(FacetChoice{}.isEmpty());
        QVERIFY(FacetChoice{}.has(rows[0]));
    }
};

} // namespace

KERNELARIUM_TEST(TestSummary);

} // namespace kernelarium::audit

#include "TestSummary.moc"
