// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expected values follow from the CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and
// are those that NVIDIA's occupancy calculator gives.
#include "core/perf/OccupancyCurves.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <nlohmann/json.hpp>

#ifdef KERNELARIUM_OCCUPANCY_HEADER
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include KERNELARIUM_OCCUPANCY_HEADER
#pragma GCC diagnostic pop
#endif

using namespace kernelarium;
using namespace kernelarium::perf;

namespace {

const MultiprocessorLimits& of(const char* arch) {
    return *limitsOf(arch);
}

bool says(const std::vector<OccupancyStep>& steps, const char* text) {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const OccupancyStep& s) { return inWords(s).find(text) != std::string::npos; });
}

} // namespace

class TestOccupancyCurves : public QObject {
    Q_OBJECT
private slots:
    void publishedTables_data() {
        QTest::addColumn<QString>("arch");
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<unsigned>("registers");
        QTest::addColumn<unsigned>("shared");
        QTest::addColumn<unsigned>("blocks");
        QTest::addColumn<unsigned>("warps");
        QTest::addColumn<QStringList>("limits");
        const auto row = [](const char* arch, unsigned threads, unsigned registers, unsigned shared, unsigned blocks,
                            const QStringList& limits) {
            QTest::addRow("%s %u/%u/%u", arch, threads, registers, shared)
                << QString::fromUtf8(arch) << threads << registers << shared << blocks << blocks * ((threads + 31) / 32)
                << limits;
        };
        // 2048 threads, 32 blocks, 96 KiB in steps of 256 bytes with nothing for the system.
        row("sm_70", 256, 32, 0, 8, {"warps", "registers"});
        row("sm_70", 256, 24, 0, 8, {"warps"});
        row("sm_70", 32, 32, 0, 32, {"blocks"});
        row("sm_70", 64, 32, 0, 32, {"warps", "blocks"});
        row("sm_70", 128, 64, 0, 8, {"registers"});
        row("sm_70", 128, 32, 32 * 1024, 3, {"shared_memory"});
        row("sm_70", 1024, 64, 96 * 1024, 1, {"registers", "shared_memory"});
        row("sm_75", 256, 64, 16 * 1024, 4, {"warps", "registers", "shared_memory"});
        // 164 KiB, of which each block gives 1 KiB away.
        row("sm_80", 256, 33, 0, 6, {"registers"}); // 40 registers are given: 51 warps, 48 in fours
        row("sm_80", 128, 32, 40 * 1024, 4, {"shared_memory"});
        row("sm_80", 128, 32, 163 * 1024, 1, {"shared_memory"});
        // 1536 threads, 16 blocks, 100 KiB.
        row("sm_86", 256, 40, 0, 6, {"warps", "registers"});
        row("sm_86", 64, 32, 0, 16, {"blocks"});
        row("sm_86", 1024, 32, 0, 1, {"warps"});
        row("sm_86", 128, 32, 48 * 1024, 2, {"shared_memory"});
        row("sm_87", 128, 32, 48 * 1024, 3, {"shared_memory"});
        // As sm_86, with 24 blocks.
        row("sm_89", 64, 32, 0, 24, {"warps", "blocks"});
        row("sm_89", 32, 32, 0, 24, {"blocks"});
        row("sm_89", 256, 255, 0, 1, {"registers"});
        // 2048 threads, 32 blocks, 228 KiB.
        row("sm_90", 256, 168, 0, 1, {"registers"});
        row("sm_90", 384, 168, 0, 1, {"registers"});
        row("sm_90", 128, 32, 48 * 1024, 4, {"shared_memory"});
        row("sm_90a", 128, 32, 227 * 1024, 1, {"shared_memory"});
        row("sm_120", 256, 32, 0, 6, {"warps"});
    }
    void publishedTables() {
        QFETCH(QString, arch);
        QFETCH(unsigned, threads);
        QFETCH(unsigned, registers);
        QFETCH(unsigned, shared);
        const MultiprocessorLimits* limits = limitsOf(arch.toStdString());
        QVERIFY(limits);
        const Occupancy o = occupancyOf({threads, registers, shared}, *limits);
        QTEST(o.blocks, "blocks");
        QTEST(o.warps, "warps");
        QStringList names;
        for (const OccupancyLimit limit : o.limits())
            names << QString::fromUtf8(name(limit).data());
        QTEST(names, "limits");
        QCOMPARE(o.blocks, residentBlocks({threads, registers, shared}, *limits));
    }

    void architecturesAreFound() {
        QVERIFY(limitsOf("sm_90a") == limitsOf("sm_90") && limitsOf("compute_86") == limitsOf("sm_86"));
        QCOMPARE(of("sm_100").sharedBytes, 228u * 1024);
        for (const char* none : {"", "90", "sm_", "sm_35", "sm_900", "sm_90x", "gfx90", "sm_9 0"})
            QVERIFY2(!limitsOf(none), none);
        QVERIFY(architectureWords().starts_with("sm_70, sm_75"));
    }

