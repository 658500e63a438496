// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/emulator/memory/MemoryPages.h"

#include "tests/TestRegistry.h"

#include <QTest>
#include <algorithm>
#include <sys/mman.h>

using namespace kernelarium;
using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

std::uint64_t place(DeviceMemory& m, std::uint64_t bytes, const char* label, std::uint64_t guard = 64,
                    std::uint64_t alignment = 512) {
    DeviceMemory::Options o;
    o.guard = guard;
    o.alignment = alignment;
    const Result<std::uint64_t> at = m.allocate(bytes, label, o);
    if (!at.ok()) QTest::qFail(at.error().text().c_str(), __FILE__, __LINE__);
    return at.ok() ? *at : 0;
}

const std::vector<std::byte> eight(8, std::byte{0x5a});

} // namespace

class TestDeviceMemory : public QObject {
    Q_OBJECT
private slots:
    void allocationsAreAlignedAndApart();
    void boundsAreKept();
    void damagedGuardsAreReported();
    void releaseKnowsItsAllocations();
    void capacityIsKept();
    void whatIsFreedComesAgain();
    void freedMemoryGoesBack();
    void damageOutlivesItsAllocation();
    void usedPagesLookFresh();
    void idlePagesGoBack();
    void copyKeepsInitialisedState();
    void overlappingCopyKeepsState();
    void nearestNamesTheNeighbour();
    void emptyAllocationsHaveAnAddress();
    void repeatedPatterns_data();
    void repeatedPatterns();
    void untrackedMemoryStartsAsZero();
    void givenContentsCountAsWritten_data();
    void givenContentsCountAsWritten();
    void givenContentsAreSeenByAWatch();
};

