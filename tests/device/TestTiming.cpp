// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestTiming.h"

#include "gpu/device/timing/Ceiling.h"
#include "gpu/device/timing/Timing.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QtTest>
#include <utility>

using namespace kernelarium;
using device::TimingMode;
using test::bound;
using test::Gpu;

namespace {

device::CudaProgram programOf(const std::string& body) {
    const compile::CompiledUnit unit = Gpu::instance().compiled(body);
    if (!unit.ok) qWarning("%s", unit.log.c_str());
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx;
    return program;
}

device::TimingRequest requestOf(TimingMode mode = TimingMode::cold) {
    device::TimingRequest request;
    request.mode = mode;
    request.requests = 20;
    request.stop.secondsAtMost = 0.5;
    request.energy = false;
    request.arguments = [](std::uint64_t seed) {
        std::vector<float> values(1 << 16);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = float((i * 7 + seed * 13) % 101);
        return std::vector<tensor::Value>{test::floats(values)};
    };
    return request;
}

Result<device::TimingResult> timed(const std::string& body, const device::TimingRequest& request) {
    device::CudaSettings settings;
    settings.operators = Gpu::instance().operatorParts();
    device::KernelTimer timer(Gpu::instance().context(), Gpu::instance().pool(), settings);
    return timer.time(programOf(body), request);
}

const std::string doubling = R"(
__global__ void twice(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }
)";

std::string forwardOf(const std::string& body) {
    return bound(doubling +
                 "torch::Tensor forward(torch::Tensor x) { auto y = torch::empty_like(x); int n = x.numel();\n" + body +
                 "\nreturn y; }");
}

const std::string plain = forwardOf("twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);");

} // namespace

void TestTiming::samplesOfDeviceWork_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("cold") << int(TimingMode::cold);
    QTest::newRow("hot") << int(TimingMode::hot);
    QTest::newRow("server") << int(TimingMode::server);
}

void TestTiming::samplesOfDeviceWork() {
    NEEDS_GPU();
    QFETCH(int, mode);
    const auto result = timed(plain, requestOf(TimingMode(mode)));
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->end, verify::RunEnd::finished);
    QVERIFY(result->deviceOnly);
    QVERIFY(result->samples.size() >= 10);
    for (const perf::Sample& sample : result->samples)
        QVERIFY(sample.seconds > 0);
    QCOMPARE(result->serviceSeconds.size(),
             TimingMode(mode) == TimingMode::server ? result->samples.size() : std::size_t(0));
    QVERIFY(result->comparedElements > 0);
    QCOMPARE(result->differingElements, std::size_t(0));
    QVERIFY(result->peakBytes >= 2 * 4 * (1u << 16));
}

void TestTiming::everyStepIsReplayed() {
    NEEDS_GPU();
    const auto result = timed(bound(R"(
__constant__ float k[2];
__global__ void add(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i] * k[0] + k[1]; }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::full_like(x, 3.0); float h[2] = {2, 1}; int n = x.numel();
    cudaMemcpyToSymbol(k, h, sizeof(h));
    for (int i = 0; i < 3; ++i) add<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
})"),
                              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->differingElements, std::size_t(0)); // the fill and the upload are among the steps: y accumulates
    QVERIFY(result->comparedElements > 0);
    const auto kernels =
        std::count_if(result->steps.begin(), result->steps.end(), [](const device::StepTime& s) { return s.isKernel; });
    QCOMPARE(int(kernels), 3);
    QCOMPARE(result->steps.size(), std::size_t(5));
    QVERIFY(result->steps.back().name.find("add") != std::string::npos);
    QCOMPARE(result->steps.back().block[0], 256u);
}

void TestTiming::streamsOverlapAsAsked_data() {
    QTest::addColumn<QByteArray>("between");
    QTest::addColumn<double>("together"); // seconds of one call
    QTest::newRow("side by side") << QByteArray("") << 0.002;
    QTest::newRow("one waits for the other")
        << QByteArray("cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s[0]); cudaStreamWaitEvent(s[1], e, 0);")
        << 0.004;
    QTest::newRow("the host waits") << QByteArray("cudaStreamSynchronize(s[0]);") << 0.004;
}

