// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/occupancy/OccupancyCharts.h"

#include <QtTest>

namespace kernelarium::ui {

class TestOccupancyCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKernelAndWhatIsTriedAreMarked() {
        TriedBlock block{{256, 42, 0}, {256, 42, 0}, *perf::limitsOf("sm_90")};
        ChartData data = occupancyChart(perf::BlockNeed::registers, block);
        QCOMPARE(data.series.size(), std::size_t(2)); // the curve and the kernel
        QCOMPARE(data.series[1].points.front().x, 42.0);
        QCOMPARE(data.series[1].points.front().y, 40.0);
        block.tried.registers = 40;
        data = occupancyChart(perf::BlockNeed::registers, block);
        QCOMPARE(data.series.size(), std::size_t(3));
        QCOMPARE(data.series[2].points.front().y, 48.0);
        // The other curves are those of what is tried, and their own values were not changed.
        data = occupancyChart(perf::BlockNeed::threads, block);
        QCOMPARE(data.series.size(), std::size_t(2));
        QCOMPARE(data.series[1].points.front().y, 48.0);
    }

    /// A mark leads to the largest value of its step, in bytes also where the axis has KiB.
    void marksAreValues() {
        const TriedBlock block{{256, 32, 5000}, {256, 32, 5000}, *perf::limitsOf("sm_86")};
        for (const perf::BlockNeed need : perf::blockNeeds) {
            const auto runs = perf::curveOver(need, block.tried, block.limits);
            const ChartData data = occupancyChart(need, block);
            QCOMPARE(data.series.front().points.size(), runs.size());
            for (std::size_t i = 0; i < runs.size(); ++i)
                QCOMPARE(valueOfPoint(need, data.series.front().points[i]), runs[i].to);
            QCOMPARE(valueOfPoint(need, data.series.back().points.front()), perf::valueOf(block.own, need));
        }
    }

    void withoutAKernelThereIsOnlyWhatIsTried() {
        const TriedBlock block{{}, {128, 0, 0}, *perf::limitsOf("sm_80")};
        QCOMPARE(occupancyChart(perf::BlockNeed::threads, block).series.back().name, QStringLiteral("tried"));
        QCOMPARE(occupancyChart(perf::BlockNeed::registers, block).series.size(), std::size_t(1)); // unknown: no dot
    }

    void rowsSayTheLimitAndTheNextStep() {
        const auto rows = resourceRows({256, 42, 1000, 2}, *perf::limitsOf("sm_90"));
        QCOMPARE(rows.size(), std::size_t(5));
        const auto& registers = rows[2];
        QVERIFY(registers.limits && !rows[0].limits && !rows[3].limits);
        QCOMPARE(registers.taken, QStringLiteral("12,288 (42, given as 48 a thread)"));
        QCOMPARE(registers.next, QStringLiteral("40 instead of 42: 6 blocks instead of 5 (48 warps)"));
        QCOMPARE(registers.room, QStringLiteral("up to 48"));
        QCOMPARE(rows[3].taken, QStringLiteral("2,048 bytes (1,000 of its own)"));
        QCOMPARE(rows[4].blocks, QStringLiteral("32"));
        QCOMPARE(resourceRows({256, 42, 1000, 2}, *perf::limitsOf("sm_80")).size(), std::size_t(4)); // no barriers
        QCOMPARE(resourceRows({256, 0, 0}, *perf::limitsOf("sm_80"))[2].taken, QStringLiteral("unknown"));
    }
};

KERNELARIUM_TEST(TestOccupancyCharts);

} // namespace kernelarium::ui

#include "TestOccupancyCharts.moc"
