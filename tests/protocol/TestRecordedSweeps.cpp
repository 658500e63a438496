// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Store.h"
#include "core/tuning/store/StoreReader.h"
#include "core/tuning/strategies/Compare.h"
#include "core/tuning/strategies/Strategies.h"
#include "gpu/protocol/Sweep.h"
#include "tests/TestRegistry.h"

#include <QtTest>

namespace kernelarium::protocol {

/// Full sweeps of five starter kernels at their tasks' published sizes, modelled on an H200 (the details of their
/// points left out): what the table of strategies in the help is made of.
class TestRecordedSweeps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theUsualStrategyIsNearTheOptimumAfterSixtyLooks_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("points");
        QTest::newRow("1/1 register_tile") << "product" << 598;
        QTest::newRow("1/36 register_resident") << "rms_norm" << 162;
        QTest::newRow("1/40 multi_block_vectorised") << "layer_norm" << 117;
        QTest::newRow("1/47 vectorised") << "column_sum" << 120;
        QTest::newRow("2/1 image_tile") << "convolution" << 378;
    }

    void theUsualStrategyIsNearTheOptimumAfterSixtyLooks() {
        QFETCH(QString, name);
        QFETCH(int, points);
        const std::string path = KERNELARIUM_SOURCE_DIR "/tests/protocol/sweeps/" + name.toStdString() + ".sweep";
        const auto request = readSweep(path);
        QVERIFY2(request, request ? "" : request.error().text().c_str());
        auto reader = tuning::StoreReader::open(path);
        QVERIFY2(reader, reader ? "" : reader.error().text().c_str());
        std::vector<tuning::Judged> all;
        const auto read = tuning::eachCandidate(*reader, [&](const tuning::Judged& judged) { all.push_back(judged); });
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QCOMPARE(all.size(), std::size_t(points));
        QCOMPARE(request->tunable.space.countAllowed(1'000'000), std::optional<std::uint64_t>(points)); // it is full

        tuning::CompareOptions options;
        options.strategies = {"gaussian-process", "random"};
        const auto comparison = tuning::compareStrategies(request->tunable.space, all, options);
        QVERIFY2(comparison, comparison ? "" : comparison.error().text().c_str());
        QCOMPARE(comparison->missing, std::size_t(0));
        QCOMPARE(comparison->looks[2], 60.0);
        for (const auto& line : comparison->lines) {
            qInfo("%-18s %.3f %.3f %.3f %.3f", line.strategy.c_str(), line.ratios[0], line.ratios[1], line.ratios[2],
                  line.ratios[3]);
            if (line.strategy == "gaussian-process") QVERIFY(line.ratios[2] <= 1.02);
        }
    }
};

KERNELARIUM_TEST(TestRecordedSweeps);

} // namespace kernelarium::protocol

#include "TestRecordedSweeps.moc"