/// Two kernels of two milliseconds each, the second of which reads what the first writes where it waits for it.
void TestTiming::streamsOverlapAsAsked() {
    NEEDS_GPU();
    QFETCH(QByteArray, between);
    QFETCH(double, together);
    const bool ordered = !between.isEmpty();
    const auto result = timed(bound(R"(
__global__ void slow(const float* x, float* y, int n) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); } while (now - begin < 2000000);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] + 1;
}
torch::Tensor forward(torch::Tensor x) {
    auto a = torch::empty_like(x), b = torch::empty_like(x);
    int n = x.numel();
    cudaStream_t s[2];
    for (int i = 0; i < 2; ++i) cudaStreamCreate(&s[i]);
    slow<<<1, 256, 0, s[0]>>>(x.data_ptr<float>(), a.data_ptr<float>(), n);
    )" + between.toStdString() + "\n    slow<<<1, 256, 0, s[1]>>>(" +
                                    (ordered ? "a" : "x") + R"(.data_ptr<float>(), b.data_ptr<float>(), n);
    cudaDeviceSynchronize();
    return b;
})"),
                              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->end, verify::RunEnd::finished);
    QCOMPARE(result->differingElements, std::size_t(0));
    std::vector<double> seconds;
    for (const perf::Sample& sample : result->samples)
        seconds.push_back(sample.seconds);
    std::sort(seconds.begin(), seconds.end());
    const double median = perf::quantile(seconds, 0.5);
    QVERIFY2(median > together * 0.95 && median < together * 1.4, qPrintable(QString::number(median)));
}

void TestTiming::aValueReadBackIsWaitedFor() {
    NEEDS_GPU();
    const auto result =
        timed(forwardOf("twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); float h; "
                        "cudaMemcpy(&h, y.data_ptr<float>(), 4, cudaMemcpyDeviceToHost);"
                        "twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), h == h ? n : 0);"),
              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QVERIFY(result->deviceOnly);
    QVERIFY(!result->samples.empty());
    QCOMPARE(result->steps.size(), std::size_t(3));
    QVERIFY2(result->steps[1].name.find("read of 4 bytes") != std::string::npos, result->steps[1].name.c_str());
    QVERIFY(std::any_of(result->remarks.begin(), result->remarks.end(),
                        [](const std::string& text) { return text.find("waits for a value") != std::string::npos; }));
}

void TestTiming::muchReadBackIsTimedWithHostCode() {
    NEEDS_GPU();
    const auto result =
        timed(forwardOf("twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); static float "
                        "h[2048]; cudaMemcpy(h, y.data_ptr<float>(), sizeof h, cudaMemcpyDeviceToHost);"),
              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QVERIFY(!result->deviceOnly);
    QVERIFY(!result->samples.empty());
    QVERIFY(!result->remarks.empty() && result->remarks.back().find("8192 bytes back") != std::string::npos);
}

void TestTiming::libraryOperatorsAreTimed() {
    NEEDS_GPU();
    const auto result = timed(bound(doubling + R"(
torch::Tensor forward(torch::Tensor x) {
    auto m = x.view({256, 256}); auto t = torch::mm(m, m.t()); auto y = torch::empty_like(t); int n = t.numel();
    twice<<<(n + 255) / 256, 256>>>(t.data_ptr<float>(), y.data_ptr<float>(), n);
    return torch::linear(torch::relu(y).add_(1.0), m, m.sum(0));
})"),
                              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->end, verify::RunEnd::finished);
    QVERIFY(result->deviceOnly);
    QVERIFY(result->samples.size() >= 10);
    QVERIFY(result->comparedElements > 0);
    QCOMPARE(result->differingElements, std::size_t(0)); // the products are among what is queued again
    const auto named = [&](const char* text) {
        return std::any_of(result->steps.begin(), result->steps.end(),
                           [&](const device::StepTime& s) { return s.name.find(text) != std::string::npos; });
    };
    for (const char* text : {"aten.mm", "twice", "aten.relu", "aten.add_", "aten.linear"})
        QVERIFY2(named(text), text);
}

void TestTiming::operatorsOnTheProcessorAreRefused() {
    NEEDS_GPU();
    const auto result =
        timed(bound("torch::Tensor forward(torch::Tensor x) { return x + torch::randn_like(x); }"), requestOf());
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, std::string("unsupported"));
    QVERIFY2(result.error().message.find("randn_like") != std::string::npos, result.error().message.c_str());
}

/// It computes on its first call alone, and afterwards gives what it gave then.
void TestTiming::rememberedResultsShow() {
    NEEDS_GPU();
    const auto result = timed(bound(R"(
__device__ int done = 0;
__device__ float kept[1 << 16];
__global__ void lazy(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { if (!done) kept[i] = 2 * x[i]; y[i] = kept[i]; } }
__global__ void finish() { done = 1; }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x); int n = x.numel();
    lazy<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    finish<<<1, 1>>>();
    return y;
})"),
                              requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QVERIFY(result->differingElements > 0);
    QVERIFY(result->remarks.back().find("remembered") != std::string::npos);
}

