// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/LineTable.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"

#include <QtTest>

using namespace kernelarium;

namespace {
const char* const twoLines = "__device__ float twice(float x) {\n"        // 1
                             "    return x * 2.5f;\n"                     // 2
                             "}\n"                                        // 3
                             "__global__ void scale(float* p, int n) {\n" // 4
                             "    int i = threadIdx.x;\n"                 // 5
                             "    if (i < n)\n"                           // 6
                             "        p[i] = twice(p[i]);\n"              // 7
                             "}\n";
}

class TestCubin : public QObject {
    Q_OBJECT

private slots:
    void refusesWhatIsNone() {
        QVERIFY(!sass::Cubin::read({}));
        QCOMPARE(sass::Cubin::read(std::vector<std::byte>(100)).error().code, std::string("bad_input"));
    }

    void bytesComeBack() {
        for (const char* arch : {"sm_80", "sm_86", "sm_89", "sm_90"}) {
            Result<sass::Cubin> cubin = test::compiledText(twoLines, arch);
            if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
            QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
            QCOMPARE("sm_" + std::to_string(cubin->computeCapability()), std::string(arch));
            const std::vector<std::byte> before = cubin->bytes();
            QVERIFY(!cubin->kernels().empty());
            for (const sass::KernelCode& kernel : cubin->kernels()) {
                const auto words = sass::wordsOf(cubin->code(kernel));
                std::vector<sass::Word> again;
                for (const sass::Word& word : words)
                    again.push_back(sass::withControl(word, sass::controlOf(word)));
                cubin->replace(kernel, sass::bytesOf(again));
            }
            QVERIFY(cubin->bytes() == before);
        }
    }

    /// Cut off anywhere, a cubin is refused or read within its bytes (a sanitizer sees the rest).
    void everyLengthIsSafe() {
        const Result<sass::Cubin> cubin = test::compiledText(twoLines, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        for (std::size_t length = 0; length < cubin->bytes().size(); length += 61) {
            std::vector<std::byte> shorter(cubin->bytes().begin(), cubin->bytes().begin() + std::ptrdiff_t(length));
            const Result<sass::Cubin> read = sass::Cubin::read(shorter);
            QVERIFY(sass::LineTable::read(shorter).at("scale", 0, "kernel.cu").line >= 0);
            if (!read) continue;
            for (const sass::KernelCode& kernel : read->kernels())
                QVERIFY(kernel.offset + kernel.size <= length);
        }
    }

    void linesLeadToTheSource() {
        const Result<sass::Cubin> cubin = test::compiledText(twoLines, "sm_90");
        if (!cubin) QSKIP(cubin.error().text().c_str());
        const sass::LineTable lines = sass::LineTable::read(cubin->bytes());
        const sass::KernelCode& kernel = cubin->kernels().front();
        QCOMPARE(lines.fileOf(kernel.name), std::string("kernel.cu"));
        std::map<std::string, int> lineOf;
        for (const sass::Instruction& one :
             sass::decodeAll(sass::wordsOf(cubin->code(kernel)), cubin->computeCapability()))
            lineOf.try_emplace(std::string(one.mnemonic), lines.at(kernel.name, one.place, "kernel.cu").line);
        QCOMPARE(lineOf.at("S2R"), 5);
        QCOMPARE(lineOf.at("ISETP"), 6);
        QCOMPARE(lineOf.at("LDG"), 7);
        QCOMPARE(lineOf.at("FMUL"), 2);
        QCOMPARE(lineOf.at("STG"), 7);
    }
};

KERNELARIUM_TEST(TestCubin);

#include "TestCubin.moc"
