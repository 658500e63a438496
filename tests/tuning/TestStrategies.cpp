// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/AllowedInOrder.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/Strategies.h"
#include "core/tuning/strategies/SuccessiveHalving.h"
#include "tests/TestRegistry.h"
#include "tests/tuning/TuningFixture.h"

#include <deque>
#include <fmt/format.h>
#include <set>

namespace kernelarium::tuning {
namespace {

using Numbers = std::vector<std::int64_t>;

struct TriedSpace {
    const char* name;
    Space space;
    std::optional<std::size_t> allowed; ///< none: too many to draw them all
};

Parameter rangeNamed(const std::string& name, std::int64_t count) {
    Parameter parameter{name, {}, 0};
    for (std::int64_t i = 0; i < count; ++i)
        parameter.values.emplace_back(i);
    return parameter;
}

/// A restriction that is known to read some parameters only.
Space::Restriction reading(std::vector<std::size_t> parameters, std::function<bool(const Numbers&)> allows) {
    Space::Restriction restriction = restrictionOf("some", std::move(allows));
    restriction.reads = std::move(parameters);
    return restriction;
}

std::vector<Parameter> manyParameters() { // 10^15 points
    std::vector<Parameter> parameters;
    for (int i = 0; i < 15; ++i)
        parameters.push_back(rangeNamed(fmt::format("P{}", i), 10));
    return parameters;
}

std::vector<TriedSpace> triedSpaces() {
    std::vector<TriedSpace> spaces;
    spaces.push_back({"no parameters", Space({}, {}), 1});
    spaces.push_back(
        {"no parameters, forbidden", Space({}, {restrictionOf("no", [](const Numbers&) { return false; })}), 0});
    spaces.push_back({"one point", Space({rangeNamed("A", 1)}, {}), 1});
    spaces.push_back({"one parameter", Space({rangeNamed("A", 7)}, {}), 7});
    spaces.push_back(
        {"words and truth values",
         Space({wordsNamed("TYPE", {"float", "a b", "half2"}), {"FLAG", {false, true}, 1}, {"X", {0.5, 2.0}, 0}}, {}),
         12});
    spaces.push_back(
        {"all forbidden but one",
         Space({rangeNamed("A", 40), rangeNamed("B", 40), rangeNamed("C", 40)},
               {restrictionOf("one", [](const Numbers& p) { return p[0] == 31 && p[1] == 7 && p[2] == 22; })}),
         1});
    spaces.push_back({"none allowed",
                      Space({rangeNamed("A", 50), rangeNamed("B", 50)},
                            {restrictionOf("none", [](const Numbers&) { return false; })}),
                      0});
    spaces.push_back(
        {"one in ten thousand",
         Space({rangeNamed("A", 100), rangeNamed("B", 100), rangeNamed("C", 100)},
               {restrictionOf("few", [](const Numbers& p) { return p[0] == p[1] && p[2] * 2 < p[0] % 3; })}),
         std::nullopt});
    spaces.push_back({"huge", Space(manyParameters(), {}), std::nullopt});
    spaces.push_back(
        {"huge, few allowed",
         Space(manyParameters(), {reading({0, 1}, [](const Numbers& p) { return p[0] + p[1] == 18; }),
                                  reading({2, 3, 4}, [](const Numbers& p) { return p[2] * p[3] * p[4] == 64; }),
                                  reading({5, 6}, [](const Numbers& p) { return p[5] == p[6]; })}),
         std::nullopt});
    spaces.push_back({"huge, all forbidden but one",
                      Space(manyParameters(),
                            [] {
                                std::vector<Space::Restriction> all;
                                for (std::size_t i = 0; i < 15; ++i)
                                    all.push_back(
                                        reading({i}, [i](const Numbers& p) { return p[i] == std::int64_t(i % 10); }));
                                return all;
                            }()),
                      1});
    spaces.push_back({"huge, none allowed, known at once",
                      Space(manyParameters(), {reading({0}, [](const Numbers&) { return false; })}), 0});
    std::vector<Parameter> beyond = manyParameters();
    for (Parameter& parameter : beyond)
        parameter.values = rangeNamed("", 200).values;
    spaces.push_back({"more than 64 bits", Space(std::move(beyond), {}), std::nullopt});
    return spaces;
}

/// What a point is worth: the same each time, some refused, wrong or failed.
Outcome worthOf(const std::string& key) {
    std::uint64_t hash = 1469598103934665603U;
    for (const char c : key)
        hash = (hash ^ std::uint64_t(std::uint8_t(c))) * 1099511628211U;
    hash ^= hash >> 31;
    switch (hash % 12) {
    case 0: return {Outcome::Kind::refused, std::nullopt, "refused", {}};
    case 1: return {Outcome::Kind::wrong, 1e-9, "wrong", {}}; // its value must mislead nobody
    case 2: return {Outcome::Kind::failed, std::nullopt, "failed", {}};
    default: return valuedAs(1 + double(hash >> 40 & 0xfff));
    }
}

std::unique_ptr<Strategy> strategyNamed(const QString& name) {
    return std::move(makeStrategy(name.toStdString()).value());
}

/// Up to `most` candidates, each judged at once, or `jobs` at a time in a mixed order.
std::vector<Candidate> drawn(PointProposer& proposer, std::size_t most, std::size_t jobs = 1) {
    std::vector<Candidate> all;
    std::deque<Candidate> underWay;
    while (all.size() < most) {
        for (Candidate& candidate : proposer.propose(std::min(jobs - underWay.size(), most - all.size()))) {
            all.push_back(candidate);
            underWay.push_back(std::move(candidate));
        }
        if (underWay.empty()) break;
        const std::size_t next = all.size() * 7 % underWay.size();
        const Candidate candidate = underWay[next];
        underWay.erase(underWay.begin() + std::ptrdiff_t(next));
        proposer.hear(candidate, worthOf(candidate.key));
    }
    return all;
}

std::vector<std::string> keysOf(const std::vector<Candidate>& candidates) {
    std::vector<std::string> keys;
    for (const Candidate& candidate : candidates)
        keys.push_back(fmt::format("{} @{}", candidate.key, candidate.effort));
    return keys;
}

class TestStrategies : public QObject {
    Q_OBJECT

private:
    static void eachStrategy() {
        QTest::addColumn<QString>("strategy");
        for (const StrategyKind& kind : strategyKinds())
            QTest::newRow(std::string(kind.name).c_str())
                << QString::fromUtf8(kind.name.data(), qsizetype(kind.name.size()));
    }

private Q_SLOTS:
    void onlyAllowedPointsAndNoneTwice_data() { eachStrategy(); }

