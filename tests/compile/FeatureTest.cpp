// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Diagnostics.h"
#include "gpu/compile/FeatureArchitecture.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

using namespace kernelarium::compile;

/// Files whose instructions only some variants of an architecture have.
class FeatureTest : public QObject {
    Q_OBJECT
private slots:
    void variantsOfHopper();
    void warpgroupsAssemble();
    void assemblerNotes();
};

void FeatureTest::variantsOfHopper() {
    QCOMPARE(featureArchitecture("sm_90", "__global__ void k() {}"), std::string("sm_90"));
    QCOMPARE(featureArchitecture("sm_90", "asm(\"wgmma.fence.sync.aligned;\");"), std::string("sm_90a"));
    QCOMPARE(featureArchitecture("sm_90", "#include <cute/tensor.hpp>"), std::string("sm_90a"));
    QCOMPARE(featureArchitecture("sm_80", "asm(\"wgmma.fence.sync.aligned;\");"), std::string("sm_80"));
}

void FeatureTest::warpgroupsAssemble() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile(
        "__global__ void k(int* o) { asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\"); *o = 1; }", {});
    QVERIFY2(unit && unit->ok, unit ? describe(*unit).c_str() : unit.error().text().c_str());
    QCOMPARE(unit->arch, std::string("sm_90a"));
    QVERIFY(!unit->cubin.empty());
}

void FeatureTest::assemblerNotes() {
    COMPILER_OR_SKIP(compiler);
    const auto notesOf = [&](const char* bounds) {
        const auto unit = compiler->compile(std::string("__global__ void ") + bounds +
                                                " k(int* o) {\n    *o = 1;\n"
                                                "    asm volatile(\"setmaxnreg.inc.sync.aligned.u32 208;\");\n}\n",
                                            {});
        std::vector<Diagnostic> notes = unit && unit->ok ? unit->diagnostics : std::vector<Diagnostic>(9);
        return unit && unit->assembler != "ptxas" ? std::vector<Diagnostic>(1) : notes;
    };
    const std::vector<Diagnostic> left = notesOf("__launch_bounds__(128)");
    QCOMPARE(left.size(), std::size_t(1));
    if (left[0].text.empty()) QSKIP("There is no ptxas.");
    QCOMPARE(left[0].severity, Severity::note);
    QCOMPARE(left[0].line, 3);
    QVERIFY2(left[0].text.starts_with("ptxas: (C7508) "), left[0].text.c_str());
    QVERIFY(notesOf("__launch_bounds__(128, 1)").empty());
    // As ptxas writes them, with the kernel's name or a line of the PTX.
    const auto read = parseAssemblerNotes(
        "ptxas info    : (C7519) warpgroup.arrive is injected in around line 3 by compiler to allow use of registers in "
        "GMMA in function 'k'\nptxas info    : (C7510) Potential Performance Loss: calls in the function 'k'\n"
        "ptxas info    : (C7510) Potential Performance Loss: calls in the function 'k'\nptxas info    : Used 8 "
        "registers\n",
        ".file 1 \"kernel.cu\"\n.entry k() {\n.loc 1 7 1\nret;\n}");
    QCOMPARE(read.size(), std::size_t(2));
    QCOMPARE(read[0].line, 7);
    QCOMPARE(read[0].text, std::string("ptxas: (C7519) warpgroup.arrive is injected by compiler to allow use of "
                                       "registers in GMMA"));
    QCOMPARE(read[1].line, 7);
    QCOMPARE(read[1].text, std::string("ptxas: (C7510) Potential Performance Loss: calls"));
}

namespace {
KERNELARIUM_TEST(FeatureTest);
}
#include "FeatureTest.moc"
