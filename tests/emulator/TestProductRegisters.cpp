// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registers of products of warpgroups between the product and its wait, and the fence before it: each mistake beside a
// twin that differs by one line and passes, and what compilers do by themselves, which is none. ptxas is the judge of
// both: it says of each that it adds a wait or a fence, or serialises the products, or nothing.
#include "gpu/compile/Compiler.h"
#include "gpu/emulator/decode/ProductRegisters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestProductRegisters : public QObject {
    Q_OBJECT
private slots:
    void planted_data();
    void planted();
    void withoutAnyFence_data();
    void withoutAnyFence();
    void compilersWork_data();
    void compilersWork();
    void assemblerAgrees_data();
    void assemblerAgrees();
    void throughFunctions();
};

namespace {

/// Of a PTX program, what a launch of its kernel would be told.
LaunchResult shownBy(const PtxProgram& p) {
    LaunchResult r;
    if (p.isLoaded()) r.faults = productRegisterFaults(p.program().parsed());
    return r;
}

/// A kernel of one warpgroup; `body` begins on line 7, with accumulators d and e, registers f of a matrix A, and the
/// descriptors a and b.
std::string kernelOf(const std::string& body) {
    return R"(#define A4(f) "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3])
__device__ __forceinline__ void productR(float* d, const u32* f, u64 b) { asm volatile("{.reg .pred p; setp.eq.b64 p, %36, %36;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " D32 ", {%32,%33,%34,%35}, %36, p, 1, 1, 0;}" : ALL32(d) : A4(f), "l"(b)); }
extern "C" __global__ void __launch_bounds__(128) k(float* c, const float* in, const u32* bits, int steps) {
    extern __shared__ __align__(1024) char s[];
    const u64 a = descriptor(s), b = descriptor(s + 8192);
    float d[32], e[32]; u32 f[4];
)" + body + "\n}";
}

constexpr const char* multiply = "for (int q = 0; q < 4; ++q) product64(d, a + q * 2, b + q * 2, i + q);\n";

} // namespace

void TestProductRegisters::planted_data() {
    plantedColumns();
    const std::string loop = std::string("for (int i = 0; i < steps; ++i) {\nproductFence();\n") + multiply;
    const std::string end = "\n}\nresult64(c, 64, d);";
    const auto row = [](const char* name, const std::string& body, const char* right, const char* wrong, int line,
                        int otherLine, const char* kind = "product_registers") {
        QTest::newRow(name) << kernelOf(body) << QByteArray(right) << QByteArray(wrong) << QByteArray(kind) << line
                            << otherLine;
    };
    row("scaled before the wait", loop + "productCommit();\nLINE" + end,
        "productWait<0>(); for (float& x : d) x *= 1.5f;", "for (float& x : d) x *= 1.5f; productWait<0>();", 11, 9);
    row("a result that only some steps wait for", loop + "productCommit();\nLINE" + end, "productWait<0>();",
        "if (i + 1 < steps) productWait<0>();", 13, 9);
    row("a wait that lets the last group go on", loop + "productCommit();\nLINE" + end, "productWait<0>();",
        "productWait<1>();", 13, 9);
    row("a group that nobody committed", loop + "LINE\nproductWait<0>();" + end, "productCommit();", "", 13, 9);
    row("the sums of the group that goes on",
        "productFence();\nproduct64(d, a, b, 0);\nproductCommit();\nproduct64(e, a, b, 0);\nproductCommit();\n"
        "productWait<1>();\nLINE\nproductWait<0>();\nresult64(c, 64, d);\nresult64(c + 4096, 64, e);",
        "c[9999] = d[3] * 2;", "c[9999] = e[3] * 2;", 13, 10);
    row("factors that change under the product",
        "for (int q = 0; q < 4; ++q) f[q] = bits[threadIdx.x * 4 + q];\nfor (int i = 0; i < steps; ++i) {\n"
        "productFence();\nproductR(d, f, b);\nproductCommit();\nLINE" +
            end,
        "productWait<0>(); for (u32& x : f) asm volatile(\"add.u32 %0, %0, 3;\" : \"+r\"(x));",
        "for (u32& x : f) asm volatile(\"add.u32 %0, %0, 3;\" : \"+r\"(x)); productWait<0>();", 12, 2);
    row("sums that are set behind the fence",
        "for (int i = 0; i < 2; ++i) {\nLINE\n" + std::string(multiply) + "productCommit();\nproductWait<0>();" + end,
        "for (int q = 0; q < 32; ++q) d[q] = in[threadIdx.x * 32 + q + i]; productFence();",
        "productFence(); for (int q = 0; q < 32; ++q) d[q] = in[threadIdx.x * 32 + q + i];", 9, 8, "product_fence");
}

