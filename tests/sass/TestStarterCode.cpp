// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/HazardWalk.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"

#include <QtTest>

#include <filesystem>

using namespace kernelarium;
using namespace kernelarium::sass;

/// What ptxas writes is known to the last operation, comes back byte for byte, and has no hazard that is not explained.
class TestStarterCode : public QObject {
    Q_OBJECT

private slots:
    /// Each file for one architecture after the other, since compiling is what takes the time;
    /// KERNELARIUM_ALL_ARCHITECTURES=1: each for all.
    void everyInstruction_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("arch");
        const std::vector<std::string> files = test::starterFiles();
        QVERIFY(!files.empty());
        const QStringList all = {"sm_80", "sm_86", "sm_89", "sm_90"};
        const bool each = qEnvironmentVariableIntValue("KERNELARIUM_ALL_ARCHITECTURES") != 0;
        for (qsizetype i = 0; i < qsizetype(files.size()); ++i)
            for (const QString& arch : each ? all : QStringList{all[i % all.size()]}) {
                const QString file = QString::fromStdString(files[std::size_t(i)]);
                QTest::addRow("%s %s", qPrintable(file), qPrintable(arch)) << file << arch;
            }
    }

    void everyInstruction() {
        QFETCH(QString, file);
        QFETCH(QString, arch);
        const Result<Cubin> cubin = test::compiledCubin(file.toStdString(), arch.toStdString());
        if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
        QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
        check(*cubin, arch.toStdString());
    }

    void sampleVariants() {
        const std::filesystem::path folder(KERNELARIUM_SHARED_DIR "/schedules/variants");
        if (!std::filesystem::exists(folder)) QSKIP("the sample variants are not here");
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().string().find(".orig.cubin") == std::string::npos) continue;
            const Result<Cubin> cubin = test::cubinOf(entry.path().string());
            QVERIFY2(cubin, entry.path().c_str());
            check(*cubin, entry.path().filename().string());
        }
    }

private:
    static void check(const Cubin& cubin, const std::string& where) {
        for (const KernelCode& kernel : cubin.kernels()) {
            const std::vector<Word> words = wordsOf(cubin.code(kernel));
            const std::vector<std::byte> again = bytesOf(words);
            QVERIFY2(std::equal(again.begin(), again.end(), cubin.code(kernel).begin()), where.c_str());
            const std::vector<Instruction> code = decodeAll(words, cubin.computeCapability());
            for (const Instruction& one : code) {
                QVERIFY2(one.isKnown(), (where + " " + kernel.name + " " + sass::text(one)).c_str());
                QVERIFY(withControl(one.word, one.control) == one.word);
            }
            std::string found;
            HazardVisitor visitor;
            visitor.met = [&](const Observation& met) {
                if (isHazard(met.kind))
                    found += sass::text(code[std::size_t(met.producer)]) + " and " +
                             sass::text(code[std::size_t(met.consumer)]) + ": " + std::string(sass::name(met.kind)) +
                             "\n";
            };
            observe(code, blocksOf(code), scheduleOf(code), visitor);
            QVERIFY2(found.empty(), (where + " " + kernel.name + "\n" + found).c_str());
        }
    }
};

KERNELARIUM_TEST(TestStarterCode);

#include "TestStarterCode.moc"
