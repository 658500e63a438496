// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expected values are worked out by hand from the limits in the CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability", and the allocation rules of NVIDIA's occupancy calculator.
#include "core/perf/Occupancy.h"
#include "tests/TestRegistry.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::perf;

class TestOccupancy : public QObject {
    Q_OBJECT
private slots:
    void blocks_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<unsigned>("registers");
        QTest::addColumn<unsigned>("shared");
        QTest::addColumn<unsigned>("blocks");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("oneMore"); // a part of the sentence; empty: none
        // 32 registers * 32 lanes = 1024 a warp: 64 warps fit, the most there are.
        QTest::newRow("full") << "h100-sxm" << 256u << 32u << 0u << 8u << "warps"
                              << "";
        // 48 * 32 = 1536 a warp: 42, in fours 40 warps, 5 blocks of 8. Six need 48 warps: 1280 registers, 40 a thread.
        QTest::newRow("registers") << "h100-sxm" << 256u << 48u << 0u << 5u << "registers"
                                   << "at most 40 registers";
        // 48 KiB + 1 KiB = 50176: four in 228 KiB. Five get 46592 each, 1024 of them the system's.
        QTest::newRow("shared") << "h100-sxm" << 128u << 32u << 49152u << 4u << "shared_memory"
                                << "at most 45568 bytes";
        // 65 * 32 = 2080, in units of 256 2304 a warp; 32 warps would take 73728 registers.
        QTest::newRow("does not fit") << "h100-sxm" << 1024u << 65u << 0u << 0u << "does_not_fit"
                                      << "at most 64 registers";
        // Blocks of one warp: 16 of them, though 32 warps would fit.
        QTest::newRow("blocks on a T4") << "t4" << 32u << 32u << 0u << 16u << "blocks"
                                        << "";
        // 1536 threads hold one block of 1024, or two of 768.
        QTest::newRow("two thirds") << "rtx-4090" << 1024u << 32u << 0u << 1u << "warps"
                                    << "at most 768 threads";
        // 100 threads are 4 warps.
        QTest::newRow("whole warps") << "a100-40gb" << 100u << 32u << 0u << 16u << "warps"
                                     << "";
        // 164 KiB with 163 KiB for one block, and 1 KiB of the system's.
        QTest::newRow("all shared") << "a100-40gb" << 128u << 32u << 163u * 1024 << 1u << "shared_memory"
                                    << "at most 82944 bytes";
        QTest::newRow("too much shared") << "a100-40gb" << 128u << 32u << 163u * 1024 + 1 << 0u << "does_not_fit"
                                         << "";
        QTest::newRow("unknown registers") << "h200" << 512u << 0u << 0u << 4u << "warps"
                                           << "";
    }
    void blocks() {
        QFETCH(QString, device);
        QFETCH(unsigned, threads);
        QFETCH(unsigned, registers);
        QFETCH(unsigned, shared);
        QFETCH(unsigned, blocks);
        QFETCH(QString, limit);
        QFETCH(QString, oneMore);
        const DeviceSpec* spec = findDeviceSpec(device.toStdString());
        QVERIFY(spec);
        const Occupancy o = occupancyOf({threads, registers, shared}, *spec);
        QCOMPARE(o.blocks, blocks);
        QCOMPARE(QString::fromUtf8(name(o.limit).data()), limit);
        QCOMPARE(o.warps, blocks * ((threads + 31) / 32));
        QCOMPARE(o.share, double(o.warps) / spec->limits.warps);
        if (oneMore.isEmpty())
            QVERIFY2(o.oneMore.empty() || blocks == 0, o.oneMore.c_str());
        else
            QVERIFY2(o.oneMore.find(oneMore.toStdString()) != std::string::npos, o.oneMore.c_str());
    }

    /// What the sentence asks for is enough.
    void oneMoreIsOneMore() {
        const DeviceSpec& h100 = *findDeviceSpec("h100-sxm");
        QCOMPARE(occupancyOf({256, 40, 0}, h100).blocks, 6u);
        QCOMPARE(occupancyOf({256, 41, 0}, h100).blocks, 5u);
        QCOMPARE(occupancyOf({128, 32, 45568}, h100).blocks, 5u);
        QCOMPARE(occupancyOf({128, 32, 45569}, h100).blocks, 4u);
    }
};

namespace {
KERNELARIUM_TEST(TestOccupancy);
}

#include "TestOccupancy.moc"
