// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestDriver.h"

#include "gpu/compile/Toolkit.h"
#include "gpu/device/driver/OutputCapture.h"
#include "gpu/protocol/DeviceMessages.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QFileInfo>
#include <QtTest>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::device;

void TestDriver::anAbsentLibraryIsNamed() {
    const auto driver = Driver::load("libcuda-that-nobody-has.so.1");
    QVERIFY(!driver);
    QCOMPARE(driver.error().code, std::string("missing_component"));
    QVERIFY(driver.error().message.find("libcuda-that-nobody-has.so.1") != std::string::npos);
    QVERIFY(driver.error().action.find("nvidia-smi") != std::string::npos);
    QVERIFY(!driver.error().detail.empty()); // the loader's own words
}

void TestDriver::anotherLibraryIsNoDriver() {
    const auto driver = Driver::load("libm.so.6");
    QVERIFY(!driver);
    QCOMPARE(driver.error().code, std::string("missing_component"));
    QVERIFY(driver.error().message.find("cuInit") != std::string::npos);
}

void TestDriver::theToolkitsStubIsNoDriver() {
    // The stub has every function of the driver's ABI and refuses all of them.
    const QString nvrtc = QString::fromStdString(compile::Toolkit::find().nvrtc);
    const QString stub = QFileInfo(nvrtc).path() + "/stubs/libcuda.so";
    if (!QFileInfo::exists(stub)) QSKIP("no stub of libcuda in the CUDA toolkit");
    const auto driver = Driver::load(stub.toStdString());
    QVERIFY(!driver);
    QCOMPARE(driver.error().code, std::string("missing_component"));
    QVERIFY2(driver.error().message.find("Starting the CUDA driver") != std::string::npos,
             driver.error().message.c_str());
    QVERIFY(!driver.error().action.empty());
}

void TestDriver::statusesBecomeErrors_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("advice");
    QTest::newRow("out of memory") << 2 << "out_of_memory"
                                   << "smaller size";
    QTest::newRow("no device") << 100 << "missing_component"
                               << "nvidia-smi";
    QTest::newRow("driver too old for the PTX") << 222 << "missing_component"
                                                << "newer driver";
    QTest::newRow("illegal address") << 700 << "device_lost"
                                     << "emulator";
    QTest::newRow("assert") << 710 << "device_lost"
                            << "emulator";
    QTest::newRow("anything else") << 401 << "device"
                                   << "nvidia-smi";
}

void TestDriver::statusesBecomeErrors() {
    QFETCH(int, status);
    QFETCH(QString, code);
    QFETCH(QString, advice);
    const Error error = driverError(status, "CUDA_ERROR_X (text)", "Doing something");
    QCOMPARE(QString::fromStdString(error.code), code);
    QVERIFY2(QString::fromStdString(error.action).contains(advice), error.action.c_str());
    QCOMPARE(error.message, std::string("Doing something failed: CUDA_ERROR_X (text)."));
}

void TestDriver::faultsLoseTheContext() {
    for (const int lost : {700, 710, 714, 715, 716, 717, 718, 719})
        QVERIFY2(losesContext(lost), QByteArray::number(lost));
    for (const int kept : {0, 1, 2, 200, 209, 400, 500, 600, 701, 720})
        QVERIFY2(!losesContext(kept), QByteArray::number(kept));
}

void TestDriver::outputIsCaptured() {
    OutputCapture first;
    std::printf("what a kernel says %d\n", 7);
    QCOMPARE(first.finish(1000), std::string("what a kernel says 7\n"));
    OutputCapture second;
    std::printf("0123456789");
    QCOMPARE(second.finish(4), std::string("0123"));
}

void TestDriver::aListOfDevicesTravels() {
    protocol::DeviceList list;
    list.devices = {{"emulator", "H100 SXM (sm_90)", "sm_90", 132, 1u << 30},
                    {"cuda", "NVIDIA H200", "sm_90", 132, 150'000'000'000, 1980, 3201, 6144, 60u << 20, true, "13.0"}};
    auto read = protocol::deviceListFromJson(protocol::toJson(list));
    QVERIFY(read.ok());
    QCOMPARE(read->devices.size(), std::size_t(2));
    QVERIFY(read->gpu() && read->gpu()->name == "NVIDIA H200" && read->gpu()->memoryBytes == 150'000'000'000);
    QCOMPARE(read->gpu()->driver, std::string("13.0"));
    QVERIFY(!read->missing);
    list.devices.pop_back();
    list.missing = Error{"missing_component", "There is no GPU.", "Buy one."};
    read = protocol::deviceListFromJson(protocol::toJson(list));
    QVERIFY(read.ok() && !read->gpu() && read->missing);
    QCOMPARE(read->missing->text(), std::string("There is no GPU. Buy one."));
    QVERIFY(!protocol::deviceListFromJson({{"devices", 3}}).ok());
}

void TestDriver::theGpuIsDescribed() {
    NEEDS_GPU();
    const DeviceInfo& info = test::Gpu::instance().context()->info();
    QVERIFY(!info.name.empty() && info.major >= 5 && info.multiprocessors > 0 && info.memoryBytes > (1u << 28));
    QCOMPARE(info.limits.multiprocessors, info.multiprocessors);
    QVERIFY(info.limits.multiprocessor.sharedBytesPerBlock >= info.limits.maxStaticSharedBytes);
    QVERIFY(info.limits.name.ends_with("(" + info.arch() + ")"));
    const auto memory = test::Gpu::instance().context()->memory();
    QVERIFY(memory.ok() && memory->free > 0 && memory->free <= memory->total);
    qInfo("%s, %s, %u multiprocessors, %.1f GB", info.name.c_str(), info.arch().c_str(), info.multiprocessors,
          double(info.memoryBytes) / 1e9);
}

KERNELARIUM_TEST(TestDriver);
