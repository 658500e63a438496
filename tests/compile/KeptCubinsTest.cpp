// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/KeptCubins.h"

#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::compile;

namespace {

const std::vector<std::string> plain{"-arch=sm_90", "-O3"};

NvJitLink::Output made(std::size_t bytes, std::string info = "registers") {
    NvJitLink::Output out;
    out.ok = true;
    out.cubin.assign(bytes, std::byte(7));
    out.info = std::move(info);
    return out;
}

} // namespace

/// Texts that were assembled before.
class KeptCubinsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSameTextAndOptionsOnly();
    void theOneUsedLongestAgoGoes();
    void largeOnesTakeTheRoomOfOthers();
};

void KeptCubinsTest::theSameTextAndOptionsOnly() {
    KeptCubins kept;
    kept.keep("a", plain, made(3));
    const auto found = kept.find("a", plain);
    QVERIFY(found && found->ok);
    QCOMPARE(found->cubin.size(), std::size_t(3));
    QCOMPARE(found->info, std::string("registers"));
    QVERIFY(!kept.find("b", plain));
    QVERIFY(!kept.find("a", {"-arch=sm_90", "-O1"}));
    NvJitLink::Output refused = made(3);
    refused.ok = false;
    kept.keep("b", plain, refused);
    QVERIFY(!kept.find("b", plain));
}

void KeptCubinsTest::theOneUsedLongestAgoGoes() {
    KeptCubins kept;
    for (std::size_t i = 0; i < KeptCubins::most; ++i)
        kept.keep(std::to_string(i), plain, made(1));
    QVERIFY(kept.find("0", plain));
    kept.keep("new", plain, made(1));
    QVERIFY(kept.find("0", plain) && kept.find("new", plain));
    QVERIFY(!kept.find("1", plain));
}

void KeptCubinsTest::largeOnesTakeTheRoomOfOthers() {
    KeptCubins kept;
    kept.keep("small", plain, made(1));
    kept.keep("too large", plain, made(KeptCubins::mostBytes));
    QVERIFY(kept.find("small", plain) && !kept.find("too large", plain));
    kept.keep("large", plain, made(KeptCubins::mostBytes - 100));
    QVERIFY(kept.find("small", plain) && kept.find("large", plain));
    kept.keep("half", plain, made(KeptCubins::mostBytes / 2));
    QVERIFY(kept.find("half", plain) && !kept.find("small", plain));
}

KERNELARIUM_TEST(KeptCubinsTest);
#include "KeptCubinsTest.moc"