    void onlyAllowedPointsAndNoneTwice() {
        QFETCH(const QString, strategy);
        for (const TriedSpace& tried : triedSpaces())
            for (const std::size_t jobs : {1, 5}) {
                PointProposer proposer(tried.space, strategyNamed(strategy), {5, {}, 40, tried.allowed});
                const auto all = drawn(proposer, 60, jobs);
                std::set<std::string> keys;
                for (const Candidate& candidate : all) {
                    const auto point = tried.space.pointOf(candidate.key);
                    QVERIFY2(point && tried.space.forbids(*point) == nullptr, tried.name);
                    QVERIFY2(keys.insert(candidate.key).second, tried.name);
                    QVERIFY(candidate.effort == 1);
                }
                QVERIFY2(all.size() == std::min<std::size_t>(tried.allowed.value_or(60), 60),
                         fmt::format("{}: {} drawn", tried.name, all.size()).c_str());
                QVERIFY2(proposer.note().empty(), tried.name);
            }
    }

    /// Nothing tells that no point is allowed but a look at each: it ends all the same, and says so.
    void aHopelessSpaceEnds_data() { eachStrategy(); }

    void aHopelessSpaceEnds() {
        QFETCH(const QString, strategy);
        const Space space(manyParameters(), {restrictionOf("none", [](const Numbers&) { return false; })});
        PointProposer proposer(space, strategyNamed(strategy), {});
        QVERIFY(proposer.propose(1).empty());
        QVERIFY(!proposer.note().empty());
    }

