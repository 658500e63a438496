// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/Tensor.h"
#include "gpu/service/KeptMemory.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cstring>
#include <sys/mman.h>

using namespace kernelarium;
using service::KeptMemory;
using tensor::MemoryReuse;

namespace {

constexpr std::int64_t megabyte = 1 << 20;

/// Where a written tensor of the size lay.
const std::byte* placeOf(std::int64_t megabytes) {
    tensor::Tensor t = tensor::Tensor::uninitialised(tensor::DType::UInt8, {megabytes * megabyte});
    std::memset(t.bytes().data(), 7, t.byteCount());
    return t.bytes().data();
}

bool isResident(const std::byte* place) {
    unsigned char resident = 0;
    return ::mincore(const_cast<std::byte*>(place), 4096, &resident) == 0 && (resident & 1);
}

} // namespace

class TestKeptMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNextOneFindsIt() {
        KeptMemory kept(100 * megabyte);
        const std::byte* place = nullptr;
        const emulator::MemoryPages* pages = nullptr;
        {
            const KeptMemory::Use use = kept.begin(0);
            place = placeOf(48);
            pages = use.pages(32 * megabyte).get();
        }
        QVERIFY(MemoryReuse::isOn() && isResident(place));
        const KeptMemory::Use use = kept.begin(80 * megabyte);
        QCOMPARE(placeOf(48), place);
        QCOMPARE(use.pages(16 * megabyte).get(), pages);
        QCOMPARE(use.pages(16 * megabyte)->capacity(), std::uint64_t(16 * megabyte));
        const auto inUse = use.pages(16 * megabyte);
        QVERIFY(use.pages(16 * megabyte).get() != inUse.get()); // a second runner's are others
        QCOMPARE(use.pages(std::uint64_t(1) << 30)->capacity(), std::uint64_t(1) << 30);
    }
    void noMoreThanItMayOrTheNextOneNeeds() {
        KeptMemory kept(50 * megabyte);
        {
            const KeptMemory::Use use = kept.begin(0);
            QVERIFY(isResident(placeOf(64)));
        }
        const std::byte* place = nullptr;
        {
            const KeptMemory::Use use = kept.begin(1000 * megabyte);
            place = placeOf(40);
        }
        QVERIFY(isResident(place));
        const KeptMemory::Use use = kept.begin(3 * megabyte);
        QVERIFY(!isResident(place));
    }
    void otherWorkFindsNothingKept() {
        KeptMemory kept(100 * megabyte);
        const std::byte* place = nullptr;
        {
            const KeptMemory::Use use = kept.begin(0);
            place = placeOf(48);
        }
        kept.release();
        QVERIFY(!MemoryReuse::isOn() && !isResident(place));
    }
};

namespace {
KERNELARIUM_TEST(TestKeptMemory);
}

#include "TestKeptMemory.moc"
