// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Roofline.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::perf;

namespace {

/// A device of round figures: 1 TB/s, 10 TFLOP/s, ridge at 10.
DeviceSpec roundDevice() {
    DeviceSpec spec;
    spec.name = "Round";
    spec.multiprocessors = 100;
    spec.clockMHz = 1000;
    spec.memoryBandwidth = 1e12;
    spec.l2Bandwidth = 4e12;
    spec.l2Bytes = 40e6;
    spec.fp32 = 10e12;
    spec.tensor.fp16 = 80e12;
    spec.launchSeconds = 2e-6;
    return spec;
}

bool says(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

std::string explained(const Work& work, ByteSource source) {
    const Roofline roofline = rooflineOf(roundDevice());
    return explain(roofline, work, place(roofline, work).value(), source);
}

} // namespace

class TestRoofline : public QObject {
    Q_OBJECT
private slots:
    void roofsAreTheDevices() {
        const Roofline roofline = rooflineOf(roundDevice());
        QCOMPARE(roofline.memory.size(), std::size_t(3));
        QCOMPARE(roofline.find(MemoryLevel::shared)->bytesPerSecond, 128.0 * 100 * 1e9);
        QCOMPARE(roofline.compute.size(), std::size_t(2)); // the others are 0
        QVERIFY(!roofline.find(Precision::fp64));
        QCOMPARE(ridge(roofline.memory[0], *roofline.find(Precision::fp32)), 10.0);
        QCOMPARE(ridge(roofline.memory[0], *roofline.find(Precision::tensorFp16)), 80.0);
    }

    void attainableIsTheLowerRoof() {
        const MemoryRoof memory{MemoryLevel::device, 1e12};
        const ComputeRoof compute{Precision::fp32, 10e12};
        QCOMPARE(attainable(memory, compute, 0.5), 0.5e12);
        QCOMPARE(attainable(memory, compute, 10), 10e12);
        QCOMPARE(attainable(memory, compute, 1000), 10e12);
    }

    void placementNamesTheBoundAndItsShare() {
        const Roofline roofline = rooflineOf(roundDevice());
        const Placement left = place(roofline, {1e9, 4e9, 8e-3, Precision::fp32}).value();
        QCOMPARE(left.bound, Bound::memory);
        QCOMPARE(left.intensity, 0.25);
        QCOMPARE(left.share, 0.5);
        QCOMPARE(left.attainable, 0.25e12);
        const Placement right = place(roofline, {1e12, 1e9, 0.4, Precision::fp32}).value();
        QCOMPARE(right.bound, Bound::compute);
        QCOMPARE(right.share, 0.25);
        // The same work on tensor cores has its ridge elsewhere.
        QCOMPARE(place(roofline, {2e10, 1e9, 1, Precision::tensorFp16}).value().bound, Bound::memory);
        QCOMPARE(place(roofline, {2e10, 1e9, 1, Precision::fp32}).value().bound, Bound::compute);
    }

    void workWithoutFlopsIsMeasuredByItsBytes() {
        const Placement p = place(rooflineOf(roundDevice()), {0, 1e9, 2e-3, Precision::fp32}).value();
        QCOMPARE(p.intensity, 0.0);
        QCOMPARE(p.share, 0.5);
        QVERIFY(says(explained({0, 1e9, 2e-3, Precision::fp32}, ByteSource::profiler), "computes nothing"));
    }

    void badFiguresAreRefused_data() {
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("seconds");
        QTest::newRow("no time") << 1.0 << 1.0 << 0.0;
        QTest::newRow("no bytes") << 1.0 << 0.0 << 1.0;
        QTest::newRow("negative") << -1.0 << 1.0 << 1.0;
        QTest::newRow("nan") << 1.0 << 1.0 << double(NAN);
        QTest::newRow("infinite") << double(INFINITY) << 1.0 << 1.0;
    }
    void badFiguresAreRefused() {
        QFETCH(double, flops);
        QFETCH(double, bytes);
        QFETCH(double, seconds);
        QCOMPARE(place(rooflineOf(roundDevice()), {flops, bytes, seconds, Precision::fp32}).error().code,
                 std::string("bad_input"));
    }

    void aMissingPrecisionIsNamed() {
        const auto result = place(rooflineOf(roundDevice()), {1, 1, 1, Precision::fp64});
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("no_such_roof"));
        QVERIFY(says(result.error().message, "float64"));
    }

    void explanationsFitTheCase() {
        const std::string far = explained({1e9, 4e9, 40e-3, Precision::fp32}, ByteSource::compulsory);
        QVERIFY(says(far, "0.25 FLOP/byte: left of the ridge at 10"));
        QVERIFY(says(far, "10% of that roof"));
        QVERIFY(says(far, "uncoalesced"));
        QVERIFY(!says(explained({1e9, 4e9, 40e-3, Precision::fp32}, ByteSource::profiler), "uncoalesced"));
        QVERIFY(says(explained({1e9, 4e9, 4.2e-3, Precision::fp32}, ByteSource::profiler), "close to the roof"));
        QVERIFY(says(explained({1e9, 4e6, 1e-3, Precision::fp32}, ByteSource::profiler), "right of the ridge"));
        QVERIFY(says(explained({1e3, 4e3, 4e-6, Precision::fp32}, ByteSource::compulsory), "launch itself"));
    }

    void tooFastIsSaidToBeSo() {
        QVERIFY(says(explained({1e6, 4e6, 2e-6, Precision::fp32}, ByteSource::compulsory), "L2"));
        QVERIFY(says(explained({1e9, 4e9, 1e-3, Precision::fp32}, ByteSource::compulsory), "fewer bytes"));
        QVERIFY(says(explained({1e12, 1e9, 1e-3, Precision::fp32}, ByteSource::compulsory), "fewer FLOPs"));
    }

    void everyDeviceHasRidgesThatRise() {
        for (const DeviceSpec& spec : deviceSpecs()) {
            const Roofline roofline = rooflineOf(spec);
            QVERIFY(roofline.find(Precision::fp32) && roofline.find(MemoryLevel::device));
            // Nearer memories are faster, so their ridges lie further left.
            for (std::size_t i = 1; i < roofline.memory.size(); ++i)
                QVERIFY2(ridge(roofline.memory[i], roofline.compute[0]) <
                             ridge(roofline.memory[i - 1], roofline.compute[0]),
                         spec.id.c_str());
        }
    }

    void keysReadBack() {
        for (const ComputeRoof& roof : rooflineOf(*findDeviceSpec("h200")).compute)
            QVERIFY(parsePrecision(key(roof.precision)) == roof.precision);
        QVERIFY(!parsePrecision("fp17"));
    }
};

namespace {
KERNELARIUM_TEST(TestRoofline);
}

#include "TestRoofline.moc"
