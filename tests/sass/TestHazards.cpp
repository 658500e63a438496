// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Distances.h"
#include "core/sass/hazards/Loops.h"
#include "core/sass/instruction/Decoder.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"

#include <QtTest>
#include <algorithm>
#include <filesystem>

using namespace kernelarium;
using namespace kernelarium::sass;

namespace {

const char* const loopKernel = "__global__ void sums(const float* __restrict__ a, float* b, int n) {\n"
                               "    __shared__ float tile[256];\n"
                               "    float sum = 0;\n"
                               "    for (int i = threadIdx.x; i < n; i += 256) {\n"
                               "        tile[threadIdx.x] = a[i];\n"
                               "        __syncthreads();\n"
                               "        for (int k = 0; k < 256; ++k) sum += tile[k] * tile[255 - k];\n"
                               "        __syncthreads();\n"
                               "    }\n"
                               "    b[threadIdx.x] = sum;\n"
                               "}\n";

std::vector<Instruction> codeOf(const Cubin& cubin) {
    return decodeAll(wordsOf(cubin.code(cubin.kernels().front())), cubin.computeCapability());
}

std::vector<Observation> hazardsOf(const std::vector<Instruction>& code, const Schedule& schedule) {
    std::vector<Observation> found;
    HazardVisitor visitor;
    visitor.met = [&](const Observation& met) {
        if (isHazard(met.kind)) found.push_back(met);
    };
    observe(code, blocksOf(code), schedule, visitor);
    return found;
}

} // namespace

class TestHazards : public QObject {
    Q_OBJECT

private slots:
    void setsOfRegisters() {
        RegisterSet some;
        for (const int i : {4, 5, 6, 7, 9})
            some.add(Register::of(RegisterFile::general, i));
        some.add(Register::of(RegisterFile::uniform, 0));
        some.add(Register::of(RegisterFile::uniformPredicate, 6));
        QCOMPARE(sass::text(some), std::string("R4..R7, R9, UR0, UP6"));
        QVERIFY(some.of(RegisterFile::uniform).contains(Register::of(RegisterFile::uniform, 0)));
        QVERIFY((some - some).isEmpty());
        QCOMPARE(int(RegisterSet::all().list().size()), 255 + 63 + 7 + 7);
    }

    void branchesOutOfTheCodeLeadNowhere() {
        for (const std::int64_t target : {std::int64_t(-16), std::int64_t(16), (std::int64_t(1) << 36) - 80}) {
            Instruction branch = decode({0x0000002400108947, 0x000fec0003800000}, 0, 90); // @!P0 BRA
            branch.target = target;
            const std::vector<Block> blocks = blocksOf({branch});
            QCOMPARE(blocks.size(), std::size_t(1));
            QVERIFY(blocks.front().successors.empty());
        }
    }

    /// ptxas's own code has none; taking any wait away, or any scoreboard that something is waited for by, makes one.
    void everyWaitIsThereForAReason() {
        const Result<Cubin> cubin = test::compiledText(loopKernel, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const std::vector<Instruction> code = codeOf(*cubin);
        const Schedule schedule = scheduleOf(code);
        QVERIFY(hazardsOf(code, schedule).empty());
        int waits = 0, noticed = 0;
        for (std::size_t k = 0; k < schedule.size(); ++k)
            for (int board = 0; board < scoreboardCount; ++board) {
                if (!(schedule[k].control.waits >> board & 1)) continue;
                Schedule without = schedule;
                without[k].control.waits &= ~(1u << board);
                ++waits;
                noticed += !hazardsOf(code, without).empty();
            }
        QVERIFY2(waits >= 5, std::to_string(waits).c_str());
        QVERIFY2(noticed * 10 >= waits * 9, (std::to_string(noticed) + " of " + std::to_string(waits)).c_str());
    }

    /// Three variants that a GPU faulted on: of several loads from one address register the last one holds the
    /// scoreboard for all of them, and another load had got behind it.
    void operandsAreReadInTheOrderOfTheQueue() {
        const std::string folder = KERNELARIUM_SHARED_DIR "/schedules/variants/";
        if (!std::filesystem::exists(folder)) QSKIP("the sample variants are not here");
        for (const char* name :
             {"0", "1", "4", "2", "3", "5", "6", "9", "g1", "g2", "g3", "y0", "y1", "y2", "y3", "orig"}) {
            const Result<Cubin> cubin = test::cubinOf(folder + "attention." + name + ".cubin");
            QVERIFY2(cubin, name);
            const KernelCode* kernel = cubin->find("attention");
            QVERIFY(kernel);
            const std::vector<Instruction> code = decodeAll(wordsOf(cubin->code(*kernel)), 90);
            const std::vector<Observation> found = hazardsOf(code, scheduleOf(code));
            const bool faulted = std::string("014").find(name) != std::string::npos && std::string(name).size() == 1;
            QVERIFY2(found.empty() != faulted, name);
            for (const Observation& one : found)
                QVERIFY(one.kind == Dependence::operandOverwritten &&
                        code[std::size_t(one.producer)].mnemonic == "LDG");
        }
    }

    void loopsAreFound() {
        const Result<Cubin> cubin = test::compiledText(loopKernel, "sm_80");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const std::vector<Instruction> code = codeOf(*cubin);
        const std::vector<Block> blocks = blocksOf(code);
        const std::vector<Loop> loops = loopsOf(code, blocks);
        QVERIFY(!loops.empty());
        QVERIFY(std::any_of(loops.begin(), loops.end(), [](const Loop& one) { return one.depth == 1; }));
        int next = 0;
        for (const Block& block : blocks) {
            QCOMPARE(block.first, next); // they cover the code without gaps
            next = block.last + 1;
        }
        QCOMPARE(next, int(code.size()));
    }

    void tableOfDistances() {
        const Result<Cubin> cubin = test::compiledText(loopKernel, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const DistanceTable one = distancesOf(codeOf(*cubin), 90);
        DistanceTable many;
        for (int i = 0; i < 60; ++i)
            many.take(one);
        const Result<DistanceTable> read = DistanceTable::fromCsv(many.csv());
        QVERIFY(read);
        QCOMPARE(read->csv(), many.csv());
        const auto ffma = read->least("9 raw R FFMA>FFMA.C");
        QVERIFY(ffma && *ffma == 4);
        QVERIFY(!one.least("9 raw R FFMA>FFMA.C") ||
                one.entries().at("9 raw R FFMA>FFMA.C").count >= DistanceTable::enough);
        QCOMPARE(DistanceTable::fromCsv("dependence,units,least,count,count_of_least\nx,y,1,z,3\n").error().code,
                 std::string("bad_input"));
    }

    /// The table that is compiled in: read as a whole, and no distance that would make an instruction free.
    void ownTableIsWhole() {
        QVERIFY(minedFrom().substr(0, 6) == "ptxas ");
        QVERIFY(minedDistances().entries().size() > 500);
        for (const auto& [key, entry] : minedDistances().entries()) {
            QVERIFY2(entry.least >= 1, key.c_str());
            QVERIFY2(entry.count >= DistanceTable::enough, key.c_str());
            QVERIFY2(entry.countOfLeast >= 1 && entry.countOfLeast <= entry.count, key.c_str());
        }
        QCOMPARE(minedDistances().least("9 raw R FFMA>FFMA.C").value_or(0), 4);
        QCOMPARE(minedDistances().least("9 raw P ISETP>BRA.guard").value_or(0), 13);
    }
};

KERNELARIUM_TEST(TestHazards);

#include "TestHazards.moc"