    void oneSeedGivesOneRun_data() { eachStrategy(); }

    void oneSeedGivesOneRun() {
        QFETCH(const QString, strategy);
        const Space space({powers("A", 8), powers("B", 8), wordsNamed("C", {"x", "y", "z"}), powers("D", 6)},
                          {restrictionOf("r", [](const Numbers& p) { return p[0] * p[1] <= 1024; })});
        const auto run = [&](std::uint64_t seed) {
            PointProposer proposer(space, strategyNamed(strategy), {seed, {}, 60, std::nullopt});
            return keysOf(drawn(proposer, 80));
        };
        QCOMPARE(run(1), run(1));
        if (strategy != "exhaustive") QVERIFY(run(1) != run(2));
    }

    /// It learns from what it did not draw, and does not draw it.
    void earlierOutcomesAreHeardOf_data() { eachStrategy(); }

    void earlierOutcomesAreHeardOf() {
        QFETCH(const QString, strategy);
        const Space space({powers("A", 8), powers("B", 8), powers("C", 4)}, {});
        PointProposer first(space, strategyNamed("random"), {9, {}, 60, std::nullopt});
        const auto earlier = drawn(first, 100);
        PointProposer proposer(space, strategyNamed(strategy), {1, {}, 60, std::nullopt});
        for (const Candidate& candidate : earlier)
            proposer.hear(candidate, worthOf(candidate.key));
        proposer.hear({"OTHER=1"}, valuedAs(1)); // of another space
        std::set<std::string> known;
        for (const Candidate& candidate : earlier)
            known.insert(candidate.key);
        const auto rest = drawn(proposer, 1000, 3);
        QCOMPARE(rest.size(), std::size_t(156));
        for (const Candidate& candidate : rest)
            QVERIFY(known.insert(candidate.key).second);
    }

    void manyKnownPointsAreNoBurden_data() { eachStrategy(); }

    void manyKnownPointsAreNoBurden() {
        QFETCH(const QString, strategy);
        const Space space({powers("A", 20), powers("B", 20), powers("C", 20), wordsNamed("D", {"x", "y", "z"})}, {});
        PointProposer first(space, strategyNamed("random"), {9, {}, 60, std::nullopt});
        PointProposer proposer(space, strategyNamed(strategy), {1, {}, 60, std::nullopt});
        for (const Candidate& candidate : drawn(first, 2000))
            proposer.hear(candidate, worthOf(candidate.key));
        QCOMPARE(drawn(proposer, 5).size(), std::size_t(5));
    }

    void shardsDivideAnExhaustiveSweep() {
        const Space space({rangeNamed("A", 30), rangeNamed("B", 16), rangeNamed("C", 8)},
                          {reading({0, 1}, [](const Numbers& p) { return (p[0] + p[1]) % 3 != 0; })});
        for (const char* strategy : {"exhaustive", "random"}) {
            PointProposer whole(space, strategyNamed(strategy), {});
            const auto expected = keysOf(drawn(whole, 10000));
            std::vector<std::string> together;
            for (unsigned i = 1; i <= 8; ++i) {
                PointProposer shard(space, strategyNamed(strategy), {i, {i, 8}, 100, std::nullopt});
                const auto part = keysOf(drawn(shard, 10000));
                QVERIFY(part.size() > expected.size() / 16 && part.size() < expected.size() / 4);
                together.insert(together.end(), part.begin(), part.end());
            }
            QCOMPARE(together.size(), expected.size());
            QVERIFY(std::set(together.begin(), together.end()) == std::set(expected.begin(), expected.end()));
        }
        PointProposer one(space, strategyNamed("genetic"), {1, {1, 8}, 100, std::nullopt});
        PointProposer two(space, strategyNamed("genetic"), {1, {2, 8}, 100, std::nullopt});
        QVERIFY(keysOf(drawn(one, 30)) != keysOf(drawn(two, 30)));
        QVERIFY(!one.note().empty());
    }

