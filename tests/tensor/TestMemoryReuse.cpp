// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/MemoryReuse.h"
#include "core/tensor/Tensor.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace kernelarium::tensor;

namespace {

constexpr std::int64_t megabyte = 1 << 20;

/// Says what it has, and what it was asked to give.
class Idle : public IdleMemory {
public:
    ~Idle() override { leave(); }
    std::uint64_t idle() const override { return bytes; }
    std::uint64_t giveBack(std::uint64_t wanted) override {
        ++asked;
        const std::uint64_t given = std::min(wanted, bytes);
        bytes -= given;
        return given;
    }
    std::uint64_t bytes = 0;
    int asked = 0;
};

Tensor written(std::int64_t megabytes) {
    Tensor t = Tensor::uninitialised(DType::UInt8, {megabytes * megabyte});
    std::memset(t.bytes().data(), 7, t.byteCount());
    return t;
}

} // namespace

class TestMemoryReuse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aBlockComesAgain() {
        constexpr std::int64_t megabytes = 48;
        QVERIFY(!MemoryReuse::isOn());
        const MemoryReuse reuse;
        QVERIFY(MemoryReuse::isOn());
        Tensor first = written(megabytes);
        const std::byte* place = first.bytes().data();
        QVERIFY(Tensor::isAligned(place));
        first = {};
        const Tensor again = Tensor::uninitialised(DType::UInt8, {megabytes * megabyte});
        QCOMPARE(again.bytes().data(), place);
        const Tensor other = Tensor::uninitialised(DType::UInt8, {megabytes * megabyte});
        QVERIFY(other.bytes().data() != place);
    }
    void aLongerBlockServes() {
        const MemoryReuse reuse;
        const std::byte* place = written(44).bytes().data();
        Tensor shorter = Tensor::uninitialised(DType::UInt8, {40 * megabyte});
        QCOMPARE(shorter.bytes().data(), place);
        QCOMPARE(shorter.byteCount(), std::size_t(40 * megabyte));
        shorter = {};
        const Tensor whole = Tensor::uninitialised(DType::UInt8, {44 * megabyte});
        QCOMPARE(whole.bytes().data(), place);
        QVERIFY(written(33).bytes().data() != place);
    }
    void someOfItIsKept() {
        const MemoryReuse reuse;
        const std::byte* place = nullptr;
        {
            const Tensor one = written(48), other = written(64);
            place = one.bytes().data();
        }
        MemoryReuse::keepOnly(60 * megabyte);
        unsigned char resident = 0;
        QCOMPARE(::mincore(const_cast<std::byte*>(place), 4096, &resident), 0);
        QVERIFY(resident & 1);
        QCOMPARE(Tensor::uninitialised(DType::UInt8, {48 * megabyte}).bytes().data(), place);
        MemoryReuse::keepOnly(0);
        QVERIFY(::mincore(const_cast<std::byte*>(place), 4096, &resident) != 0 || (resident & 1) == 0);
    }
    void whatIsToBeZeroIs() {
        const MemoryReuse reuse;
        (void)written(40);
        const Tensor t(DType::UInt8, {40 * megabyte});
        QVERIFY(std::all_of(t.bytes().begin(), t.bytes().end(), [](std::byte b) { return b == std::byte{}; }));
    }
    void idleMemoryGoesBeforeMoreIsHeld() {
        const MemoryReuse reuse;
        Idle idle;
        MemoryReuse::makeRoom(1 << 30);
        QCOMPARE(idle.asked, 0); // it has nothing
        {                        // in use at a time: 64 MB
            const Tensor a = written(64);
            MemoryReuse::noteUse();
        }
        // These 64 MB are idle, and what others have comes on top of them.
        idle.bytes = 16 * megabyte;
        const Tensor same = written(64);
        QCOMPARE(idle.asked, 0);
        QCOMPARE(idle.bytes, std::uint64_t(16 * megabyte));
        const Tensor more = written(65);
        QVERIFY(idle.asked > 0);
        QCOMPARE(idle.bytes, std::uint64_t(0));
    }
    void whatAFileStandsForIsNotHeld() {
        const MemoryReuse reuse;
        Idle idle;
        constexpr std::size_t mapped = 256 << 20;
        const int file = ::memfd_create("shared", MFD_CLOEXEC);
        QVERIFY(file >= 0 && ::ftruncate(file, mapped) == 0);
        void* shared = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        QVERIFY(shared != MAP_FAILED);
        std::memset(shared, 7, mapped);
        {
            const Tensor a = written(64);
            MemoryReuse::noteUse();
        }
        QCOMPARE(::munmap(shared, mapped), 0);
        idle.bytes = 16 * megabyte;
        const Tensor more = written(96); // over the 64 MB that were in use at a time
        QCOMPARE(idle.bytes, std::uint64_t(0));
    }
    void nothingIsKeptBehindIt() {
        unsigned char resident = 1;
        std::byte* place = nullptr;
        {
            const MemoryReuse reuse;
            place = written(48).bytes().data();
            QCOMPARE(::mincore(place, 4096, &resident), 0);
            QVERIFY(resident & 1);
        }
        QVERIFY(::mincore(place, 4096, &resident) != 0 || (resident & 1) == 0);
    }
};

namespace {
KERNELARIUM_TEST(TestMemoryReuse);
}

#include "TestMemoryReuse.moc"
