// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/host/EndToEnd.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

namespace kernelarium::test {

/// What kernels ask of the device beyond their own block: grids that synchronise, partitions of warps, launches of
/// their own; and packed comparisons.
class TestDeviceRuntime : public QObject {
    Q_OBJECT

private:
    EndToEnd m_machine;

    std::vector<double> outputOf(const std::string& body, const std::vector<float>& x,
                                 verify::RunResult* result = nullptr) {
        host::EmulatorSettings settings;
        settings.jobs = 2;
        verify::RunRequest request;
        request.arguments = {tensor::Value(floats(x))};
        request.timeLimit = std::chrono::seconds(30);
        const verify::RunResult ran = m_machine.run(bound(body), std::move(request), settings);
        if (ran.end != verify::RunEnd::finished) qWarning("%s", ran.reason.c_str());
        if (!ran.faults.empty()) qWarning("%s: %s", ran.faults[0].kind.c_str(), ran.faults[0].message.c_str());
        if (result) *result = ran;
        return elements(ran.output);
    }
    static std::vector<float> ramp(std::size_t n) {
        std::vector<float> values(n);
        std::iota(values.begin(), values.end(), 0.0f);
        return values;
    }

private slots:
    void initTestCase() {
        if (const std::string why = m_machine.unavailable(); !why.empty()) QSKIP(why.c_str());
    }

