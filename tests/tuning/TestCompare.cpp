// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/FanOut.h"
#include "core/tuning/strategies/Compare.h"
#include "tests/TestRegistry.h"
#include "tests/tuning/Landscapes.h"
#include "tests/tuning/TuningFixture.h"

#include <fmt/format.h>

namespace kernelarium::tuning {
namespace {

std::string tableOf(const Comparison& comparison) {
    std::string text;
    for (const auto& line : comparison.lines) {
        text += fmt::format("  {:24}", line.strategy);
        for (const double ratio : line.ratios)
            text += fmt::format(" {:7.3f}", ratio);
        text += '\n';
    }
    return text;
}

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Prints the tables; what is asserted is what is asked of the best strategy.
    void theBestIsNearTheOptimumOfAMatrixProductAfterSixtyLooks() {
        for (std::uint64_t variant = 0; variant < 3; ++variant) {
            const Landscape landscape = matrixProduct(variant);
            QVERIFY2(landscape.points > 400 && landscape.points < 650, std::to_string(landscape.points).c_str());
            const double refused = double(landscape.refused) / double(landscape.points);
            QVERIFY2(refused > 0.08 && refused < 0.25, std::to_string(refused).c_str());
            const auto comparison = compareStrategies(landscape.space, landscape.sweep, {});
            VERIFY_OK(comparison);
            QCOMPARE(comparison->missing, std::size_t(0));
            QCOMPARE(comparison->points, landscape.points);
            QCOMPARE(comparison->valued, landscape.points - landscape.refused);
            qInfo("%s %d: %zu points, %zu refused, optimum at %s; looks 20 40 60 120\n%s", landscape.name.c_str(),
                  int(variant), landscape.points, landscape.refused, comparison->optimumKey.c_str(),
                  tableOf(*comparison).c_str());
            QVERIFY(comparison->lines.front().ratios[2] <= 1.02);
            double random = 0, best = comparison->lines.front().ratios[2];
            for (const auto& line : comparison->lines)
                if (line.strategy == "random") random = line.ratios[2];
            QVERIFY(random > best);
        }
    }

    void otherLandscapes() {
        for (const Landscape& landscape : {rowReduction(1), stencil(2)}) {
            CompareOptions options;
            options.seeds = landscape.points > 1000 ? 5 : 11;
            const auto comparison = compareStrategies(landscape.space, landscape.sweep, options);
            VERIFY_OK(comparison);
            qInfo("%s: %zu points, %zu refused, optimum at %s; looks 20 40 60 120\n%s", landscape.name.c_str(),
                  landscape.points, landscape.refused, comparison->optimumKey.c_str(), tableOf(*comparison).c_str());
            for (const auto& line : comparison->lines) {
                QVERIFY(std::is_sorted(line.ratios.rbegin(), line.ratios.rend())); // more looks find no worse
                QVERIFY(line.ratios.back() >= 1);
            }
            QVERIFY(comparison->lines.front().ratios[2] <= 1.1);
        }
    }

    void whatIsExhaustedIsFound() {
        const Space space({powers("A", 4), powers("B", 3)}, {});
        std::vector<Judged> sweep;
        for (std::uint64_t i = 0; i < space.size(); ++i)
            sweep.push_back(judgedOf(space.key(space.point(i)), double(20 - i)));
        CompareOptions options;
        options.strategies = {"random", "exhaustive"};
        options.looks = {1, 12};
        const auto one = compareStrategies(space, sweep, options);
        VERIFY_OK(one);
        for (const auto& line : one->lines)
            QCOMPARE(line.ratios.back(), 1.0);
        QCOMPARE(one->optimum, 9.0);
        options.jobs = 4;
        QCOMPARE(tableOf(*compareStrategies(space, sweep, options)), tableOf(*one));

        sweep.pop_back(); // the best of them: nobody recorded it
        const auto less = compareStrategies(space, sweep, options);
        VERIFY_OK(less);
        QCOMPARE(less->optimum, 10.0);
        QVERIFY(less->missing > 0);
    }

    void whatCannotBeComparedIsRefused() {
        const Space space({powers("A", 4)}, {});
        QCOMPARE(compareStrategies(space, {}).error().code, std::string("bad_input"));
        QCOMPARE(compareStrategies(space, {judgedOf("A=1", -1.0)}).error().code, std::string("bad_input"));
        QCOMPARE(compareStrategies(space, {judgedOf("A=1", Outcome::Kind::refused)}).error().code,
                 std::string("bad_input"));
        CompareOptions options;
        options.strategies = {"nobody"};
        QCOMPARE(compareStrategies(space, {judgedOf("A=1", 1.0)}, options).error().code, std::string("bad_input"));
        options.strategies = {};
        options.looks = {};
        QCOMPARE(compareStrategies(space, {judgedOf("A=1", 1.0)}, options).error().code, std::string("bad_input"));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(compareStrategies(space, {judgedOf("A=1", 1.0)}, {}, stop.get_token()).error().code,
                 std::string("cancelled"));
    }
};

KERNELARIUM_TEST(TestCompare);

} // namespace
} // namespace kernelarium::tuning

#include "TestCompare.moc"
