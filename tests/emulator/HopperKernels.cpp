// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulator/HopperKernels.h"

#include "core/tensor/HalfBits.h"

#include <QTest>

namespace kernelarium::test {

using namespace kernelarium::emulator;

namespace {

constexpr const char* prelude = R"(#line 1 "hopper.h"
typedef unsigned long long u64;
typedef unsigned int u32;
struct __align__(64) Map { char bytes[128]; };
__device__ __forceinline__ u32 at(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void make(u64* b, u32 n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void made() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void expect(u64* b, u32 n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void arrive(u64* b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(b)) : "memory"); }
__device__ __forceinline__ void wait(u64* b, u32 parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra OVER;\nbra AGAIN;\nOVER:\n}" :: "r"(at(b)), "r"(parity) : "memory");
}
__device__ __forceinline__ bool elected() {
    u32 yes;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(yes));
    return yes;
}
__device__ __forceinline__ void proxyFence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void bring(void* to, const void* from, u32 bytes, u64* b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory");
}
__device__ __forceinline__ void take(void* to, const void* from, u32 bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ __forceinline__ void waitTaken() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ __forceinline__ void bringBox(void* to, const Map* map, int x, int y, u64* b) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(b)) : "memory");
}
__device__ __forceinline__ void takeBox(const Map* map, int x, int y, const void* from) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" :: "l"(map), "r"(x), "r"(y), "r"(at(from)) : "memory");
}
__device__ __forceinline__ u32 rank() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ __forceinline__ u32 mapped(const void* p, u32 rank) { u32 r; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(at(p)), "r"(rank)); return r; }
__device__ __forceinline__ void clusterArrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ __forceinline__ void clusterWait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
__device__ __forceinline__ void arriveAt(u64* b, u32 rank) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(mapped(b, rank)) : "memory"); }
__device__ __forceinline__ int readAt(const int* p, u32 rank) { int v; asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(mapped(p, rank)) : "memory"); return v; }
__device__ __forceinline__ void writeAt(int* p, u32 rank, int v) { asm volatile("st.shared::cluster.s32 [%0], %1;" :: "r"(mapped(p, rank)), "r"(v) : "memory"); }
__device__ __forceinline__ void sendTo(int* p, u64* b, u32 rank, int v) { asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" :: "r"(mapped(p, rank)), "r"(v), "r"(mapped(b, rank)) : "memory"); }
__device__ __forceinline__ void clusterArriveRelaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ __forceinline__ void bringBoxToBoth(void* to, const Map* map, int x, int y, u64* b) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(b)), "h"((short)3) : "memory");
}
// A matrix whose rows of 128 bytes lie one after the other, with the 128-byte swizzle.
__device__ __forceinline__ u64 descriptor(const void* p) { return (u64)((at(p) & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62; }
__device__ __forceinline__ void productFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void productCommit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ __forceinline__ void productWait() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory"); }
#define EIGHT(d, k) "+f"(d[k]), "+f"(d[k+1]), "+f"(d[k+2]), "+f"(d[k+3]), "+f"(d[k+4]), "+f"(d[k+5]), "+f"(d[k+6]), "+f"(d[k+7])
#define D32 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
#define ALL32(d) EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)
__device__ __forceinline__ void product64(float* d, u64 a, u64 b, int keep) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " D32 ", %32, %33, p, 1, 1, 0, 0;}" : ALL32(d) : "l"(a), "l"(b), "r"(keep));
}
// Writes a warpgroup's 64 x 64 result.
__device__ __forceinline__ void result64(float* c, int stride, const float* d) {
    int t = threadIdx.x % 128, row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    for (int i = 0; i < 32; ++i) c[(row + i / 2 % 2 * 8) * stride + column + i / 4 * 8 + i % 2] = d[i];
}
)";

} // namespace

std::string hopperSource(const std::string& kernel) {
    return std::string(prelude) + "#line 1 \"kernel.cu\"\n" + kernel;
}

std::string plantedSource(std::string kernel, const char* line) {
    kernel.replace(kernel.find("LINE"), 4, line);
    return hopperSource(kernel);
}

void verifyBothParties(const LaunchResult& r, const char* kind, int line, int otherLine) {
    const Fault* f = faultOf(r, kind);
    QVERIFY2(f, PtxProgram::describe(r).c_str());
    QVERIFY2(f->line == line, PtxProgram::describe(r).c_str());
    QVERIFY(f->other);
    QVERIFY2(f->other->line == otherLine, (PtxProgram::describe(r) + std::to_string(f->other->line)).c_str());
}

void plantedColumns() {
    QTest::addColumn<std::string>("kernel");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<QByteArray>("wrong");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("otherLine");
}

void verifyPlanted(const std::function<LaunchResult(PtxProgram& program, const std::string& kernel)>& launch) {
    QFETCH(std::string, kernel);
    QFETCH(QByteArray, right);
    QFETCH(QByteArray, wrong);
    QFETCH(QByteArray, kind);
    QFETCH(int, line);
    QFETCH(int, otherLine);
    QString why;
    const auto good = PtxProgram::compiled(plantedSource(kernel, right.constData()), why);
    if (!good) QSKIP(qPrintable(why));
    PtxProgram::expectClean(launch(*good, kernel));
    const auto bad = PtxProgram::compiled(plantedSource(kernel, wrong.constData()), why);
    QVERIFY2(bad, qPrintable(why));
    verifyBothParties(launch(*bad, kernel), kind.constData(), line, otherLine);
}

std::array<std::byte, tensorMapBytes> matrixMap(std::uint32_t type, std::uint64_t address, std::uint64_t rows,
                                                std::uint64_t columns, std::uint32_t boxRows, std::uint32_t boxColumns,
                                                std::uint32_t swizzle) {
    TensorMap m;
    m.type = type;
    m.rank = 2;
    m.address = address;
    m.extent = {columns, rows};
    m.stride = {0, columns * m.elementBytes()};
    m.box = {boxColumns, boxRows};
    m.elementStride = {1, 1};
    m.swizzle = swizzle;
    const auto encoded = encodeTensorMap(m);
    if (!encoded.ok()) QTest::qFail(encoded.error().text().c_str(), __FILE__, __LINE__);
    return encoded.ok() ? *encoded : std::array<std::byte, tensorMapBytes>{};
}

std::vector<std::uint16_t> smallHalves(std::size_t count, unsigned seed) {
    std::vector<std::uint16_t> all(count);
    for (std::uint16_t& x : all) {
        seed = seed * 1664525u + 1013904223u;
        x = tensor::halfbits::toHalf(float(int(seed >> 24) % 9 - 4));
    }
    return all;
}

float halfValue(std::uint16_t bits) {
    return tensor::halfbits::fromHalf(bits);
}

} // namespace kernelarium::test