void TestDeviceMemory::givenContentsCountAsWritten_data() {
    QTest::addColumn<std::uint64_t>("bytes");
    QTest::newRow("few") << std::uint64_t(5);
    QTest::newRow("states that are mapped") << std::uint64_t(300'001);
    QTest::newRow("large pages, and their next") << std::uint64_t(20'000'003);
}

void TestDeviceMemory::givenContentsCountAsWritten() {
    QFETCH(std::uint64_t, bytes);
    std::vector<std::byte> contents(bytes);
    for (std::size_t i = 0; i < contents.size(); ++i)
        contents[i] = std::byte(i * 7);
    DeviceMemory m(64 << 20);
    DeviceMemory::Options o;
    o.guard = 64;
    o.contents = contents;
    const Result<std::uint64_t> at = m.allocate(bytes, "given", o);
    QVERIFY(at.ok());
    const std::uint64_t fresh = place(m, bytes, "fresh");
    std::vector<std::byte> read(bytes);
    QVERIFY(m.read(*at, read).ok());
    QVERIFY(read == contents);
    const std::uint64_t offset = *at - DeviceMemory::base;
    constexpr std::uint8_t written = DeviceMemory::stateDevice | DeviceMemory::stateInitialised;
    QVERIFY(std::all_of(m.states() + offset, m.states() + offset + bytes, [](std::uint8_t s) { return s == written; }));
    QCOMPARE(m.states()[offset - 1], std::uint8_t(0));
    QCOMPARE(m.states()[offset + bytes], std::uint8_t(0));
    QVERIFY(!m.firstUninitialised(*at, bytes));
    QCOMPARE(m.firstUninitialised(fresh, bytes), std::optional<std::uint64_t>(0));
    QVERIFY(m.damagedGuards().empty());
    // A state that changes is this memory's alone.
    QVERIFY(m.giveTo(Owner::managed, *at));
    DeviceMemory other(64 << 20);
    QVERIFY(other.allocate(bytes, "given", o).ok());
    QCOMPARE(m.states()[offset + bytes / 2], std::uint8_t(written | DeviceMemory::stateHost));
    QVERIFY(m.release(*at, 0).ok());
    QCOMPARE(m.states()[offset + bytes / 2], std::uint8_t(0));
    QVERIFY(other.firstUninitialised(*at, bytes) == std::nullopt);
}

void TestDeviceMemory::givenContentsAreSeenByAWatch() {
    DeviceMemory m(1 << 20);
    const std::uint64_t expected = DeviceMemory::base + 4096 + 512; // the first place after the guard band
    m.watch(expected, 4, [] {
        Writer writer;
        writer.call = "argument";
        return writer;
    });
    DeviceMemory::Options o;
    o.guard = 64;
    o.contents = eight;
    const Result<std::uint64_t> at = m.allocate(eight.size(), "given", o);
    QVERIFY(at.ok());
    QCOMPARE(*at, expected);
    const std::optional<Writer> last = m.watched()->last();
    QVERIFY(last);
    QCOMPARE(last->call, std::string("argument"));
    QVERIFY(!m.firstUninitialised(*at, eight.size()));
}

void TestDeviceMemory::allocationsAreAlignedAndApart() {
    DeviceMemory m(1 << 20);
    std::uint64_t end = DeviceMemory::base;
    for (const std::uint64_t alignment : {1u, 16u, 256u, 512u, 4096u, 65536u}) {
        const std::uint64_t at = place(m, 100, "a", 32, alignment);
        QCOMPARE(at % alignment, std::uint64_t(0));
        QVERIFY(at >= end + 32);
        QCOMPARE(m.find(at + 99), m.find(at));
        QVERIFY(m.find(at) && !m.find(at + 100) && !m.find(at - 1));
        end = at + 100;
    }
    QCOMPARE(m.used(), std::uint64_t(600));
}

void TestDeviceMemory::boundsAreKept() {
    DeviceMemory m(1 << 20);
    const std::uint64_t at = place(m, 12, "a");
    std::vector<std::byte> out(8);
    QVERIFY(m.write(at + 4, eight).ok());
    QVERIFY(m.read(at + 4, out).ok());
    QVERIFY(out == eight);
    QCOMPARE(m.write(at + 5, eight).error().code, std::string("out_of_bounds"));
    QCOMPARE(m.read(at + 5, out).error().code, std::string("out_of_bounds"));
    QCOMPARE(m.read(0, out).error().code, std::string("out_of_bounds"));
    QVERIFY(!m.fill(at, 13, 0).ok() && m.fill(at, 12, 0).ok());
    QVERIFY(!m.fill(at + 4, ~std::uint64_t(0), 0).ok());
}

void TestDeviceMemory::damagedGuardsAreReported() {
    DeviceMemory m(1 << 20);
    const std::uint64_t a = place(m, 30, "argument A"), b = place(m, 64, "argument B");
    QVERIFY(m.damagedGuards().empty());
    m.data()[a - DeviceMemory::base + 30] ^= std::byte{1};
    m.data()[b - DeviceMemory::base - 64] ^= std::byte{0x80};
    const std::vector<std::string> damaged = m.damagedGuards();
    QCOMPARE(damaged.size(), std::size_t(2));
    QVERIFY(damaged[0].find("after argument A") != std::string::npos);
    QVERIFY(damaged[1].find("before argument B") != std::string::npos);
}

void TestDeviceMemory::releaseKnowsItsAllocations() {
    DeviceMemory m(1 << 20);
    const std::uint64_t at = place(m, 64, "a");
    QVERIFY(m.fill(at, 64, 1).ok());
    QCOMPARE(m.release(at + 4, 0).error().code, std::string("bad_free"));
    QVERIFY(m.release(at, 0xaabbccdd).ok());
    QCOMPARE(m.release(at, 0).error().code, std::string("bad_free"));
    QCOMPARE(m.release(0, 0).error().code, std::string("bad_free"));
    QVERIFY(!m.find(at) && m.nearest(at) && !m.nearest(at)->live);
    std::uint32_t left = 0;
    std::memcpy(&left, m.data() + (at - DeviceMemory::base), 4);
    QCOMPARE(left, 0xaabbccddu);
    QVERIFY(!m.write(at, eight).ok());
    QVERIFY(m.used() == 0 && m.peak() == 64);
}

void TestDeviceMemory::capacityIsKept() {
    DeviceMemory m(1 << 20);
    const std::uint64_t half = place(m, 1 << 19, "half");
    for (const std::uint64_t bytes :
         {std::uint64_t(1 << 19) + 1, std::uint64_t(1) << 40, ~std::uint64_t(0), ~std::uint64_t(0) - 4095}) {
        const Result<std::uint64_t> r = m.allocate(bytes, "too much", {});
        QVERIFY(!r.ok());
        QCOMPARE(r.error().code, std::string("out_of_memory"));
        QVERIFY(r.error().message.find("too much") != std::string::npos);
    }
    QVERIFY(m.release(half, 0).ok());
    place(m, 1 << 20, "all of it", 0);
}

/// Many times the memory there is, with something that stays in between; and it is fresh each time.
void TestDeviceMemory::whatIsFreedComesAgain() {
    DeviceMemory m(16 << 20);
    std::vector<std::uint64_t> kept;
    std::uint64_t last = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t bytes = 100'000 + std::uint64_t(i) % 7 * 50'000;
        const std::uint64_t at = place(m, bytes, "round");
        QVERIFY(at != 0);
        QVERIFY(m.firstUninitialised(at, bytes) == std::optional<std::uint64_t>(0));
        QCOMPARE(int(m.data()[at - DeviceMemory::base + bytes / 2]), int(m.data()[at - DeviceMemory::base]));
        QVERIFY(m.fill(at, bytes, std::uint8_t(i)).ok());
        if (i % 100 == 0) kept.push_back(place(m, 1000, "kept"));
        if (last != 0) QVERIFY(m.release(last, 0).ok());
        last = at;
    }
    for (const std::uint64_t at : kept)
        QVERIFY(m.find(at) && m.find(at)->label == "kept");
    QVERIFY(m.damagedGuards().empty());
    // Memory without states promises zeros.
    DeviceMemory plain(16 << 20, DeviceMemory::Tracking::none);
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t at = place(plain, 3'000'001, "zero");
        QVERIFY(at != 0);
        std::vector<std::byte> all(3'000'001);
        QVERIFY(plain.read(at, all).ok());
        QVERIFY(std::all_of(all.begin(), all.end(), [](std::byte b) { return b == std::byte(0); }));
        QVERIFY(plain.fill(at, 3'000'001, 0xff).ok());
        QVERIFY(plain.release(at, 0).ok());
    }
}

