// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCudaRuns.h"

#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QtTest>
#include <cmath>

using namespace kernelarium;
using test::bound;
using test::elements;
using test::floats;
using test::Gpu;
using verify::RunEnd;

namespace {

const std::string scaleKernel = R"(
__global__ void scale(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
)";

std::string scaling(const std::string& launch) {
    return bound(scaleKernel +
                 "torch::Tensor forward(torch::Tensor x) { auto y = torch::zeros_like(x); int n = x.numel();\n" +
                 launch + "\nreturn y; }");
}

QByteArray textOf(const verify::RunResult& r) {
    QByteArray text = "end " + QByteArray::number(int(r.end)) + ": " + QByteArray::fromStdString(r.reason) + "; " +
                      QByteArray::fromStdString(r.printed);
    for (const verify::Launch& l : r.launches)
        text += "; " + QByteArray::fromStdString(l.kernel) +
                QByteArray(" %1 %2 %3 %4")
                    .replace("%1", QByteArray::number(l.grid[0]))
                    .replace("%2", QByteArray::number(l.block[0]))
                    .replace("%3", QByteArray::number(l.dynamicSharedBytes))
                    .replace("%4", QByteArray::number(qulonglong(l.stream)));
    return text;
}

} // namespace

void TestCudaRuns::bothBackendsAgree_data() {
    QTest::addColumn<QString>("source");
    const auto row = [](const char* name, const std::string& source) {
        QTest::newRow(name) << QString::fromStdString(source);
    };
    row("a plain launch", scaling("scale<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"));
    row("a stream of its own",
        scaling("cudaStream_t s; cudaStreamCreate(&s); scale<<<4, 64, 0, s>>>(x.data_ptr<float>(), "
                "y.data_ptr<float>(), 3.f, n); cudaStreamSynchronize(s); cudaStreamDestroy(s);"));
    row("cudaLaunchKernel",
        scaling("const float* px = x.data_ptr<float>(); float* py = y.data_ptr<float>(); float a = 2.f; "
                "void* args[] = {&px, &py, &a, &n}; cudaLaunchKernel((void*)scale, dim3(4), dim3(64), args, 0, 0);"));
    row("too many threads, unseen", scaling("scale<<<1, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"));
    row("an empty grid, asked for", scaling("scale<<<0, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"
                                            "y.fill_(double(cudaGetLastError()));"));
    row("too much shared memory", scaling("scale<<<1, 32, 60000>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"
                                          "y.fill_(double(cudaGetLastError()));"));
    row("a refused attribute",
        scaling("y.fill_(double(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));"));
    row("a variable of the device", bound(R"(
__device__ float factor = 2.f;
__global__ void times(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) { y[i] = factor * x[i]; } }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros_like(x); float before = 0, now = 5.f;
    cudaMemcpyFromSymbol(&before, factor, sizeof(float));
    cudaMemcpyToSymbol(factor, &now, sizeof(float));
    times<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel()));
    return y + before;
})"));
    row("static constants", bound(R"(
static __constant__ float table[4] = {1, 2, 3, 4};
static __device__ int calls;
__global__ void pick(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i] * table[i & 3]; if (i == 0) calls += 1; }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros_like(x); float other[2] = {10, 20}; int seen = 0;
    int a = cudaMemcpyToSymbol(table, other, sizeof(other), 4);
    pick<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel()));
    pick<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel()));
    int b = cudaMemcpyFromSymbol(&seen, calls, sizeof(int));
    return y + double(seen) + 100.0 * a + 1000.0 * b;
})"));
    row("a variable that no kernel uses", bound(R"(
__constant__ float unused[3] = {4, 5, 6};
torch::Tensor forward(torch::Tensor x) {
    float now[2] = {7, 8}, got[3] = {0, 0, 0};
    int a = cudaMemcpyToSymbol(unused, now, sizeof(now));
    int b = cudaMemcpyFromSymbol(got, unused, sizeof(got));
    return x + double(got[0] + 10 * got[1] + 100 * got[2]) + 1000.0 * a + 10000.0 * b;
})"));
    row("a lot of dynamic shared memory", bound(R"(
__global__ void turn(const float* x, float* y, int n) {
    extern __shared__ float tile[];
    for (int i = threadIdx.x; i < 20000; i += blockDim.x) tile[i] = i < n ? x[i] : 0.f;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = tile[n - 1 - i];
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros_like(x);
    cudaFuncSetAttribute(turn, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000);
    turn<<<1, 256, 80000>>>(x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel()));
    return y;
})"));
    row("blocks that wait for each other", bound(R"(
__device__ unsigned arrived;
__global__ void twice(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[n - 1 - i] : 0.f;
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1u);
        while (atomicAdd(&arrived, 0u) < gridDim.x) {}
    }
    __syncthreads();
    if (i < n) x[i] = 2.f * v;
}
torch::Tensor forward(torch::Tensor x) {
    auto y = x.clone(); float* p = y.data_ptr<float>(); int n = y.numel();
    void* args[] = {&p, &n};
    cudaLaunchCooperativeKernel((void*)twice, dim3(4), dim3(64), args, 0, 0);
    return y;
})"));
    row("a kernel that prints", bound(R"(
__global__ void say(float* y) { if (threadIdx.x == 3) printf("thread %d of %d\n", threadIdx.x, blockDim.x); y[threadIdx.x] = threadIdx.x; }
torch::Tensor forward(torch::Tensor x) { auto y = torch::zeros_like(x); say<<<1, 100>>>(y.data_ptr<float>()); return y; })"));
    row("operators between kernels", bound(scaleKernel + R"(
torch::Tensor forward(torch::Tensor x) {
    auto t = x.view({10, 10}).transpose(0, 1).contiguous(); auto y = torch::empty_like(t); int n = t.numel();
    scale<<<1, 128>>>(t.data_ptr<float>(), y.data_ptr<float>(), 2.f, n);
    auto z = torch::zeros({10, 20}, x.options()); z.slice(1, 0, 20, 2).copy_(y); z.slice(1, 1, 20, 2).fill_(7);
    return torch::relu(z).sum(1);
})"));
    row("what TORCH_CHECK throws", bound("torch::Tensor forward(torch::Tensor x) { TORCH_CHECK(x.dim() == 9, \"nine, "
                                         "not \", x.dim()); return x; }"));
    row("cudaMalloc and back", bound(scaleKernel + R"(
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros_like(x); float* p = nullptr; int n = x.numel();
    cudaMalloc(&p, n * sizeof(float));
    scale<<<1, 128>>>(x.data_ptr<float>(), p, 4.f, n);
    cudaMemcpy(y.data_ptr<float>(), p, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(p);
    return y;
})"));
}

void TestCudaRuns::theEmulatorRunsThem_data() {
    bothBackendsAgree_data();
}

/// What the GPU is held against below, also where there is none.
void TestCudaRuns::theEmulatorRunsThem() {
    QFETCH(QString, source);
    if (!Gpu::instance().compiles()) QSKIP(Gpu::instance().missing().constData());
    const verify::RunResult r = Gpu::instance().emulate(source.toStdString(), {floats(std::vector<float>(100, 1.f))});
    QVERIFY2(r.end == RunEnd::finished || r.end == RunEnd::launch_refused || r.end == RunEnd::host_exception,
             r.reason.c_str());
    QVERIFY(r.end != RunEnd::finished || elements(r.output).size() >= 10);
}

/// The same end, the same launches, the same words and (no kernel here rounds differently) the same bits.
void TestCudaRuns::bothBackendsAgree() {
    NEEDS_GPU();
    QFETCH(QString, source);
    std::vector<float> values(100);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i) - 40.f;
    const verify::RunResult gpu = Gpu::instance().run(source.toStdString(), {floats(values)});
    const verify::RunResult emulated = Gpu::instance().emulate(source.toStdString(), {floats(values)});
    QCOMPARE(textOf(gpu), textOf(emulated));
    QCOMPARE(elements(gpu.output), elements(emulated.output));
    QCOMPARE(elements(gpu.argumentsAfter.empty() ? tensor::Value() : tensor::Value(gpu.argumentsAfter[0])),
             elements(emulated.argumentsAfter.empty() ? tensor::Value() : tensor::Value(emulated.argumentsAfter[0])));
    QCOMPARE(gpu.libraryCalls, emulated.libraryCalls);
    QVERIFY(gpu.guardViolations.empty());
}

void TestCudaRuns::unwrittenOutputsShowThePoison() {
    NEEDS_GPU();
    const std::string source = bound(scaleKernel + R"(
torch::Tensor forward(torch::Tensor x) { auto y = torch::empty_like(x);
    scale<<<1, 2>>>(x.data_ptr<float>(), y.data_ptr<float>(), 2.f, 4); return y; })");
    const verify::RunResult r = Gpu::instance().run(source, {floats({1, 2, 3, 4})});
    QCOMPARE(r.end, RunEnd::finished);
    const std::vector<double> got = elements(r.output);
    QVERIFY(got[0] == 2 && got[1] == 4 && std::isnan(got[2]) && std::isnan(got[3]));
    QVERIFY(r.firstUnwritten.empty() || !r.firstUnwritten[0]); // a GPU cannot tell
}

void TestCudaRuns::staticsLiveFromCallToCall() {
    NEEDS_GPU();
    const std::string source = bound(scaleKernel + R"(
torch::Tensor forward(torch::Tensor x) { static int calls = 0; ++calls; auto y = torch::empty_like(x);
    scale<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), float(calls), int(x.numel())); return y; })");
    const compile::CompiledUnit unit = Gpu::instance().compiled(source);
    verify::RunRequest request;
    request.arguments = {floats({1, 2})};
    request.earlierCalls = {{floats({5, 6})}, {floats({7, 8})}};
    const verify::RunResult r = Gpu::instance().run(unit, request);
    QCOMPARE(elements(r.output), (std::vector<double>{3, 6}));
    request.sameAddresses = true;
    QCOMPARE(elements(Gpu::instance().run(unit, request).output), (std::vector<double>{3, 6}));
}

