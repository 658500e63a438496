// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::sass;

/// Instructions of each family: text, scheduling, registers.
class TestDecoder : public QObject {
    Q_OBJECT

private slots:
    void textAndRegisters_data() {
        QTest::addColumn<quint64>("high");
        QTest::addColumn<quint64>("low");
        QTest::addColumn<QString>("control");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reads");
        QTest::addColumn<QString>("writes");
        const auto row = [](const char* name, quint64 high, quint64 low, const char* control, const char* text,
                            const char* reads, const char* writes) {
            QTest::newRow(name) << high << low << control << text << reads << writes;
        };
        row("sum with two carries", 0x100fe2000f91e01c, 0x00000008271e7c10, "B------:R-:W-:-:S01",
            "IADD3 R30, P0, P1, R39, UR8, R28.reuse", "R28, R39, UR8", "R30, P0, P1");
        row("sum that takes them", 0x100fe400087e2420, 0x00000006251f7c10, "B------:R-:W-:-:S02",
            "IADD3.X R31, R37, UR6, R32.reuse, P0, P1", "R32, R37, UR6, P0, P1", "R31");
        row("wide product", 0x000fe200078e0278, 0x000000401d1c7825, "B------:R-:W-:-:S01",
            "IMAD.WIDE R28, R29, 0x40, R120", "R29, R120, R121", "R28, R29");
        row("move by multiply", 0x000fe2000f8e00ff, 0x0000000eff1f7e24, "B------:R-:W-:-:S01",
            "IMAD.MOV.U32 R31, RZ, RZ, UR14", "UR14", "R31");
        row("asynchronous copy", 0x0003e2000b901c4c, 0x000000001e217fae, "B------:R1:W-:-:S01",
            "LDGSTS.E.BYPASS.128 [R33], desc[UR12][R30.64]", "R30, R31, R33, UR12, UR13", "");
        row("load", 0x000362000c1e1900, 0x0004700c083f7981, "B------:R1:W5:-:S01", "LDG.E R63, desc[UR12][R8.64+0x470]",
            "R8, R9, UR12, UR13", "R63");
        row("store", 0x0005f6000c10190c, 0x0000701904007986, "B------:R2:W-:-:S11", "STG.E desc[UR12][R4.64+0x70], R25",
            "R4, R5, R25, UR12, UR13", "");
        row("matrix load", 0x004e620000000200, 0x000000007a1c783b, "B--2---:R-:W1:-:S01", "LDSM.16.M88.4 R28, [R122]",
            "R122", "R28..R31");
        row("matrix product", 0x004ff6000000180c, 0x000000080404723c, "B--2---:R-:W-:-:S11",
            "HMMA.16816.F32 R4, R4, R8, R12", "R4..R9, R12..R15", "R4..R7");
        row("uniform predicate read", 0x000fe20003f0f008, 0x000000000000781c, "B------:R-:W-:-:S01",
            "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0", "UP0", "P0");
        row("special function", 0x000e640000001000, 0x0000000700007308, "B------:R-:W1:-:S02", "MUFU.RCP R0, R7", "R7",
            "R0");
        row("float sum", 0x000fc80000010100, 0x800000ff02037221, "B------:R-:W-:Y:S04", "FADD.FTZ R3, -R2, -RZ", "R2",
            "R3");
        row("shuffle", 0x000e6200000e0000, 0x0c401f0002037f89, "B------:R-:W1:-:S01", "SHFL.BFLY PT, R3, R2, 0x2, 0x1f",
            "R2", "R3");
        row("branch", 0x000fec0003800000, 0x0000002400108947, "B------:R-:W-:-:S06", "@!P0 BRA 0x2450", "P0", "");
        row("never executed", 0x000fe20000000800, 0x00000000fffff984, "B------:R-:W-:-:S01", "@!PT LDS RZ, [RZ]", "",
            "");
        row("barrier", 0x000fec0000010000, 0x0000000000007b1d, "B------:R-:W-:-:S06", "BAR.SYNC.DEFER_BLOCKING 0x0", "",
            "");
        row("both of a double", 0x000fe4000001ff00, 0x0000000000167805, "B------:R-:W-:-:S02", "CS2R R22, SRZ", "",
            "R22, R23");
        row("warpgroup product", 0x000fe6000c0018ff, 0x02400000041879f0, "B------:R-:W-:-:S03", "HGMMA.64x144 R24, UR4",
            "UR4..UR7", "R24..R95");
        row("convergence barrier saved", 0x001e2a0000100000, 0x000000000a347355, "B0-----:R-:W0:-:S05",
            "BMOV.32.CLEAR R52, B10", "", "R52");
        row("convergence barrier back", 0x0001ea0000000000, 0x0000002c06007356, "B------:R0:W-:-:S05",
            "BMOV.32 B6, R44", "R44", "");
        row("uniform predicates", 0x000fe40008000000, 0x000000013f267883, "B------:R-:W-:-:S02",
            "UP2UR UR38, UPR, URZ, 0x1", "UP0", "UR38");
        row("reduction in memory", 0x004fe2000c10e186, 0x000000050200098e, "B--2---:R-:W-:-:S01",
            "@P0 RED.E.ADD desc[UR6][R2.64], R5", "R2, R3, R5, UR6, UR7, P0", "");
    }

    void textAndRegisters() {
        QFETCH(quint64, high);
        QFETCH(quint64, low);
        QFETCH(QString, control);
        QFETCH(QString, text);
        QFETCH(QString, reads);
        QFETCH(QString, writes);
        const Word word{low, high};
        const Instruction one = decode(word, 0, 90);
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one)), text);
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one.control)), control);
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one.reads)), reads);
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one.writes)), writes);
        QVERIFY(withControl(word, controlOf(word)) == word);
    }

    void unknownOperationsAreFences() {
        const Instruction one = decode({0x0000000000007fff, 0}, 0, 90);
        QVERIFY(!one.isKnown());
        QVERIFY(one.fence == Fence::unknown);
        QVERIFY(one.reads == RegisterSet::all() && one.writes == RegisterSet::all());
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one)), QStringLiteral("?fff"));
    }

    void doublePrecisionWaitsForScoreboardsBefore90() {
        const Word product{0x000000040402722b, 0x000e240000000006}; // DFMA R2, R4, R4, R6
        QVERIFY(decode(product, 0, 80).isVariable());
        QVERIFY(!decode(product, 0, 90).isVariable());
    }

    void lanesOfAWarpAreNamedElsewhereBefore90() {
        const Instruction one = decode({0x0000000f00007348, 0x000fe80003800000}, 0, 80);
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one)), QStringLiteral("WARPSYNC R15"));
        QCOMPARE(QString::fromStdString(kernelarium::sass::text(one.reads)), QStringLiteral("R15"));
    }

    void everyControlFieldComesBack() {
        for (int stall = 0; stall < 16; ++stall)
            for (int board = 0; board < 8; ++board) {
                const Control control{stall,     stall % 2 == 1,          board,
                                      7 - board, unsigned(stall * 4 + 3), unsigned(board)};
                const Word word = withControl({0x123456789abcdef0, 0x0000000000abcdef}, control);
                QVERIFY(controlOf(word) == control);
                QVERIFY(withoutControl(word) == withoutControl(Word{0x123456789abcdef0, 0x0000000000abcdef}));
            }
    }
};

KERNELARIUM_TEST(TestDecoder);

#include "TestDecoder.moc"