void TestDeviceMemory::freedMemoryGoesBack() {
    DeviceMemory m(std::uint64_t(1) << 30);
    const std::uint64_t first = place(m, 64, "first");
    for (int i = 0; i < 500'000; ++i) {
        const std::uint64_t at = place(m, 64, "round");
        QVERIFY(at != 0 && m.release(at, 0).ok());
    }
    std::vector<unsigned char> resident((m.limit() + 4095) / 4096);
    QCOMPARE(mincore(m.data(), resident.size() * 4096, resident.data()), 0);
    const auto pages = std::count_if(resident.begin(), resident.end(), [](unsigned char c) { return (c & 1) != 0; });
    QVERIFY2(pages * 4096 < 100'000'000, QByteArray::number(qint64(pages)).constData()); // of 350 MB
    QVERIFY(m.find(first));
    QCOMPARE(m.nearest(first + 4096)->label, std::string("first")); // its neighbours are long forgotten
}

void TestDeviceMemory::damageOutlivesItsAllocation() {
    DeviceMemory m(1 << 20);
    const std::uint64_t at = place(m, 64, "overrun");
    m.data()[at - DeviceMemory::base + 64] ^= std::byte{1};
    QVERIFY(m.release(at, 0).ok());
    for (int i = 0; i < 200; ++i)
        QVERIFY(m.release(place(m, 1 << 19, "round"), 0).ok());
    const std::vector<std::string> damaged = m.damagedGuards();
    QCOMPARE(damaged.size(), std::size_t(1));
    QVERIFY(damaged[0].find("after overrun") != std::string::npos);
}

void TestDeviceMemory::copyKeepsInitialisedState() {
    DeviceMemory m(1 << 20);
    const std::uint64_t a = place(m, 64, "a"), b = place(m, 64, "b");
    QCOMPARE(m.firstUninitialised(a, 64), std::optional<std::uint64_t>(0));
    QVERIFY(m.fill(a, 40, 7).ok() && m.fill(b, 64, 9).ok());
    QCOMPARE(m.firstUninitialised(a, 64), std::optional<std::uint64_t>(40));
    QVERIFY(m.copy(b, a, 48).ok());
    QCOMPARE(m.firstUninitialised(b, 64), std::optional<std::uint64_t>(40));
    QCOMPARE(m.firstUninitialised(b + 48, 16), std::optional<std::uint64_t>());
    QVERIFY(!m.copy(b, a, 65).ok() && !m.copy(b + 1, a, 64).ok());
    m.markInitialised(b, 64);
    QCOMPARE(m.firstUninitialised(b, 64), std::optional<std::uint64_t>());
}

void TestDeviceMemory::overlappingCopyKeepsState() {
    for (const bool up : {true, false}) {
        DeviceMemory m(1 << 20);
        const std::uint64_t a = place(m, 64, "a");
        for (std::uint64_t k = 0; k < 64; k += 2)
            QVERIFY(m.fill(a + k, 1, std::uint8_t(k)).ok());
        QVERIFY(up ? m.copy(a + 8, a, 32).ok() : m.copy(a, a + 8, 32).ok());
        for (std::uint64_t k = 0; k < 64; ++k)
            QCOMPARE(m.firstUninitialised(a + k, 1).has_value(), k % 2 == 1);
        QCOMPARE(std::uint8_t(m.data()[a - DeviceMemory::base + 10]), std::uint8_t(up ? 2 : 18));
    }
}

