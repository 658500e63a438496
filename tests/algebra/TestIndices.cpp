// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cost/Points.h"
#include "core/algebra/cost/Work.h"
#include "core/algebra/lowering/Lowering.h"
#include "tests/TestRegistry.h"

#include <fmt/format.h>
#include <random>

namespace kernelarium::algebra {
namespace {

/// Every point of a space, in order.
void forPoints(const Extents& space, const std::function<void(std::span<const std::int64_t>)>& f) {
    std::vector<std::int64_t> point(space.size(), 0);
    for (std::int64_t n = pointCount(space); n-- > 0;) {
        f(point);
        for (std::size_t a = space.size(); a-- > 0;) {
            if (++point[a] < space[a]) break;
            point[a] = 0;
        }
    }
}

class Random {
public:
    std::int64_t from(std::int64_t low, std::int64_t high) {
        return low + std::int64_t(m_engine() % std::uint64_t(high - low + 1));
    }
    Extents space() {
        Extents e;
        for (std::int64_t n = from(1, 4); n-- > 0;)
            e.push_back(from(1, 7));
        return e;
    }
    Index index(const Extents& space, bool plain) {
        Index i{from(-4, 6), {}, 1};
        for (int a = 0; a < int(space.size()); ++a) {
            if (from(0, 2) == 0) continue;
            Term t{a, from(1, 4), 1, 0};
            if (plain && from(0, 3) == 0) t.factor = -t.factor;
            if (!plain && from(0, 1)) t.divisor = from(1, 4);
            if (!plain && from(0, 1)) t.modulus = from(1, 4);
            i.terms.push_back(t);
        }
        return i;
    }

private:
    std::mt19937_64 m_engine{20261123};
};

std::string valueOf(const std::optional<std::int64_t>& v) {
    return v ? std::to_string(*v) : "none";
}

class TestIndices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Putting indices into an index gives one with the same value at every point, or nothing.
    void substitutionKeepsEveryValue() {
        Random random;
        std::size_t substitutedCount = 0;
        for (int round = 0; round < 20000; ++round) {
            const Extents outer = random.space(), inner = random.space();
            Index index = random.index(inner, false);
            std::vector<Index> replacement;
            for (std::size_t a = 0; a < inner.size(); ++a) {
                Index i = random.index(outer, true);
                i.offset = std::max<std::int64_t>(i.offset, 0);
                for (Term& t : i.terms)
                    t.factor = std::abs(t.factor);
                normalise(i, outer);
                replacement.push_back(i);
            }
            if (random.from(0, 3) == 0) index.divisor = random.from(1, 3);
            const std::optional<Index> whole = substituted(index, replacement, outer);
            if (!whole) continue;
            ++substitutedCount;
            forPoints(outer, [&](std::span<const std::int64_t> point) {
                std::vector<std::int64_t> between;
                for (const Index& i : replacement)
                    between.push_back(*i.at(point));
                const auto expected = index.at(between), got = whole->at(point);
                if (expected != got)
                    QFAIL(fmt::format("round {}: {} instead of {}", round, valueOf(got), valueOf(expected)).c_str());
            });
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY2(substitutedCount > 5000, std::to_string(substitutedCount).c_str());
    }

    void pointsAreCountedExactly() {
        Random random;
        for (int round = 0; round < 5000; ++round) {
            const Extents space = random.space();
            std::vector<Condition> conditions;
            for (std::int64_t n = random.from(1, 3); n-- > 0;) {
                Condition c{random.index(space, random.from(0, 1) != 0), random.from(-3, 1), random.from(2, 9)};
                if (random.from(0, 1)) c.index.divisor = random.from(2, 3);
                conditions.push_back(std::move(c));
            }
            double expected = 0;
            forPoints(space, [&](std::span<const std::int64_t> point) {
                expected += std::all_of(conditions.begin(), conditions.end(), [&](const Condition& c) {
                    const auto v = c.index.at(point);
                    return v && *v >= c.low && *v <= c.high;
                });
            });
            const std::optional<double> got = countPoints(space, conditions);
            QVERIFY(got);
            QVERIFY2(*got == expected, fmt::format("round {}: {} instead of {}", round, *got, expected).c_str());
        }
    }

    /// Figures that can be written down: what the formulas of single operators cost.
    void operatorsCostWhatTheyShould_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("bytes");
        QTest::newRow("product 2048 x 2048") << 1 << 2.0 * 2048 * 2048 * 2048 << 3.0 * 4 * 2048 * 2048;
        QTest::newRow("relu") << 19 << 16.0 * 16384 << 2.0 * 4 * 16 * 16384;
        QTest::newRow("running sum, once over the elements") << 89 << 128.0 * 4000 << 2.0 * 4 * 128 * 4000;
    }
    void operatorsCostWhatTheyShould() {
        QFETCH(int, number);
        QFETCH(double, flops);
        QFETCH(double, bytes);
        const auto card = task::loadCard(1, number);
        const Result<Graph> graph = lower(*card, *card->size("full"));
        QVERIFY(graph.ok());
        const Work work = workOf(*graph);
        QCOMPARE(work.flops, flops);
        QCOMPARE(work.bytes(), bytes);
    }
};

KERNELARIUM_TEST(TestIndices);

} // namespace
} // namespace kernelarium::algebra

#include "TestIndices.moc"