    void halvingLooksDearlyAtTheBest() {
        const Space space({rangeNamed("A", 16), rangeNamed("B", 16)}, {});
        auto strategy = makeStrategy("successive-halving", {0.05, 0.25, 1});
        VERIFY_OK(strategy);
        PointProposer proposer(space, std::move(*strategy), {});
        std::map<double, std::set<std::string>> looked;
        std::set<std::string> best;
        double spent = 0;
        while (spent < 12) {
            const auto candidates = proposer.propose(1);
            QCOMPARE(candidates.size(), std::size_t(1));
            const Candidate& candidate = candidates.front();
            const Point point = *space.pointOf(candidate.key);
            QVERIFY(looked[candidate.effort].insert(candidate.key).second);
            if (candidate.effort == 0.25) QVERIFY(looked[0.05].contains(candidate.key));
            if (candidate.effort == 1) {
                QVERIFY(looked[0.25].contains(candidate.key));
                QVERIFY(point.at[0] + point.at[1] < 12); // the mean is 15
            }
            proposer.hear(candidate, valuedAs(1 + point.at[0] + point.at[1]));
            spent += candidate.effort;
        }
        QVERIFY(looked[0.05].size() > 2 * looked[0.25].size() && looked[1].size() >= 4);
        for (const auto& efforts : {std::vector<double>{}, {0.5}, {1, 0.5}, {0, 1}, {0.5, 0.5, 1}, {-1, 1}, {1, 2}})
            QCOMPARE(makeStrategy("successive-halving", efforts).error().code, std::string("bad_input"));
        QVERIFY(makeStrategy("none").error().action.find("annealing") != std::string::npos);
    }

    void halvingBeginsWithWhatIsHopedFor() {
        const Space space({rangeNamed("A", 40)}, {});
        std::vector<Point> first;
        for (const std::uint32_t a : {7U, 3U, 3U, 30U, 12U}) // one of them twice
            first.push_back({{a}});
        PointProposer proposer(space, std::make_unique<SuccessiveHalving>(std::vector<double>{0.1, 1}, first), {});
        std::vector<std::uint32_t> cheap;
        std::set<std::uint32_t> dear, all;
        for (auto some = proposer.propose(1); !some.empty(); some = proposer.propose(1)) {
            const std::uint32_t a = space.pointOf(some[0].key)->at[0];
            const bool isDear = some[0].effort == 1;
            if (!isDear) cheap.push_back(a);
            QVERIFY((isDear ? dear : all).insert(a).second);
            if (cheap.size() == 4 && dear.size() == 1) QVERIFY(dear.contains(3)); // the best of four goes up
            proposer.hear(some[0], valuedAs(1 + a));
        }
        QVERIFY(
            (std::vector<std::uint32_t>(cheap.begin(), cheap.begin() + 4) == std::vector<std::uint32_t>{7, 3, 30, 12}));
        QCOMPARE(all.size(), std::size_t(40));
        QCOMPARE(dear.size(), std::size_t(40)); // when nothing else is left
    }

    void allowedPointsInOrderAreAll() {
        for (const TriedSpace& tried : triedSpaces()) {
            if (tried.space.size() > 100000) continue;
            std::vector<std::uint64_t> expected, got;
            for (std::uint64_t i = 0; i < tried.space.size(); ++i)
                if (tried.space.forbids(tried.space.point(i)) == nullptr) expected.push_back(i);
            AllowedInOrder points(tried.space);
            while (!points.ended()) {
                std::uint64_t looks = 3; // it goes on where it was
                if (const auto point = points.next(looks)) got.push_back(tried.space.number(*point));
            }
            QVERIFY2(got == expected, tried.name);
            AllowedInOrder mixed(tried.space, Random(3));
            std::uint64_t looks = 1000000;
            std::set<std::uint64_t> found;
            while (const auto point = mixed.next(looks))
                found.insert(tried.space.number(*point));
            QVERIFY2(found == std::set(expected.begin(), expected.end()), tried.name);
        }
    }
};

KERNELARIUM_TEST(TestStrategies);

} // namespace
} // namespace kernelarium::tuning

#include "TestStrategies.moc"