void TestCudaRuns::skippedLaunchesLeaveNoTrace() {
    NEEDS_GPU();
    const compile::CompiledUnit unit =
        Gpu::instance().compiled(scaling("scale<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"));
    verify::RunRequest request;
    request.arguments = {floats({1, 2})};
    request.skipLaunches = true;
    const verify::RunResult r = Gpu::instance().run(unit, request);
    QCOMPARE(r.launches.size(), std::size_t(1));
    QCOMPARE(elements(r.output), (std::vector<double>{0, 0}));
}

/// Two kernels on two streams, the second of which doubles what the first leaves; and with an event between them.
void TestCudaRuns::streamsThatNothingOrdersRunTheOtherWayRound() {
    NEEDS_GPU();
    const auto source = [](const char* between) {
        return bound(QString(R"(
__global__ void first(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = 1; }
__global__ void second(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = 2 * y[i] + 1; }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::zeros_like(x);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEvent_t e;
    cudaEventCreate(&e);
    first<<<1, 32, 0, a>>>(y.data_ptr<float>(), int(y.numel()));
    %1
    second<<<1, 32, 0, b>>>(y.data_ptr<float>(), int(y.numel()));
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    return torch::relu(y);
})")
                         .arg(QLatin1String(between))
                         .toStdString());
    };
    const auto outputOf = [&](const char* between, bool contrary) {
        verify::RunRequest request;
        request.arguments = {floats({1, 2, 3})};
        request.contraryStreams = contrary;
        const verify::RunResult result = Gpu::instance().run(Gpu::instance().compiled(source(between)), request);
        if (result.end != verify::RunEnd::finished) qWarning("%s", result.reason.c_str());
        return elements(result.output);
    };
    const std::vector<double> inOrder{3, 3, 3}, contrary{1, 1, 1};
    QCOMPARE(outputOf("", false), inOrder);
    QCOMPARE(outputOf("", true), contrary);
    QCOMPARE(outputOf("cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0);", true), inOrder);
    QCOMPARE(outputOf("cudaStreamSynchronize(a);", true), inOrder);
}