void TestDeviceMemory::nearestNamesTheNeighbour() {
    DeviceMemory m(1 << 20);
    const std::uint64_t a = place(m, 64, "a"), b = place(m, 64, "b");
    QCOMPARE(m.nearest(a + 70)->label, std::string("a"));
    QCOMPARE(m.nearest(b - 8)->label, std::string("b"));
    QCOMPARE(m.nearest(b + (1 << 19))->label, std::string("b"));
    QCOMPARE(m.nearest(0)->label, std::string("a"));
    QVERIFY(!DeviceMemory(4096).nearest(DeviceMemory::base));
}

void TestDeviceMemory::emptyAllocationsHaveAnAddress() {
    DeviceMemory m(1 << 20);
    const std::uint64_t a = place(m, 0, "empty"), b = place(m, 0, "also empty");
    QVERIFY(a != 0 && a != b);
    std::vector<std::byte> one(1);
    QVERIFY(!m.read(a, one).ok());
    QVERIFY(m.release(a, 0).ok() && m.release(b, 0).ok());
    QCOMPARE(m.used(), std::uint64_t(0));
}

void TestDeviceMemory::repeatedPatterns_data() {
    QTest::addColumn<bool>("tracked");
    QTest::addColumn<std::size_t>("pattern");
    QTest::addColumn<std::size_t>("bytes");
    for (const bool tracked : {true, false}) {
        const char* how = tracked ? "tracked" : "untracked";
        QTest::addRow("%s, a few bytes", how) << tracked << std::size_t(12) << std::size_t(1001);
        QTest::addRow("%s, less than one", how) << tracked << std::size_t(4096) << std::size_t(100);
        // Large enough to be mapped, and not a whole number of copies.
        QTest::addRow("%s, mapped", how) << tracked << (std::size_t(1) << 20) << (std::size_t(5) << 20) + 12345;
    }
}

void TestDeviceMemory::repeatedPatterns() {
    QFETCH(bool, tracked);
    QFETCH(std::size_t, pattern);
    QFETCH(std::size_t, bytes);
    DeviceMemory m(16 << 20, tracked ? DeviceMemory::Tracking::states : DeviceMemory::Tracking::none);
    const std::uint64_t before = place(m, 64, "before"), at = place(m, bytes, "repeated"),
                        after = place(m, 64, "after");
    const std::vector<std::byte> ones(64, std::byte{1});
    QVERIFY(m.write(before, ones).ok() && m.write(after, ones).ok());
    std::vector<std::byte> tile(pattern);
    for (std::size_t i = 0; i < pattern; ++i)
        tile[i] = std::byte(i * 31 + i / 251);
    QVERIFY(m.repeat(at, bytes, tile).ok());
    std::vector<std::byte> out(bytes);
    const auto same = [&] {
        for (std::size_t i = 0; i < bytes; ++i)
            if (out[i] != tile[i % pattern]) return false;
        return true;
    };
    QVERIFY(m.read(at, out).ok() && same());
    QVERIFY(!m.firstUninitialised(at, bytes));
    // Neighbours stay, and so do the other copies when one is written.
    std::vector<std::byte> around(64);
    QVERIFY(m.read(before, around).ok() && around == ones);
    QVERIFY(m.read(after, around).ok() && around == ones);
    QVERIFY(m.write(at + bytes / 2, std::vector<std::byte>{std::byte(~unsigned(tile[bytes / 2 % pattern]))}).ok());
    QVERIFY(m.read(at, out).ok() && !same());
    out[bytes / 2] = tile[bytes / 2 % pattern];
    QVERIFY(same());
    QVERIFY(!m.repeat(at, bytes + 1, tile).ok());
}

void TestDeviceMemory::untrackedMemoryStartsAsZero() {
    DeviceMemory m(1ull << 33, DeviceMemory::Tracking::none);
    QVERIFY(!m.isTracked());
    const std::uint64_t bytes = 1ull << 32; // would take 4 GiB, were it touched
    const std::uint64_t at = place(m, bytes, "large");
    std::vector<std::byte> out(10000, std::byte{9});
    const std::vector<std::byte> zeros(out.size());
    QVERIFY(m.read(at + bytes - out.size(), out).ok() && out == zeros);
    QVERIFY(m.write(at + 100, std::vector<std::byte>(out.size(), std::byte{5})).ok());
    QVERIFY(m.fill(at, bytes, 0).ok());
    QVERIFY(m.read(at + 100, out).ok() && out == zeros);
    QVERIFY(!m.firstUninitialised(at, bytes));
    QVERIFY(m.release(at, 0).ok());
}

