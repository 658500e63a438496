// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Counters.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::test;

/// What is counted of the tensor cores, and of copies that run beside the threads.
class TestTensorCounters : public QObject {
    Q_OBJECT
private slots:
    void operationsByType_data();
    void operationsByType();
    void copiesInFlight_data();
    void copiesInFlight();
    void aProducerThatEnds();
    void groupsInFlight_data();
    void groupsInFlight();
};

void TestTensorCounters::operationsByType_data() {
    QTest::addColumn<QByteArray>("product"); // of four words, then two
    QTest::addColumn<double>("operations");  // of one warp
    QTest::addColumn<QByteArray>("kind");
    const auto add = [](const char* product, int k, const char* kind) {
        QTest::newRow(product) << QByteArray(product) << 2. * 16 * 8 * k << QByteArray(kind);
    };
    add("m16n8k16.row.col.f32.f16.f16.f32", 16, "flops_tensor");
    add("m16n8k16.row.col.f32.bf16.bf16.f32", 16, "flops_tensor");
    add("m16n8k8.row.col.f32.tf32.tf32.f32", 8, "flops_tensor_tf32");
    add("m16n8k32.row.col.f32.e4m3.e5m2.f32", 32, "flops_tensor_fp8");
    add("m16n8k32.row.col.s32.s8.s8.s32", 32, "ops_tensor_int8");
    add("m16n8k32.row.col.s32.u8.s8.s32", 32, "ops_tensor_int8");
    add("m16n8k64.row.col.s32.s4.s4.s32", 64, "none"); // there is no rate to hold it against
}

void TestTensorCounters::operationsByType() {
    QFETCH(QByteArray, product);
    QFETCH(double, operations);
    QFETCH(QByteArray, kind);
    const bool whole = product.contains("s32");
    std::string text = ".visible .entry k() {\n  .reg .b32 %r<8>; .reg .f32 %f<4>;\n"
                       "  mov.b32 %r1, 0; mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b32 %r7, 0;\n"
                       "  mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n";
    const char* const sums = whole ? "{%r4, %r5, %r6, %r7}" : "{%f0, %f1, %f2, %f3}";
    text += "  mma.sync.aligned." + product.toStdString() + " " + sums + ", {%r1, %r1, %r1, %r1}, {%r1, %r1}, " + sums +
            ";\n  ret;\n}\n";
    PtxProgram p(text);
    QVERIFY(p.isLoaded());
    p.options.count.enabled = true;
    const auto result = p.run("k", {3, 1, 1}, {64, 1, 1});
    const perf::LineCounters& c = result.counted->totals;
    for (const perf::Metric& m : perf::metrics()) {
        if (!QByteArray(m.key).contains("_tensor")) continue;
        const bool isPart = m.key == QByteArray("flops_tensor") && kind.startsWith("flops_tensor");
        QCOMPARE(c.*m.field, isPart || m.key == kind ? 6 * operations : 0.0);
    }
    QCOMPARE(c.tensor, 6.0);
}

void TestTensorCounters::copiesInFlight_data() {
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("copies"); // of each
    QTest::newRow("one stage") << 1 << 1;
    QTest::newRow("three stages") << 3 << 1;
    QTest::newRow("two copies in each of four") << 4 << 2;
}

/// As many stages are under way as the kernel fills before it waits for the first.
void TestTensorCounters::copiesInFlight() {
    QFETCH(int, stages);
    QFETCH(int, copies);
    QString why;
    const auto p = PtxProgram::compiled(
        hopperSource(R"(extern "C" __global__ void k(const int* in, int* out, int tiles, int stages, int copies) {
    __shared__ __align__(128) int s[4][256];
    __shared__ u64 full[4];
    const int t = threadIdx.x;
    const auto fill = [&](int tile) {
        const int stage = tile % stages;
        expect(&full[stage], 1024);
        for (int c = 0; c < copies; ++c)
            bring(s[stage] + c * (256 / copies), in + tile * 256 + c * (256 / copies), 1024 / copies, &full[stage]);
    };
    if (t == 0) {
        for (int i = 0; i < stages; ++i) make(&full[i], 1);
        made();
        for (int i = 0; i < stages; ++i) fill(i);
    }
    __syncthreads();
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        wait(&full[tile % stages], tile / stages & 1);
        sum += s[tile % stages][t];
        __syncthreads();
        if (t == 0 && tile + stages < tiles) fill(tile + stages);
    }
    out[t] = sum;
})"),
        why);
    if (!p) QSKIP(qPrintable(why));
    p->options.count.enabled = true;
    constexpr int tiles = 9;
    const auto in = p->buffer(std::vector<int>(tiles * 256, 1)), out = p->uninitialised(1024);
    const auto result = p->run("k", {1, 1, 1}, {256, 1, 1}, in, out, tiles, stages, copies);
    QCOMPARE(p->read<int>(out, 256), std::vector<int>(256, tiles));
    QCOMPARE(result.counted->totals.bulkBytes, tiles * 1024.);
    QCOMPARE(result.counted->stagesInFlight, double(stages));
    QCOMPARE(result.counted->bytesInFlight, stages * 1024.);
    const std::string said = perf::copiesInFlightText(*result.counted);
    QVERIFY2(said.find(stages == 1 ? "1 stage of asynchronous" : "stages of asynchronous") != std::string::npos,
             said.c_str());
}