void TestCudaRuns::everyRunStartsAnew() {
    NEEDS_GPU();
    const compile::CompiledUnit unit = Gpu::instance().compiled(bound(R"(
__device__ int seen;
__global__ void count(float* y) { y[0] = float(++seen); }
torch::Tensor forward(torch::Tensor x) { auto y = torch::zeros_like(x); count<<<1, 1>>>(y.data_ptr<float>()); return y; })"));
    verify::RunRequest request;
    request.arguments = {floats({0})};
    for (int run = 0; run < 3; ++run)
        QCOMPARE(elements(Gpu::instance().run(unit, request).output), (std::vector<double>{1}));
}

void TestCudaRuns::tooMuchMemoryIsNotTheKernelsFault() {
    NEEDS_GPU();
    const verify::RunResult r = Gpu::instance().run(
        bound("torch::Tensor forward(torch::Tensor x) { return torch::empty({1 << 20, 1 << 20, 8}, x.options()); }"),
        {floats({1})});
    QCOMPARE(r.end, RunEnd::out_of_memory);
    QVERIFY2(r.reason.find("CUDA out of memory") != std::string::npos, r.reason.c_str());
    QVERIFY(!Gpu::instance().context()->isLost());
}

void TestCudaRuns::ptxStandsInForACubin() {
    NEEDS_GPU();
    compile::CompiledUnit unit =
        Gpu::instance().compiled(scaling("scale<<<1, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3.f, n);"));
    unit.cubin.clear();
    verify::RunRequest request;
    request.arguments = {floats({1, 2})};
    const verify::RunResult r = Gpu::instance().run(unit, request);
    QCOMPARE(elements(r.output), (std::vector<double>{3, 6}));
    QVERIFY(std::any_of(r.remarks.begin(), r.remarks.end(),
                        [](const std::string& s) { return s.find("PTX") != std::string::npos; }));
}

void TestCudaRuns::whatOnlyTheEmulatorTellsIsRefused() {
    NEEDS_GPU();
    const compile::CompiledUnit unit = Gpu::instance().compiled(scaling(""));
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.cubin = unit.cubin;
    device::CudaRunner runner(Gpu::instance().context(), Gpu::instance().pool(), std::move(program), {});
    verify::RunRequest request;
    request.arguments = {floats({1})};
    request.counters = true;
    const auto refused = runner.run(request);
    QCOMPARE(refused.error().code, std::string("unsupported"));
    QVERIFY(refused.error().message.find("counters") != std::string::npos);
}

void TestCudaRuns::filesWithoutKernelsRun() {
    NEEDS_GPU();
    const verify::RunResult r =
        Gpu::instance().run(bound("torch::Tensor forward(torch::Tensor x) { return x * 2; }"), {floats({1, 2})});
    QCOMPARE(elements(r.output), (std::vector<double>{2, 4}));
    QVERIFY(r.launches.empty());
}

KERNELARIUM_TEST(TestCudaRuns);
