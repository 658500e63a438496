// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bounds/TestMemoryWatch.h"

#include "gpu/process/Child.h"
#include "gpu/process/MemoryWatch.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QtTest>
#include <atomic>
#include <cstring>
#include <sys/mman.h>

using namespace kernelarium;
using namespace kernelarium::process;

namespace {

constexpr std::size_t some = 64 << 20;

/// Addresses, filled or not.
class Mapped {
public:
    explicit Mapped(std::size_t bytes)
        : m_bytes(bytes)
        , m_start(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    ~Mapped() { munmap(m_start, m_bytes); }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    void fill(std::size_t bytes) { std::memset(m_start, 1, bytes); }

private:
    std::size_t m_bytes;
    void* m_start;
};

} // namespace

void TestMemoryWatch::whatIsReservedIsNotHeld() {
    const std::uint64_t before = heldMemory();
    QVERIFY(before > 0);
    Mapped memory(std::size_t(16) << 30);
    QVERIFY(heldMemory() < before + some / 4);
    memory.fill(some);
    QVERIFY(heldMemory() > before + some / 2);
}

void TestMemoryWatch::whatIsHeldIsSeen() {
    std::atomic<int> seen = 0;
    const MemoryWatch watch(heldMemory() + some / 2, [&] { ++seen; });
    Mapped memory(std::size_t(16) << 30);
    QTest::qWait(100);
    QCOMPARE(seen.load(), 0);
    memory.fill(some);
    QTRY_COMPARE_WITH_TIMEOUT(seen.load(), 1, longWait);
}

void TestMemoryWatch::aRaisedLimitIsKept() {
    std::atomic<int> seen = 0;
    MemoryWatch watch(heldMemory() + some / 2, [&] { ++seen; });
    watch.setLimit(heldMemory() + 2 * some);
    Mapped memory(4 * some);
    memory.fill(some);
    QTest::qWait(100);
    QCOMPARE(seen.load(), 0);
    memory.fill(4 * some);
    QTRY_COMPARE_WITH_TIMEOUT(seen.load(), 1, longWait);
}

namespace {
/// A shell variable of 128 MB, in the program or in one that it starts.
Result<Child> holdingMuch(bool itself) {
    const std::string much = "x=$(head -c 134217728 /dev/zero | tr '\\0' x); sleep 600";
    Start start;
    start.words = {"/bin/sh", "-c", itself ? much : "/bin/sh -c \"$MUCH\"; true"};
    start.environment = ownEnvironment();
    start.environment->push_back("MUCH=" + much);
    start.apart = true;
    return Child::start(start);
}
} // namespace

void TestMemoryWatch::childrenCount() {
    for (const bool itself : {true, false}) {
        std::atomic<int> seen = 0;
        const MemoryWatch watch(heldMemory() + some, [&] { ++seen; });
        auto child = holdingMuch(itself);
        QVERIFY(child.ok());
        QTRY_COMPARE_WITH_TIMEOUT(seen.load(), 1, longWait);
        // What they hold already is not held against the next.
        std::atomic<int> seenLater = 0;
        const MemoryWatch later(heldMemory() + some, [&] { ++seenLater; });
        QTest::qWait(200);
        QCOMPARE(seenLater.load(), 0);
        child->kill();
    }
}

void TestMemoryWatch::theMachineHasMemory() {
    QVERIFY(machineMemory() > std::uint64_t(64) << 20);
    QVERIFY(machineMemory() <= std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE)));
}

KERNELARIUM_TEST(TestMemoryWatch);