/// Whoever fills the last stages waits for nothing after them.
void TestTensorCounters::aProducerThatEnds() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(const int* in, int* out) {
    __shared__ __align__(128) int s[3][128];
    __shared__ u64 full[3];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 3; ++i) make(&full[i], 1);
        made();
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int i = 0; i < 3; ++i) { expect(&full[i], 512); bring(s[i], in + i * 128, 512, &full[i]); }
        return;
    }
    int sum = 0;
    for (int i = 0; i < 3; ++i) { wait(&full[i], 0); sum += s[i][threadIdx.x]; }
    out[threadIdx.x] = sum;
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    p->options.count.enabled = true;
    const auto in = p->buffer(std::vector<int>(384, 2)), out = p->uninitialised(512);
    const auto result = p->run("k", {1, 1, 1}, {160, 1, 1}, in, out);
    QCOMPARE(p->read<int>(out, 128), std::vector<int>(128, 6));
    QCOMPARE(result.counted->stagesInFlight, 3.0);
    QCOMPARE(result.counted->bytesInFlight, 1536.0);
}

void TestTensorCounters::groupsInFlight_data() {
    QTest::addColumn<int>("ahead"); // groups that are begun before the first is waited for
    QTest::addColumn<bool>("committed");
    QTest::newRow("one group") << 1 << true;
    QTest::newRow("three groups") << 3 << true;
    QTest::newRow("never committed, which is one stage") << 2 << false;
}

/// The same of cp.async: of each warp its own groups, of which the last ones of the loop bring nothing.
void TestTensorCounters::groupsInFlight() {
    QFETCH(int, ahead);
    QFETCH(bool, committed);
    QString why;
    const auto p = PtxProgram::compiled("#define AHEAD " + std::to_string(ahead) + "\n#define COMMITTED " +
                                            std::to_string(int(committed)) +
                                            R"(
extern "C" __global__ void k(const int* in, int* out, int tiles) {
    __shared__ __align__(16) int s[4][256];
    const int t = threadIdx.x;
    const auto fill = [&](int tile) {
        if (tile < tiles && t % 4 == 0) {
            const unsigned to = (unsigned)__cvta_generic_to_shared(s[tile % 4] + t);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, 16;" ::"r"(to), "l"(in + tile * 256 + t) : "memory");
        }
        if (COMMITTED) asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int i = 0; i < AHEAD; ++i) fill(i);
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        if (COMMITTED) asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD - 1) : "memory");
        else asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += s[tile % 4][t];
        __syncthreads();
        fill(tile + AHEAD);
    }
    out[t] = sum;
})",
                                        why);
    if (!p) QSKIP(qPrintable(why));
    p->options.count.enabled = true;
    constexpr int tiles = 9;
    const auto in = p->buffer(std::vector<int>(tiles * 256, 1)), out = p->uninitialised(1024);
    const auto result = p->run("k", {1, 1, 1}, {256, 1, 1}, in, out, tiles);
    QCOMPARE(p->read<int>(out, 256), std::vector<int>(256, tiles));
    QCOMPARE(result.counted->stagesInFlight, committed ? double(ahead) : 1.0);
    QCOMPARE(result.counted->bytesInFlight, ahead * 1024.);
    QCOMPARE(result.counted->totals.bulkBytes, 0.);
}

namespace {
KERNELARIUM_TEST(TestTensorCounters);
}

#include "TestTensorCounters.moc"
