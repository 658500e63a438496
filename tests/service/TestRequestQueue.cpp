// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/RequestQueue.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <thread>

using namespace kernelarium;
using service::RequestQueue;
using namespace std::chrono_literals;

namespace {

protocol::Request request(std::int64_t id, const char* tag = "") {
    protocol::Request r;
    r.id = id;
    r.tag = tag;
    return r;
}

} // namespace

class TestRequestQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theyAreTakenInTheirOrder() {
        RequestQueue queue;
        QVERIFY(queue.push(request(1)).empty());
        QVERIFY(queue.push(request(2)).empty());
        QCOMPARE(queue.take()->request.id, 1);
        queue.done();
        QCOMPARE(queue.take()->request.id, 2);
        queue.done();
        queue.close();
        QVERIFY(!queue.take());
    }
    void aNewerOneReplacesThoseOfItsTag() {
        RequestQueue queue;
        (void)queue.push(request(1, "editor"));
        const auto first = queue.take();
        (void)queue.push(request(2, "editor"));
        QVERIFY(first->stop.stop_requested());
        const std::vector<protocol::Request> replaced = queue.push(request(3, "editor"));
        QCOMPARE(replaced.size(), std::size_t(1));
        QCOMPARE(replaced[0].id, 2);
        queue.done();
        QCOMPARE(queue.cancel(3)->id, 3);
        QVERIFY(!queue.cancel(3));
    }
    /// Each of these would take an hour where it waited for nothing.
    void aWaitEndsWithTheNextRequestOrTheLast() {
        RequestQueue queue;
        (void)queue.push(request(1));
        queue.awaitNext(1h);
        QCOMPARE(queue.take()->request.id, 1);
        queue.done();
        std::thread other([&] { (void)queue.push(request(2)); });
        queue.awaitNext(1h);
        other.join();
        QCOMPARE(queue.take()->request.id, 2);
        queue.done();
        std::thread end([&] { queue.close(); });
        queue.awaitNext(1h);
        end.join();
        QVERIFY(!queue.take());
    }
    void aWaitForNothingEnds() {
        RequestQueue queue;
        queue.awaitNext(1ms);
        QVERIFY(queue.push(request(1)).empty());
    }
};

namespace {
KERNELARIUM_TEST(TestRequestQueue);
}

#include "TestRequestQueue.moc"