    void gridsSynchronise() {
        // Each round every thread reads what another block wrote in the round before.
        const auto y = outputOf(R"(
#include <cooperative_groups.h>
__global__ void rotate(float* a, float* b, int n, int rounds) {
    auto grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        b[i] = a[(i + blockDim.x) % n];
        grid.sync();
        float* t = a; a = b; b = t;
    }
}
torch::Tensor forward(torch::Tensor x) {
    auto a = x.clone(), b = torch::empty_like(x);
    float* pa = a.data_ptr<float>(); float* pb = b.data_ptr<float>(); int n = x.numel(), rounds = 6;
    void* arguments[] = {&pa, &pb, &n, &rounds};
    cudaLaunchCooperativeKernel((void*)rotate, dim3(32), dim3(64), arguments, 0, 0);
    return a;
})",
                                ramp(2048));
        QCOMPARE(y.size(), std::size_t(2048));
        for (std::size_t i = 0; i < y.size(); ++i)
            QCOMPARE(y[i], double((i + 6 * 64) % 2048));
    }

    void lanesMeetThoseOfTheirOwnMask() {
        const auto y = outputOf(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void parts(const float* x, float* y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, int(threadIdx.x % 3));
    int sum = cg::reduce(same, int(threadIdx.x), cg::plus<int>());
    int most = cg::reduce(same, int(threadIdx.x), cg::greater<int>());
    auto half = cg::binary_partition(warp, threadIdx.x < 10);
    int place = cg::exclusive_scan(half, 1);
    y[threadIdx.x] = sum;
    y[32 + threadIdx.x] = most;
    y[64 + threadIdx.x] = place;
    y[96 + threadIdx.x] = half.any(threadIdx.x == 31);
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    parts<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>());
    return y;
})",
                                ramp(128));
        QCOMPARE(y.size(), std::size_t(128));
        for (int i = 0; i < 32; ++i) {
            int sum = 0, most = 0;
            for (int k = i % 3; k < 32; k += 3) {
                sum += k;
                most = k;
            }
            QCOMPARE(y[std::size_t(i)], double(sum));
            QCOMPARE(y[std::size_t(32 + i)], double(most));
            QCOMPARE(y[std::size_t(64 + i)], double(i < 10 ? i : i - 10));
            QCOMPARE(y[std::size_t(96 + i)], i < 10 ? 0.0 : 1.0);
        }
    }

    void halvesAreComparedSideBySide() {
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> x{1, 2, 2, 1, -1, -1, nan, 3};
        const auto y = outputOf(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <class T> __device__ float pair(T m) { return __low2float(m) + 10.0f * __high2float(m); }
__global__ void compare(const float* x, float* y) {
    int i = threadIdx.x;
    __half2 a = __floats2half2_rn(x[2 * i], x[2 * i + 1]), b = __floats2half2_rn(x[2 * i + 1], x[2 * i]);
    __nv_bfloat162 c = __floats2bfloat162_rn(x[2 * i], x[2 * i + 1]), d = __floats2bfloat162_rn(x[2 * i + 1], x[2 * i]);
    y[8 * i] = pair(__hgt2(a, b));
    y[8 * i + 1] = pair(__hle2(c, d));
    y[8 * i + 2] = pair(__hltu2(a, b));
    y[8 * i + 3] = __hbeq2(a, b);
    y[8 * i + 4] = __hbneu2(c, d);
    unsigned m = __hlt2_mask(a, b);
    y[8 * i + 5] = float(m & 0xffff) + float(m >> 16 & 1);
    y[8 * i + 6] = __hbge2(a, a);
    y[8 * i + 7] = pair(__hisnan2(a));
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty({32}, x.options());
    compare<<<1, 4>>>(x.data_ptr<float>(), y.data_ptr<float>());
    return y;
})",
                                x);
        const std::vector<double> expected{0 + 10, 1 + 0,  1 + 0,  0, 1, 65535, 1, 0,  // (1,2) against (2,1)
                                           1 + 0,  0 + 10, 0 + 10, 0, 1, 0 + 1, 1, 0,  // (2,1) against (1,2)
                                           0,      11,     0,      1, 0, 0,     1, 0,  // (-1,-1) against itself
                                           0,      0,      11,     0, 1, 0,     0, 1}; // (nan,3) against (3,nan)
        QCOMPARE(y, expected);
    }

    void kernelsLaunchKernels() {
        verify::RunResult result;
        const auto y = outputOf(R"(
__global__ void leaf(float* y, int at, float value) { y[at * 4 + threadIdx.x] = value + threadIdx.x; }
__global__ void middle(float* y, int at) {
    if (threadIdx.x == 0) leaf<<<1, 4>>>(y, at, 100.0f * at);
}
__global__ void root(float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) middle<<<1, 32>>>(y, i);
    if (i == 0) y[n * 4] = -1.0f;
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty({33}, x.options());
    root<<<2, 4>>>(y.data_ptr<float>(), 8);
    return y;
})",
                                {1.0f}, &result);
        QCOMPARE(y.size(), std::size_t(33));
        for (std::size_t i = 0; i < 32; ++i)
            QCOMPARE(y[i], double(100 * (i / 4) + i % 4));
        QCOMPARE(y[32], -1.0);
        QCOMPARE(result.launches.size(), std::size_t(17));
        QVERIFY(result.launches[0].kernel.find("root") != std::string::npos);
        QVERIFY(result.launches[1].kernel.find("middle") != std::string::npos);
        QVERIFY(result.launches[2].kernel.find("leaf") != std::string::npos);
    }

    void faultsInLaunchedKernelsAreSeen() {
        verify::RunRequest request;
        request.arguments = {tensor::Value(floats({1.0f}))};
        const auto result = m_machine.run(bound(R"(
__global__ void leaf(float* y) { y[7] = 1.0f; }
__global__ void root(float* y) { leaf<<<1, 1>>>(y); }
torch::Tensor forward(torch::Tensor x) { auto y = torch::ones_like(x); root<<<1, 1>>>(y.data_ptr<float>()); return y; })"),
                                          std::move(request));
        QCOMPARE(result.faults.size(), std::size_t(1));
        QCOMPARE(result.faults[0].kind, std::string("out_of_bounds"));
        QVERIFY(result.faults[0].kernel.find("leaf") != std::string::npos);
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestDeviceRuntime);
#include "TestDeviceRuntime.moc"