    void stepsAreTheNearest() {
        // 40 registers a thread are what six blocks of eight warps leave, and 48 what five leave.
        const MultiprocessorLimits& h100 = of("sm_90");
        auto gains = gainsOf({256, 42, 0}, h100);
        QVERIFY2(says(gains, "40 instead of 42 registers a thread: 6 blocks instead of 5 (48 warps instead of 40)"),
                 gains.empty() ? "none" : inWords(gains.front()).c_str());
        QVERIFY(says(lossesOf({256, 42, 0}, h100), "49 instead of 42 registers a thread: 4 blocks instead of 5"));
        // 1536 threads hold one block of 1024, or two of 768.
        QVERIFY(
            says(gainsOf({1024, 32, 0}, of("sm_86")), "768 instead of 1024 threads a block: 2 blocks instead of 1"));
        // Sixteen blocks of one warp; a larger block has more warps.
        gains = gainsOf({32, 16, 0}, of("sm_86"));
        QVERIFY(says(gains, "64 instead of 32 threads a block: 32 warps instead of 16"));
        QCOMPARE(gains.size(), std::size_t(1));
        // Full is full.
        QVERIFY(gainsOf({256, 32, 0}, h100).empty());
        // Two resources limit: neither alone gains by its own.
        const Occupancy two = occupancyOf({1024, 64, 96 * 1024}, of("sm_70"));
        QCOMPARE(two.limits().size(), std::size_t(2));
        for (const OccupancyStep& step : gainsOf({1024, 64, 96 * 1024}, of("sm_70")))
            QVERIFY2(step.need == BlockNeed::threads, inWords(step).c_str());
        QVERIFY(two.oneMore.find(" and ") != std::string::npos);
        // What does not fit at all is told what would.
        QVERIFY(says(gainsOf({1024, 65, 0}, h100), "64 instead of 65 registers a thread: 1 block instead of 0"));
        QVERIFY(says(gainsOf({128, 32, 300000}, h100), "232448 instead of 300000 bytes"));
        QVERIFY(says(gainsOf({2000, 32, 0}, h100), "1024 instead of 2000 threads"));
        // Unknown registers are neither lost nor gained.
        for (const OccupancyStep& step : lossesOf({256, 0, 0}, h100))
            QVERIFY(step.need != BlockNeed::registers);
        QVERIFY(gainsOf({0, 32, 0}, h100).empty() || gainsOf({0, 32, 0}, h100).front().need == BlockNeed::threads);
    }

    /// What a step promises is so, and nothing nearer does it.
    void stepsKeepTheirPromise() {
        for (const ArchitectureLimits& a : architectureLimits())
            for (const std::uint32_t threads : {32u, 96u, 100u, 256u, 384u, 1024u})
                for (const std::uint32_t registers : {24u, 37u, 72u, 130u})
                    for (const std::uint32_t bytes : {0u, 5000u, 40000u}) {
                        const BlockNeeds needs{threads, registers, bytes};
                        const std::uint32_t now = occupancyOf(needs, a.limits).warps;
                        for (const OccupancyStep& s : gainsOf(needs, a.limits)) {
                            QCOMPARE(occupancyOf(with(needs, s.need, s.to), a.limits).warps, s.warpsTo);
                            QVERIFY(s.warpsTo > now && s.warpsFrom == now);
                            const std::int64_t way = s.to < s.from ? 1 : -1;
                            if (s.need != BlockNeed::threads)
                                for (std::int64_t v = std::int64_t(s.to) + way; v < std::int64_t(s.from); v += way)
                                    QVERIFY(occupancyOf(with(needs, s.need, std::uint32_t(v)), a.limits).warps <= now);
                        }
                        for (const OccupancyStep& s : lossesOf(needs, a.limits)) {
                            QVERIFY(s.warpsTo < now);
                            QCOMPARE(occupancyOf(with(needs, s.need, s.to - 1), a.limits).warps, now);
                        }
                    }
    }

    void curvesHaveNoGaps() {
        for (const ArchitectureLimits& a : architectureLimits())
            for (const BlockNeed need : blockNeeds) {
                const BlockNeeds needs{192, 45, 9000};
                const auto runs = curveOver(need, needs, a.limits);
                QVERIFY(!runs.empty());
                QCOMPARE(runs.front().from, need == BlockNeed::sharedBytes ? 0u : 1u);
                QCOMPARE(runs.back().to, mostOf(need, a.limits));
                for (std::size_t i = 0; i < runs.size(); ++i) {
                    if (i > 0) QCOMPARE(runs[i].from, runs[i - 1].to + 1);
                    for (const std::uint32_t value : {runs[i].from, runs[i].to}) {
                        const Occupancy o = occupancyOf(with(needs, need, value), a.limits);
                        QCOMPARE(o.blocks, runs[i].blocks);
                        QCOMPARE(o.warps, runs[i].warps);
                    }
                }
            }
    }