void TestTiming::whatWasDrawnStaysAsItWas() {
    NEEDS_GPU();
    device::TimingRequest request = requestOf();
    const std::vector<tensor::Value> kept = request.arguments(1);
    const auto bytes = [&] {
        const std::span<const std::byte> all = std::as_const(*kept[0].as<tensor::Tensor>()).bytes();
        return std::vector<std::byte>(all.begin(), all.end());
    };
    const std::vector<std::byte> before = bytes();
    request.arguments = [&](std::uint64_t) { return kept; };
    const auto result = timed(bound(R"(
__global__ void add(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }
torch::Tensor forward(torch::Tensor x) { int n = x.numel(); add<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), n); return x; }
)"),
                              request);
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->end, verify::RunEnd::finished);
    QVERIFY(bytes() == before); // kept for the next timing
}

void TestTiming::failedForwardHasNoSamples() {
    NEEDS_GPU();
    const auto result = timed(forwardOf("TORCH_CHECK(false, \"no\");"), requestOf());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(result->end, verify::RunEnd::host_exception);
    QVERIFY(result->samples.empty());
}

void TestTiming::pairsAlternate() {
    NEEDS_GPU();
    device::KernelTimer timer(Gpu::instance().context(), Gpu::instance().pool(), {});
    const auto pairs = timer.compare(programOf(plain), programOf(plain), requestOf());
    QVERIFY2(pairs.ok(), pairs ? "" : pairs.error().text().c_str());
    QVERIFY(pairs->pairs.size() >= 20);
    for (std::size_t i = 0; i < pairs->pairs.size(); ++i) {
        QCOMPARE(pairs->pairs[i].firstWentFirst, i % 2 == 0);
        QVERIFY(pairs->pairs[i].first > 0 && pairs->pairs[i].second > 0);
    }
}

void TestTiming::ceilingsAreMeasured() {
    NEEDS_GPU();
    const auto measured = device::measureCeilings(Gpu::instance().context(), Gpu::instance().pool(),
                                                  compile::Toolkit::find(), {}, [](const std::string&) {});
    QVERIFY2(measured.ok(), measured ? "" : measured.error().text().c_str());
    for (const char* key :
         {"device_read", "device_write", "device_copy", "l2", "shared", "fp32", "fp64", "fp16", "special"}) {
        QVERIFY2(measured->find(key), key);
        QVERIFY2(measured->find(key)->rate > 0, key);
    }
}

KERNELARIUM_TEST(TestTiming);