namespace {

constexpr std::uint64_t largeBytes = 3u << 20;

/// All bytes and states that kernels could reach, between and around allocations included.
std::vector<std::byte> everything(DeviceMemory& m) {
    const auto* states = reinterpret_cast<const std::byte*>(m.states());
    std::vector<std::byte> all(m.data(), m.data() + m.limit());
    all.insert(all.end(), states, states + m.limit());
    return all;
}

/// Of every kind: poisoned, given, zero, released.
std::vector<std::byte> afterSomeUse(DeviceMemory& m) {
    const std::vector<std::byte> contents(largeBytes, std::byte{3});
    DeviceMemory::Options given, plain;
    given.contents = contents;
    given.guard = plain.guard = 256;
    plain.poison = false;
    bool fine = m.allocate(largeBytes, "given", given).ok();
    (void)place(m, largeBytes + 5, "poisoned", 256);
    fine = fine && m.allocate(200'001, "zero", plain).ok();
    fine = fine && m.release(place(m, 70'000, "released"), verify::firstPoison).ok();
    (void)place(m, 0, "empty");
    return fine ? everything(m) : std::vector<std::byte>();
}

} // namespace

void TestDeviceMemory::usedPagesLookFresh() {
    DeviceMemory fresh(32 << 20);
    const std::vector<std::byte> expected = afterSomeUse(fresh);
    QVERIFY(!expected.empty());
    const std::shared_ptr<MemoryPages> pages = DeviceMemory::makePages(32 << 20);
    {
        DeviceMemory first(pages);
        const std::uint64_t at = place(first, 16 << 20, "written");
        QVERIFY(first.write(at, std::vector<std::byte>(16 << 20, std::byte{0xee})).ok());
        std::uint32_t block = 0;
        const race::Marks marks = first.races().begin(first.limit(), 5, block);
        QCOMPARE(block, 1u);
        std::fill_n(marks.writers, 1000, race::Record(3) << race::blockShift);
    }
    QVERIFY(!pages->suit(std::uint64_t(1) << 30));
    for (int time = 0; time < 2; ++time) {
        QVERIFY(pages->suit(std::uint64_t(32 - 16 * time) << 20)); // the same, or less than what was reserved
        DeviceMemory next(pages);
        QCOMPARE(next.capacity(), std::uint64_t(32 - 16 * time) << 20);
        QCOMPARE(afterSomeUse(next), expected);
        std::uint32_t block = 0;
        const race::Marks marks = next.races().begin(next.limit(), 1, block);
        QCOMPARE(block, 6u + unsigned(time));
        QVERIFY(marks.writers[7] < marks.old);
    }
}

void TestDeviceMemory::idlePagesGoBack() {
    constexpr std::uint64_t bytes = 16u << 20;
    const std::shared_ptr<MemoryPages> pages = DeviceMemory::makePages(2 * bytes);
    {
        DeviceMemory m(pages);
        (void)place(m, bytes, "whole");
        QCOMPARE(pages->idle(), std::uint64_t(0));
        QCOMPARE(pages->giveBack(bytes), std::uint64_t(0));
    }
    QVERIFY(pages->idle() >= 2 * bytes); // with states
    DeviceMemory m(pages);
    const std::uint64_t at = place(m, 1000, "in use");
    QVERIFY(m.write(at, std::vector<std::byte>(1000, std::byte{5})).ok());
    const std::uint64_t idle = pages->idle();
    QVERIFY(pages->giveBack(4u << 20) >= 4u << 20);
    QVERIFY(pages->idle() < idle);
    while (pages->giveBack(bytes) > 0) {
    }
    QVERIFY(pages->idle() <= 4u << 20); // the large page that is in use
    unsigned char resident = 1;
    QCOMPARE(::mincore(m.data() + bytes / 2, 4096, &resident), 0);
    QVERIFY(!(resident & 1));
    std::vector<std::byte> out(1000);
    QVERIFY(m.read(at, out).ok() && out == std::vector<std::byte>(1000, std::byte{5}));
}

namespace {
KERNELARIUM_TEST(TestDeviceMemory);
}

#include "TestDeviceMemory.moc"
