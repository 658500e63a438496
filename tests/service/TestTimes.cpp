// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/service/TestTimes.h"

#include "gpu/device/timing/LibraryBaselines.h"
#include "gpu/protocol/TimeMessages.h"
#include "gpu/service/RunService.h"
#include "gpu/service/RunSubject.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;
using namespace kernelarium::service;
using device::LibraryWork;

void TestTimes::libraryWorkIsToldFromOtherTasks_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    QTest::addColumn<device::LibraryWork>("work");
    QTest::newRow("square matrices") << 1 << 1 << LibraryWork::product;
    QTest::newRow("rectangular matrices") << 1 << 2 << LibraryWork::product;
    QTest::newRow("batches") << 1 << 3 << LibraryWork::product;
    QTest::newRow("matrix and vector") << 1 << 4 << LibraryWork::product;
    QTest::newRow("a scalar") << 1 << 5 << LibraryWork::none;
    QTest::newRow("einsum of four dimensions") << 1 << 11 << LibraryWork::product;
    QTest::newRow("a diagonal matrix") << 1 << 12 << LibraryWork::none;
    QTest::newRow("a transposed operand") << 1 << 16 << LibraryWork::product;
    QTest::newRow("relu") << 1 << 19 << LibraryWork::none;
    QTest::newRow("linear and more") << 2 << 9 << LibraryWork::none;
    QTest::newRow("a convolution") << 1 << 55 << LibraryWork::convolution;
    QTest::newRow("a convolution of one dimension") << 1 << 67 << LibraryWork::convolution;
    QTest::newRow("a transposed convolution of three") << 1 << 61 << LibraryWork::convolution;
    QTest::newRow("a depthwise convolution") << 1 << 82 << LibraryWork::none;
    QTest::newRow("a convolution and more") << 2 << 6 << LibraryWork::none;
    QTest::newRow("a network") << 3 << 1 << LibraryWork::none;
}

void TestTimes::libraryWorkIsToldFromOtherTasks() {
    QFETCH(int, level);
    QFETCH(int, task);
    QFETCH(device::LibraryWork, work);
    const auto card = task::loadCard(level, task);
    QVERIFY(card.ok());
    for (const char* size : {"small", "full"}) {
        const Result<device::LibraryWork> found = device::libraryWorkOf(*card, size);
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QCOMPARE(*found, work);
    }
}

void TestTimes::memoryOfAVerificationIsBounded() {
    QVERIFY(service::heldByVerification(2e9, 6e9) > 30e9); // task 1/11
    QVERIFY(service::heldByVerification(2e9, 6e9) < 60e9);
    QVERIFY(service::checkHostRoom(10e9, 20e9, "1/11").ok());
    const Result<void> refused = service::checkHostRoom(40e9, 20e9, "1/11");
    QCOMPARE(refused.error().code, std::string("out_of_memory"));
    QVERIFY2(refused.error().message.find("40 GB") != std::string::npos &&
                 refused.error().message.find("20 GB") != std::string::npos,
             refused.error().message.c_str());
}

void TestTimes::emulatorHasNoTimes() {
    TimeParameters p;
    p.run.unit = std::make_shared<const compile::CompiledUnit>();
    p.run.backend = "emulator";
    RunService service(1 << 20);
    Request request;
    request.method = "time";
    request.params = toJson(p);
    const auto answer = service.handle(request, {[](const std::string&) {}, [](nlohmann::json) {}}, {});
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().code, std::string("missing_component"));
}

KERNELARIUM_TEST(TestTimes);
