// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/AssemblyDiff.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::diff;

class TestAssemblyDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersOfRegistersDoNotCount_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("compared");
        const auto row = [](const char* line, const char* compared) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(compared);
        };
        row("\tadd.s32 \t%r12, %r3, 1;", "add.s32 %r, %r, 1;");
        row("\tfma.rn.f32 %f5, %f6, %f7, 0f3F800000;  // scaled", "fma.rn.f32 %f, %f, %f, 0f3F800000;");
        row("\t@%p3 bra \t$L__BB0_12;", "@%p bra $L__BB0_;");
        row("\tmov.u32 \t%r1, %tid.x;", "mov.u32 %r, %tid.x;");
        row("\tmov.u64 %rd4, %clock64;", "mov.u64 %rd, %clock64;");
        row("$L__BB0_12:", "$L__BB0_:");
        row("        /*0010*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;",
            "IMAD.MOV.U32 R, RZ, RZ, c[0x0][0x28] ;");
        row("  @!P0 LDG.E.64 R12, [R4.64+0x8] ; // B--2---:R-:W3:-:S02 live 9", "@!P LDG.E.64 R, [R.64+0x8] ;");
        row("  R2UR UR4, R2 ;", "R2UR UR, R ;");
        row("  BSSY B0, `(.L_x_3) ;", "BSSY B, `(.L_x_) ;");
        row(" FADD R3, R5.reuse, -R7 ;", "FADD R, R.reuse, -R ;");
        row("\t// only a comment", "");
        row("/*0x00000a00ff017624*/", "");
        row("", "");
        row("\t.reg .b32 \t%r<14>;", ".reg .b32 %r<14>;");
    }
    void numbersOfRegistersDoNotCount() {
        QFETCH(QString, line);
        QFETCH(QString, compared);
        QCOMPARE(QString::fromStdString(comparableAssembly(line.toStdString())), compared);
    }

    void changesAreOfTheListings() {
        const std::vector<std::string> a{"// head", " ADD R1, R2, R3 ;", "", " MUL R4, R1, R1 ;", " EXIT ;"};
        const std::vector<std::string> b{" ADD R7, R8, R9 ;", " FMA R4, R7, R7, RZ ;", "// between", " NOP ;",
                                         " EXIT ;"};
        const auto changes = assemblyDiff(a, b);
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes.front(), (Change{3, 1, 1, 3}));
        QVERIFY(assemblyDiff(a, a).empty());
        // Only added, only taken away, and nothing on a side at all.
        const std::vector<std::string> nothing;
        QCOMPARE(assemblyDiff(nothing, b).front(), (Change{0, 0, 0, 5}));
        QCOMPARE(assemblyDiff(b, nothing).front(), (Change{0, 5, 0, 0}));
        QVERIFY(assemblyDiff(nothing, nothing).empty());
    }
};

KERNELARIUM_TEST(TestAssemblyDiff);

#include "TestAssemblyDiff.moc"
