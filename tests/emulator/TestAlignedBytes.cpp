// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/AlignedBytes.h"

#include "tests/TestRegistry.h"

#include <QTest>
#include <algorithm>
#include <cstdint>
#include <sys/mman.h>
#include <vector>

using namespace kernelarium::emulator;

class TestAlignedBytes : public QObject {
    Q_OBJECT
private slots:
    void theyAreZeroAndStay_data();
    void theyAreZeroAndStay();
    void theyTakeWhatIsWritten();
};

void TestAlignedBytes::theyAreZeroAndStay_data() {
    QTest::addColumn<std::size_t>("first");
    QTest::addColumn<std::size_t>("second");
    QTest::newRow("of the heap") << std::size_t(100) << std::size_t(50'000);
    QTest::newRow("then mapped") << std::size_t(700'000) << std::size_t(700'001 + 8192);
    QTest::newRow("mapped") << std::size_t(1 << 20) << std::size_t(5 << 20);
}

void TestAlignedBytes::theyAreZeroAndStay() {
    QFETCH(const std::size_t, first);
    QFETCH(const std::size_t, second);
    AlignedBytes bytes;
    QCOMPARE(bytes.size(), std::size_t(0));
    bytes.resize(first);
    QVERIFY(bytes.size() >= first);
    QCOMPARE(std::uintptr_t(bytes.data()) % 64, std::uintptr_t(0));
    const auto isZero = [](std::byte b) { return b == std::byte{}; };
    QVERIFY(std::all_of(bytes.data(), bytes.data() + bytes.size(), isZero));
    const std::size_t before = bytes.size();
    std::fill_n(bytes.data(), before, std::byte{9});
    bytes.resize(1); // it never shrinks
    QCOMPARE(bytes.size(), before);
    bytes.resize(second);
    QVERIFY(bytes.size() >= std::max(second, before));
    QCOMPARE(std::uintptr_t(bytes.data()) % 64, std::uintptr_t(0));
    QVERIFY(std::all_of(bytes.data(), bytes.data() + before, [](std::byte b) { return b == std::byte{9}; }));
    QVERIFY(std::all_of(bytes.data() + before, bytes.data() + bytes.size(), isZero));
    const std::byte* place = bytes.data();
    const AlignedBytes moved = std::move(bytes);
    QCOMPARE(moved.data(), place);
    bytes.resize(100);
    QVERIFY(bytes.data() && std::all_of(bytes.data(), bytes.data() + bytes.size(), isZero));
}

void TestAlignedBytes::theyTakeWhatIsWritten() {
    constexpr std::size_t size = 16 << 20, page = 4096;
    AlignedBytes stack;
    stack.resize(size);
    stack.data()[size - 1] = std::byte{1};
    std::vector<unsigned char> resident(stack.size() / page);
    QCOMPARE(::mincore(stack.data(), stack.size(), resident.data()), 0);
    QCOMPARE(std::count_if(resident.begin(), resident.end(), [](unsigned char page) { return page & 1; }), 1);
}

namespace {
KERNELARIUM_TEST(TestAlignedBytes);
}

#include "TestAlignedBytes.moc"
