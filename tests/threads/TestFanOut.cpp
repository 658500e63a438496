// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/FanOut.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelarium::threads;

namespace {

/// In a process that has no address space left for another stack: whether everything was done all the same.
[[noreturn]] void workWithoutThreads() {
    const rlimit limit{std::size_t(1) << 30, std::size_t(1) << 30};
    ::setrlimit(RLIMIT_AS, &limit);
    std::vector<int> done(1000, 0);
    while (::mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
    }
    forEach(done.size(), 64, [&](std::size_t i, std::size_t) { done[i] = 1; });
    ::_exit(std::accumulate(done.begin(), done.end(), 0) == 1000 ? 0 : 1);
}

} // namespace

class TestFanOut : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asManyAsAskedRunAtOnce() {
        // More than there are processors: none goes on before all have begun.
        constexpr std::size_t count = 12;
        std::atomic<std::size_t> begun{0};
        std::array<std::thread::id, count> ids;
        together(count, [&](std::size_t thread) {
            ids[thread] = std::this_thread::get_id();
            for (++begun; begun < count;)
                std::this_thread::yield();
        });
        QCOMPARE(std::set<std::thread::id>(ids.begin(), ids.end()).size(), count);
        QVERIFY(ids[0] == std::this_thread::get_id());
        together(0, [](std::size_t) { QFAIL("nothing was asked for"); });
    }

    void everyItemIsTakenOnce() {
        for (const std::size_t most : {0, 1, 3, 100}) {
            std::vector<std::atomic<int>> taken(57);
            std::atomic<bool> inRange{true};
            forEach(taken.size(), most, [&](std::size_t item, std::size_t thread) {
                ++taken[item];
                if (thread >= std::max<std::size_t>(most, 1)) inRange = false;
            });
            for (const auto& times : taken)
                QCOMPARE(times.load(), 1);
            QVERIFY(inRange);
        }
        forEach(0, 8, [](std::size_t, std::size_t) { QFAIL("there is no item"); });
    }

    void anExceptionComesThroughAndEndsTheRest() {
        for (const std::size_t most : {1, 4}) {
            std::atomic<int> begun{0};
            QVERIFY_EXCEPTION_THROWN(forEach(1'000'000'000, most,
                                             [&](std::size_t item, std::size_t) {
                                                 ++begun;
                                                 if (item == 10) throw std::bad_alloc();
                                             }),
                                     std::bad_alloc);
            QVERIFY(begun < 1'000'000'000);
        }
        std::atomic<int> ended{0};
        QVERIFY_EXCEPTION_THROWN(together(4,
                                          [&](std::size_t thread) {
                                              ++ended;
                                              if (thread == 3) throw std::runtime_error("third");
                                          }),
                                 std::runtime_error);
        QCOMPARE(ended.load(), 4);
    }

    void fewerThreadsDoEverything() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("its shadow is address space, too");
#endif
        const pid_t child = ::fork();
        if (child == 0) workWithoutThreads();
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
};

KERNELARIUM_TEST(TestFanOut);
#include "TestFanOut.moc"
