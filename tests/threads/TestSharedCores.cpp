// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/FanOut.h"
#include "core/threads/SharedCores.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelarium::threads;

namespace {

/// What `work` gives in a process of its own, which has no other threads; what it shares is shared there alone.
template <class F> int inAnotherProcess(F work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestSharedCores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whoSharesNothingGetsAll() {
        const Helpers helpers(7);
        QCOMPARE(helpers.count(), std::size_t(7));
    }

    void anotherProcessTakesWhatIsIdle() {
        const std::shared_ptr<SharedCores> cores = SharedCores::make(5);
        QVERIFY(cores);
        const int taken = inAnotherProcess([path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            const Helpers some(3), rest(7), none(1), nothingWanted(0);
            return int(10 * some.count() + rest.count() + none.count() + nothingWanted.count());
        });
        QCOMPARE(taken, 32);
        QCOMPARE(cores->idle(), 5);
        cores->add(-6);
        const int inDebt = inAnotherProcess([path = cores->path()] {
            useSharedCores(path);
            return int(Helpers(2).count());
        });
        QCOMPARE(inDebt, 0);
        QCOMPARE(cores->idle(), -1);
    }

    /// Each process has its share, whatever the others took; the debt is paid when it is done.
    void aShareIsThereInAnyCase() {
        const std::shared_ptr<SharedCores> cores = SharedCores::make(1, 3);
        QVERIFY(cores);
        const int taken = inAnotherProcess([path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            const Helpers first(7), second(7), third(1);
            return int(100 * first.count() + 10 * second.count() + third.count());
        });
        QCOMPARE(taken, 221 & 0xff);
        QCOMPARE(cores->idle(), 1);
    }

    void whatADeadProcessHeldComesBack() {
        const std::shared_ptr<SharedCores> cores = SharedCores::make(5);
        QVERIFY(cores);
        const auto dies = [path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            const Helpers returned(1);
            new Helpers(3); // it dies with these
            return 0;
        };
        for (int death = 1; death <= 2; ++death) {
            QCOMPARE(inAnotherProcess(dies), 0);
            QCOMPARE(cores->idle(), 2);
            cores->takeBack();
            QCOMPARE(cores->idle(), 5);
            cores->takeBack(); // once
            QCOMPARE(cores->idle(), 5);
        }
        // Those of one that lives stay with it.
        const int lives = inAnotherProcess([&, path = cores->path()] {
            useSharedCores(path);
            const Helpers two(2);
            cores->takeBack();
            return cores->idle();
        });
        QCOMPARE(lives, 3);
    }

    /// The longer work lasts, the more it gets where none is idle; all together no more than may go over.
    void longWorkGoesOver() {
        const auto lasts = [](int pieces) {
            return LongWork(std::chrono::steady_clock::now() - pieces * LongWork::untilOneMore);
        };
        const std::shared_ptr<SharedCores> cores = SharedCores::make(0, 1, 3);
        QVERIFY(cores);
        const int taken = inAnotherProcess([&, path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            if (Helpers(7).count() != 0) return 101; // no such work
            {
                const LongWork now = lasts(0);
                if (Helpers(7).count() != 0) return 102;
            }
            const LongWork longer = lasts(2);
            const Helpers two(7), one(7), none(7);
            return int(100 * two.count() + 10 * one.count() + none.count());
        });
        QCOMPARE(taken, 210);
        QCOMPARE(cores->idle(), 0);
        const int afterwards = inAnotherProcess([&, path = cores->path()] {
            useSharedCores(path);
            { const LongWork longest = lasts(50); }
            return int(Helpers(7).count());
        });
        QCOMPARE(afterwards, 0);
    }

    void whatIsDoneGivesBack() {
        const std::shared_ptr<SharedCores> cores = SharedCores::make(2);
        const int atOnce = inAnotherProcess([path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            // Nobody goes on before three threads are there; a fourth would be counted.
            std::atomic<std::size_t> begun = 0;
            std::mutex mutex;
            std::condition_variable changed;
            std::set<std::size_t> seen;
            forEach(64, 8, [&](std::size_t, std::size_t thread) {
                std::unique_lock lock(mutex);
                seen.insert(thread);
                changed.notify_all();
                changed.wait(lock, [&] { return seen.size() >= 3; });
                ++begun;
            });
            return begun == 64 && seen.size() == 3 ? 0 : 1;
        });
        QCOMPARE(atOnce, 0);
        QCOMPARE(cores->idle(), 2);
    }

    void whatIsNoCountIsRefused() {
        for (const char* path : {"/proc/self/exe", "/nowhere", "/dev/null"}) {
            const int alone = inAnotherProcess(
                [path] { return useSharedCores(path) ? 100 : int(Helpers(3).count()); }); // its own processor it has
            QCOMPARE(alone, 0);
        }
    }
};

namespace {
KERNELARIUM_TEST(TestSharedCores);
}

#include "TestSharedCores.moc"