void TestProductRegisters::planted() {
    verifyPlanted([](PtxProgram& p, const std::string&) { return shownBy(p); });
}

void TestProductRegisters::withoutAnyFence_data() {
    QTest::addColumn<std::string>("body");
    QTest::newRow("in a loop") << "for (int i = 0; i < steps; ++i) {\nLINE\n" + std::string(multiply) +
                                      "productCommit(); productWait<0>();\n}\nresult64(c, 64, d);";
    QTest::newRow("once") << std::string("LINE\n\nproduct64(d, a, b, 0);\nproductCommit(); productWait<0>();\n"
                                         "result64(c, 64, d);");
}

void TestProductRegisters::withoutAnyFence() {
    QFETCH(std::string, body);
    QString why;
    const auto good = PtxProgram::compiled(plantedSource(kernelOf(body), "productFence();"), why);
    if (!good) QSKIP(qPrintable(why));
    PtxProgram::expectClean(shownBy(*good));
    const auto bad = PtxProgram::compiled(plantedSource(kernelOf(body), ""), why);
    const LaunchResult r = shownBy(*bad);
    QVERIFY2(r.faults.size() == 1, PtxProgram::describe(r).c_str());
    QCOMPARE(r.faults[0].kind, std::string("product_fence"));
    QCOMPARE(r.faults[0].line, 9);
    QCOMPARE(r.faults[0].kernel, std::string("k"));
}

void TestProductRegisters::compilersWork_data() {
    QTest::addColumn<std::string>("body");
    const auto row = [](const char* name, const std::string& body) { QTest::newRow(name) << kernelOf(body); };
    const std::string loop = std::string("for (int i = 0; i < steps; ++i) { productFence();\n") + multiply;
    const std::string waited = "productCommit(); productWait<0>();\n", result = "\nresult64(c, 64, d);";
    row("zeros before the fence", "for (float& x : d) x = 0; productFence(); product64(d, a, b, 1);" + waited + result);
    row("zeros behind the fence", "productFence(); for (float& x : d) x = 0; product64(d, a, b, 1);" + waited + result);
    row("zeros before a loop", "for (float& x : d) x = 0;" + loop + waited + "}" + result);
    row("scaled behind the wait", loop + waited + "for (float& x : d) x *= 1.5f; }" + result);
    row("sums in other registers", "for (float& x : e) x = 0;" + loop + waited +
                                       "for (int q = 0; q < 32; ++q) e[q] += d[q] * 1.5f; }\nresult64(c, 64, e);");
    row("one group goes on, and is waited for in the end",
        loop + "productCommit(); productWait<1>(); }\nproductWait<0>();" + result);
    row("two sets of sums that swap", loop + waited +
                                          "for (int q = 0; q < 32; ++q) { float t = d[q]; d[q] = e[q]; "
                                          "e[q] = t; } }" +
                                          result);
    row("held in their registers", "for (float& x : d) x = 0; asm volatile(\"\" : ALL32(d) :: \"memory\"); "
                                   "productFence(); product64(d, a, b, 1);" +
                                       waited + "asm volatile(\"\" : ALL32(d) :: \"memory\");" + result);
    row("factors made of sums, and sums read while a later product goes on",
        "productFence(); product64(d, a, b, 0);" + waited +
            "for (float& x : e) x = 0;\nfor (int i = 0; i < steps; ++i) { for (int q = 0; q < 4; ++q) f[q] = "
            "__float_as_uint(d[q] * d[q + 4]);\nproductFence(); product64(d, a, b, 0); productCommit(); "
            "productR(e, f, b); productCommit(); productWait<1>();\nfloat m = 0; for (float x : d) m = fmaxf(m, x);\n"
            "productWait<0>(); for (float& x : e) x *= m; }\nresult64(c, 64, e);");
}

void TestProductRegisters::compilersWork() {
    QFETCH(std::string, body);
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(body), why);
    if (!p) QSKIP(qPrintable(why));
    PtxProgram::expectClean(shownBy(*p));
}

