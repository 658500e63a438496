// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace kernelarium;
using namespace kernelarium::perf;

class TestDeviceSpec : public QObject {
    Q_OBJECT
private slots:
    void allAreThere() {
        std::set<std::string> ids;
        for (const DeviceSpec& d : deviceSpecs())
            ids.insert(d.id);
        const std::set<std::string> wanted = {"t4",   "rtx-3090",  "rtx-4090", "a100-40gb", "a100-80gb-sxm",
                                              "l40s", "h100-pcie", "h100-sxm", "h200"};
        QVERIFY(std::includes(ids.begin(), ids.end(), wanted.begin(), wanted.end()));
        QCOMPARE(ids.size(), deviceSpecs().size());
    }

    void figuresAgreeWithEachOther_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < deviceSpecs().size(); ++i)
            QTest::newRow(deviceSpecs()[i].id.c_str()) << int(i);
    }
    void figuresAgreeWithEachOther() {
        QFETCH(int, index);
        const DeviceSpec& d = deviceSpecs()[std::size_t(index)];
        const auto near = [](double a, double b) { return std::abs(a - b) <= 0.03 * b; };
        const double clocks = d.multiprocessors * d.clockHz();
        // A data sheet's peak is two operations for each result of each clock.
        QVERIFY(near(d.fp32, 2 * d.perClock.fp32 * clocks));
        QVERIFY(near(d.fp64, 2 * d.perClock.fp64 * clocks));
        QVERIFY(near(d.fp16, 4 * d.perClock.fp16 * clocks));
        QVERIFY(d.tensor.fp16 > d.fp16);
        QVERIFY(d.l2Bandwidth > d.memoryBandwidth);
        QVERIFY(d.l1Bandwidth() > d.l2Bandwidth);
        QVERIFY(d.limits.sharedBytesPerBlock <= d.limits.sharedBytes);
        QVERIFY(d.limits.sharedBytes <= d.l1Bytes);
        QCOMPARE(d.limits.threads, d.limits.warps * 32);
        for (const char* group : {"compute", "l2", "per_clock", "limits", "latency", "launch"})
            QVERIFY2(d.sources.count(group) && d.sources.at(group).size() > 20, group);
    }

    void namesAreFound() {
        QCOMPARE(findDeviceSpec("h200")->name, std::string("NVIDIA H200 SXM 141GB"));
        QCOMPARE(findDeviceSpec("RTX 4090")->id, std::string("rtx-4090"));
        QCOMPARE(findDeviceSpec("NVIDIA L40S")->id, std::string("l40s"));
        QCOMPARE(findDeviceSpec("H100 SXM")->id, std::string("h100-sxm"));
        QVERIFY(!findDeviceSpec("h100")); // two of them
        QVERIFY(!findDeviceSpec("Voodoo 2"));
        QVERIFY(!findDeviceSpec(""));
    }

    void badFilesAreRefused() {
        QCOMPARE(parseDeviceSpec("{}").error().code, std::string("bad_input"));
        QCOMPARE(parseDeviceSpec("nonsense").error().code, std::string("bad_input"));
        QVERIFY(parseDeviceSpec("{}").error().message.find("id") != std::string::npos);
    }
};

namespace {
KERNELARIUM_TEST(TestDeviceSpec);
}

#include "TestDeviceSpec.moc"
