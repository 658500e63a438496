// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/HostCopies.h"
#include "tests/TestRegistry.h"
#include "tests/host/MemoryBackend.h"

#include <QtTest>

namespace kernelarium::test {

/// When the bytes of a copy to page-locked memory are there for host code.
class TestHostCopies : public QObject {
    Q_OBJECT

private:
    /// Host memory with a number in it, and a copy of another number to it on a stream.
    struct Place {
        HostHeap memory{0x1000};
        host::StreamOrder order;
        host::HostCopies copies{memory, order};
        std::uint64_t address = *memory.allocate(8, "here");

        void put(int value) { (void)memory.write(address, std::as_bytes(std::span(&value, 1))); }
        [[nodiscard]] int value() const {
            int found = 0;
            (void)memory.read(address, std::as_writable_bytes(std::span(&found, 1)));
            return found;
        }
        void copyOn(std::uint64_t stream) {
            put(1);
            copies.pinned.add(address, 4);
            std::vector<std::byte> before = copies.contents(address, 4);
            put(2);
            order.work(stream, "copy");
            copies.arrived(stream, address, 4, std::move(before));
        }
    };

private slots:
    void pinnedRangesAreKnown() {
        Place place;
        place.copies.pinned.add(0x4000, 16);
        QVERIFY(place.copies.pinned.holds(0x4000) && place.copies.pinned.holds(0x400f));
        QVERIFY(!place.copies.pinned.holds(0x4010) && !place.copies.pinned.holds(0x3fff));
        QVERIFY(place.copies.pinned.remove(0x4000));
        QVERIFY(!place.copies.pinned.holds(0x4000));
    }

    void copiesAreThereAtOnceUnlessKeptBack() {
        Place place;
        place.copyOn(0);
        QCOMPARE(place.value(), 2);
        QCOMPARE(place.copies.asynchronous(), std::size_t(1));
    }

    void hostCodeHasToWait() {
        Place place;
        place.copies.keepBack(0);
        place.copyOn(0);
        place.copies.settle();
        QCOMPARE(place.value(), 1);
        place.order.hostWaitsFor(0);
        place.copies.settle();
        QCOMPARE(place.value(), 2);
    }

    void anotherStreamIsNoWait() {
        Place place;
        place.copies.keepBack(0);
        place.order.create(7, false);
        place.copyOn(7);
        place.order.hostWaitsFor(0); // does not wait for streams that are non-blocking
        place.copies.settle();
        QCOMPARE(place.value(), 1);
        place.order.record(5, 7);
        place.order.hostWaitsForEvent(5);
        place.copies.settle();
        QCOMPARE(place.value(), 2);
    }

    void laterWorkOfTheStreamFindsIt() {
        Place place;
        place.copies.keepBack(0);
        place.order.create(7, false);
        place.order.create(8, false);
        place.copyOn(7);
        place.copies.settleAhead(8);
        QCOMPARE(place.value(), 1);
        place.copies.settleAhead(7);
        QCOMPARE(place.value(), 2);
    }

    void everythingIsThereInTheEnd() {
        Place place;
        place.copies.keepBack(0);
        place.copyOn(0);
        place.copies.settleAll();
        QCOMPARE(place.value(), 2);
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestHostCopies);
#include "TestHostCopies.moc"