void TestProductRegisters::assemblerAgrees_data() {
    QTest::addColumn<std::string>("source");
    const std::string loop = std::string("for (int i = 0; i < steps; ++i) {\nproductFence();\n") + multiply;
    const std::string end = "\n}\nresult64(c, 64, d);";
    const auto row = [](const char* name, const std::string& body) {
        QTest::newRow(name) << hopperSource(kernelOf(body));
    };
    row("right", loop + "productCommit(); productWait<0>();" + end);
    row("scaled before the wait", loop + "productCommit(); for (float& x : d) x *= 1.5f; productWait<0>();" + end);
    row("scaled behind the wait", loop + "productCommit(); productWait<0>(); for (float& x : d) x *= 1.5f;" + end);
    row("without a last wait", loop + "productCommit(); productWait<1>();" + end);
    row("with a last wait", loop + "productCommit(); productWait<1>();\n}\nproductWait<0>(); result64(c, 64, d);");
    row("no fence", "product64(d, a, b, 0); productCommit(); productWait<0>(); result64(c, 64, d);");
    row("a fence", "productFence(); product64(d, a, b, 0); productCommit(); productWait<0>(); result64(c, 64, d);");
    row("set behind the fence",
        "productFence(); for (int q = 0; q < 32; ++q) d[q] = in[threadIdx.x * 32 + q];\nproduct64(d, a, b, 1); "
        "productCommit(); productWait<0>(); result64(c, 64, d);");
    row("factors change", "for (u32& x : f) x = *bits++;\nfor (int i = 0; i < steps; ++i) { productFence(); "
                          "productR(d, f, b); productCommit(); for (u32& x : f) asm volatile(\"add.u32 %0, %0, 3;\" : "
                          "\"+r\"(x)); productWait<0>();" +
                              end);
}

void TestProductRegisters::assemblerAgrees() {
    QFETCH(std::string, source);
    static Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) QSKIP(compiler.error().text().c_str());
    const auto unit = (*compiler)->compile(source, {});
    QVERIFY2(unit && unit->ok, unit ? unit->log.c_str() : unit.error().text().c_str());
    if (unit->assembler != "ptxas") QSKIP("There is no ptxas.");
    const auto module = Module::parse(unit->ptx);
    QVERIFY(module.ok());
    const std::vector<verify::Fault> faults = productRegisterFaults((*module)->parsed());
    bool said = false;
    for (const compile::Diagnostic& d : unit->diagnostics) {
        if (!d.text.starts_with("ptxas: (C75")) continue; // NVRTC's, of what is not used
        QCOMPARE(d.severity, compile::Severity::note);
        QVERIFY2(d.text.find("function '") == std::string::npos, d.text.c_str());
        QVERIFY(d.line > 0);
        said = true;
    }
    QCOMPARE(!faults.empty(), said);
}

void TestProductRegisters::throughFunctions() {
    // Told of each kernel that comes to the function, and of no other.
    PtxProgram p(R"(
.func f(.param .b64 from) {
    .reg .f32 %d<4>; .reg .b64 %b; .reg .pred %p;
    ld.param.u64 %b, [from];
    setp.eq.u64 %p, %b, %b;
    wgmma.fence.sync.aligned;
    .loc 1 7 1
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %b, %b, %p, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    .loc 1 9 1
    add.f32 %d0, %d0, %d1;
    wgmma.wait_group.sync.aligned 0;
    ret;
}
.visible .entry one() { .reg .b64 %b; mov.u64 %b, 0; { .param .b64 a; st.param.u64 [a], %b; call f, (a); } ret; }
.visible .entry two() { .reg .b64 %b; mov.u64 %b, 0; { .param .b64 a; st.param.u64 [a], %b; call f, (a); } ret; }
.visible .entry none() { ret; })");
    const LaunchResult r = shownBy(p);
    QCOMPARE(r.faults.size(), std::size_t(4));
    for (std::size_t k = 0; k < r.faults.size(); ++k) {
        QCOMPARE(r.faults[k].kernel, std::string(k < 2 ? "one" : "two"));
        QCOMPARE(r.faults[k].line, 9);
        QCOMPARE(r.faults[k].other->line, 7);
        QCOMPARE(r.faults[k].message.substr(0, 5), std::string(k % 2 ? "Chang" : "Reads"));
        QCOMPARE(r.faults[k].count, std::uint64_t(k % 2 ? 1 : 2));
    }
}

namespace {
KERNELARIUM_TEST(TestProductRegisters);
}
#include "TestProductRegisters.moc"
