// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/MemoryReuse.h"
#include "core/tensor/Tensor.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

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
