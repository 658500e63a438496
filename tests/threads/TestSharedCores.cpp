// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/FanOut.h"
#include "core/threads/SharedCores.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <atomic>
#include <fcntl.h>
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

    void whatIsDoneGivesBack() {
        const std::shared_ptr<SharedCores> cores = SharedCores::make(2);
        const int atOnce = inAnotherProcess([path = cores->path()] {
            if (!useSharedCores(path)) return 100;
            std::atomic<std::size_t> begun = 0;
            std::atomic<std::size_t> highest = 0;
            forEach(64, 8, [&](std::size_t, std::size_t thread) {
                for (std::size_t most = highest; most < thread && !highest.compare_exchange_weak(most, thread);)
                    ;
                ++begun;
            });
            return begun == 64 && highest <= 2 ? 0 : 1;
        });
        QCOMPARE(atOnce, 0);
        QCOMPARE(cores->idle(), 2);
    }

    void whatIsNoCountIsRefused() {
        QVERIFY(!useSharedCores("/proc/self/exe"));
        QVERIFY(!useSharedCores("/nowhere"));
        const Helpers helpers(3);
        QCOMPARE(helpers.count(), std::size_t(3));
    }
};

namespace {
KERNELARIUM_TEST(TestSharedCores);
}

#include "TestSharedCores.moc"
