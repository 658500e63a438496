// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/MeasuredCeilings.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace kernelarium::perf;

namespace {

MeasuredCeilings measuredH200() {
    MeasuredCeilings m;
    m.device = "NVIDIA H200";
    m.arch = "sm_90";
    m.driver = "580.1";
    m.highestClockMHz = 1980;
    m.dateMs = 1'700'000'000'000;
    m.ceilings = {{"device_read", 4.4e12, 1980, "loads"},
                  {"fp32", 60e12, 1900, "fma.f32"},
                  {"tensor_fp16", 800e12, 1700, "wgmma"}};
    m.remarks = {"one"};
    return m;
}

} // namespace

class TestMeasuredCeilings : public QObject {
    Q_OBJECT
private slots:
    void keptByDevice() {
        const QTemporaryDir folder;
        const std::filesystem::path at = folder.filePath("a/b").toStdString();
        QVERIFY(loadCeilings("NVIDIA H200", at).ok());
        QVERIFY(!loadCeilings("NVIDIA H200", at)->has_value());
        const auto saved = saveCeilings(measuredH200(), at);
        QVERIFY(saved.ok());
        QCOMPARE(saved->filename().string(), std::string("nvidia-h200.json"));
        const auto back = loadCeilings("NVIDIA H200", at);
        QVERIFY(back.ok() && back->has_value());
        QCOMPARE(toJson(**back).dump(), toJson(measuredH200()).dump());
        QVERIFY(!loadCeilings("NVIDIA H100", at)->has_value());
        MeasuredCeilings odd = measuredH200();
        odd.device = "../../x";
        QCOMPARE(saveCeilings(odd, at)->parent_path(), at);
    }

    void allThatAreKeptAreFound() {
        const QTemporaryDir folder;
        const std::filesystem::path at = folder.path().toStdString();
        QVERIFY(keptCeilings(at / "absent").empty());
        MeasuredCeilings other = measuredH200();
        other.device = "NVIDIA H200 SXM 141GB"; // the same device by another name, measured later
        other.dateMs += 1000;
        QVERIFY(saveCeilings(measuredH200(), at).ok() && saveCeilings(other, at).ok());
        QFile broken(folder.filePath("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("[1");
        broken.close();
        const auto kept = keptCeilings(at);
        QCOMPARE(kept.size(), std::size_t(2));
        const MeasuredCeilings* found = ceilingsOf(kept, *findDeviceSpec("h200"));
        QVERIFY(found && found->dateMs == other.dateMs);
        QVERIFY(!ceilingsOf(kept, *findDeviceSpec("t4")));
    }

    void refusesOtherFiles() {
        QCOMPARE(measuredCeilingsFromJson(nlohmann::json::array()).error().code, std::string("bad_input"));
        nlohmann::json j = toJson(measuredH200());
        j["format"] = 2;
        QCOMPARE(measuredCeilingsFromJson(j).error().code, std::string("bad_input"));
        const QTemporaryDir folder;
        QFile file(folder.filePath("nvidia-h200.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ not json");
        file.close();
        QVERIFY(!loadCeilings("NVIDIA H200", folder.path().toStdString()).ok());
    }

    /// 4.4 of 4.8 TB/s are fine; 60 of 66.9 TFLOP/s are 89.7%.
    void trust() {
        const DeviceSpec* h200 = findDeviceSpec("NVIDIA H200"); // as its driver calls it
        QVERIFY(h200);
        const MeasuredCeilings m = measuredH200();
        QVERIFY(whyNotTrusted(*m.find("device_read"), *h200).empty());
        QVERIFY(whyNotTrusted(*m.find("fp32"), *h200).find("90%") != std::string::npos);
        QVERIFY(whyNotTrusted({"shared", 3.7 * h200->sharedBandwidth(), 0, ""}, *h200).find("3.7 times") !=
                std::string::npos);
        QVERIFY(!whyNotTrusted({"device_read", 0.79 * 4.8e12, 0, ""}, *h200).empty());
        QVERIFY(whyNotTrusted({"bf16", 1, 0, ""}, *h200).empty()); // no data sheet has it
        QCOMPARE(datasheetRate(*h200, "special"), 16.0 * 132 * 1980e6);
    }

    void measuredRoofs() {
        const DeviceSpec& h200 = *findDeviceSpec("h200");
        const Roofline roofs = rooflineOf(measuredH200(), h200);
        QCOMPARE(roofs.device, std::string("NVIDIA H200"));
        QCOMPARE(roofs.find(MemoryLevel::device)->bytesPerSecond, 4.4e12);
        QVERIFY(!roofs.find(MemoryLevel::l2)); // it was not measured
        QCOMPARE(roofs.find(Precision::tensorFp16)->flopsPerSecond, 800e12);
        QVERIFY(!roofs.find(Precision::fp64));
    }
};

namespace {
KERNELARIUM_TEST(TestMeasuredCeilings);
}

#include "TestMeasuredCeilings.moc"