    /// From sm_90 on a multiprocessor has so many barriers; before, a block's sixteen are its own.
    void barriersLimitToo() {
        BlockNeeds needs{64, 32, 0, 4};
        QCOMPARE(occupancyOf(needs, of("sm_90")).blocks, 16u);
        QCOMPARE(occupancyOf(needs, of("sm_90")).limit, OccupancyLimit::barriers);
        QVERIFY(occupancyOf(needs, of("sm_90")).oneMore.find("at most 3 barriers a block (it has 4)") !=
                std::string::npos);
        QCOMPARE(occupancyOf(needs, of("sm_80")).blocks, 32u);
        needs.barriers = 1;
        QCOMPARE(occupancyOf(needs, of("sm_90")).blocks, 32u);
    }

    void reportHasItAll() {
        const nlohmann::json report = occupancyReport({256, 42, 0, 1}, of("sm_90"));
        QCOMPARE(report.at("occupancy").at("blocks").get<int>(), 5);
        QCOMPARE(report.at("occupancy").at("limits"), nlohmann::json::array({"registers"}));
        QCOMPARE(report.at("gains").at(0).at("to").get<int>(), 40);
        QCOMPARE(report.at("curves").at("threads").size(), std::size_t(32));
        QVERIFY(report.at("curves").at("registers").size() > 5 && report.at("curves").at("shared_bytes").size() >= 5);
    }

    /// NVIDIA's own header, from the toolkit, over all architectures that it knows.
    void agreesWithNvidiasHeader() {
#ifdef KERNELARIUM_OCCUPANCY_HEADER
        int compared = 0;
        for (const ArchitectureLimits& a : architectureLimits()) {
            const MultiprocessorLimits& l = a.limits;
            const int capability = std::stoi(std::string(a.arch.substr(3)));
            cudaOccDeviceProp device;
            device.computeMajor = capability / 10;
            device.computeMinor = capability % 10;
            device.maxThreadsPerBlock = int(l.threadsPerBlock);
            device.maxThreadsPerMultiprocessor = int(l.threads);
            device.regsPerBlock = int(l.registersPerBlock);
            device.regsPerMultiprocessor = int(l.registers);
            device.warpSize = int(lanesOfWarp);
            device.sharedMemPerBlock = 48 * 1024;
            device.sharedMemPerMultiprocessor = l.sharedBytes;
            device.numSms = 1;
            device.sharedMemPerBlockOptin = l.sharedBytesPerBlock;
            device.reservedSharedMemPerBlock = l.reservedSharedBytes;
            const cudaOccDeviceState state;
            for (int threads = 16; threads <= 1024; threads += 48)
                for (int registers = 16; registers <= 255; registers += 13)
                    for (std::uint32_t bytes = 0; bytes <= l.sharedBytesPerBlock; bytes += 7919)
                        for (const int barriers : {1, 5, 16}) {
                            cudaOccFuncAttributes kernel;
                            kernel.maxThreadsPerBlock = 1024;
                            kernel.numRegs = registers;
                            kernel.sharedSizeBytes = 0;
                            kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                            kernel.maxDynamicSharedSizeBytes = l.sharedBytesPerBlock;
                            kernel.numBlockBarriers = barriers;
                            cudaOccResult theirs;
                            const auto status = cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device, &kernel,
                                                                                        &state, threads, bytes);
                            if (status != CUDA_OCC_SUCCESS) QSKIP("This header does not know all architectures.");
                            const BlockNeeds needs{std::uint32_t(threads), std::uint32_t(registers), bytes,
                                                   std::uint32_t(barriers)};
                            const Occupancy ours = occupancyOf(needs, l);
                            QVERIFY2(int(ours.blocks) == theirs.activeBlocksPerMultiprocessor,
                                     qPrintable(QStringLiteral("%1 %2/%3/%4/%5: %6, NVIDIA %7")
                                                    .arg(QString::fromStdString(std::string(a.arch)))
                                                    .arg(threads)
                                                    .arg(registers)
                                                    .arg(bytes)
                                                    .arg(barriers)
                                                    .arg(ours.blocks)
                                                    .arg(theirs.activeBlocksPerMultiprocessor)));
                            ++compared;
                        }
        }
        QVERIFY(compared > 10000);
#else
        QSKIP("cuda_occupancy.h of the CUDA toolkit is not installed.");
#endif
    }
};

namespace {
KERNELARIUM_TEST(TestOccupancyCurves);
}

#include "TestOccupancyCurves.moc"
