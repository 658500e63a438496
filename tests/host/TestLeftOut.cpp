// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/ShareOfBlocks.h"
#include "core/verify/Verifier.h"
#include "tests/TestRegistry.h"
#include "tests/host/EndToEnd.h"

#include <QtTest>
#include <algorithm>
#include <numeric>

namespace kernelarium::test {

namespace {

constexpr std::int64_t width = 64 * 64; ///< 64 blocks of 64 threads

constexpr const char* kernels = R"(
__global__ void slow(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 200; ++k) sum = sum * 0.5f + x[i];
    y[i] = sum;
}
__global__ void plusOne(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
}
__global__ void reversedInBlock(const float* x, float* y) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void shifted(const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[(i + 32) % 4096];
}
__global__ void warpSum(const float* x, float* y) {
    float v = x[blockIdx.x * 64 + 2 * threadIdx.x % 64];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    y[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void slowTotal(const float* x, float* y) {
    float sum = 0.0f;
    for (int k = 0; k < 200; ++k) sum = sum * 0.5f + x[blockIdx.x * 64 + threadIdx.x];
    atomicAdd(y + threadIdx.x, sum);
}
__global__ void slowChain(float* y, volatile int* turn) {
    float sum = 0.0f;
    for (int k = 0; k < 200; ++k) sum = sum * 0.5f + k;
    while (*turn != int(blockIdx.x)) {}
    y[blockIdx.x * 64 + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) { __threadfence(); *turn = blockIdx.x + 1; }
}
__global__ void slowAndWrong(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 200; ++k) sum = sum * 0.5f + x[i];
    y[i] = threadIdx.x == 9 ? 0.0f : sum;
}
__global__ void slowPastTheEnd(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 200; ++k) sum = sum * 0.5f + x[i];
    y[i + (blockIdx.x == 0 ? 4096 : 0)] = sum;
}
)";

std::string forwardOf(const std::string& body) {
    return bound(
        kernels +
        ("torch::Tensor forward(torch::Tensor x) { auto y = torch::empty_like(x); auto z = torch::empty_like(x);\n" +
         body + "}"));
}

std::vector<tensor::Value> ramp() {
    std::vector<float> values(width);
    std::iota(values.begin(), values.end(), 1001.0f);
    return {tensor::Value(floats(values))};
}

std::int64_t countKnown(const verify::RunResult& result, std::size_t output = 0) {
    if (!result.leftOut || output >= result.leftOut->known.size()) return -1;
    const auto& known = result.leftOut->known[output];
    return std::count(known.begin(), known.end(), std::uint8_t(1));
}

} // namespace

/// Runs that leave blocks out: what they call known is what the whole grids give.
class TestLeftOut : public QObject {
    Q_OBJECT

private:
    EndToEnd m_machine;

    verify::RunResult run(const std::string& body, bool sampled) {
        verify::RunRequest request;
        request.arguments = ramp();
        if (sampled) request.sampleAbove = 20'000; // of about 80,000 that `slow` takes
        if (sampled) request.timeLimit = std::chrono::seconds(5);
        host::EmulatorSettings settings;
        settings.jobs = 2;
        return m_machine.run(forwardOf(body), std::move(request), settings);
    }

private slots:
    void initTestCase() {
        if (const std::string why = m_machine.unavailable(); !why.empty()) QSKIP(why.c_str());
    }

    void knownElementsAreThoseOfTheWholeGrid_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("some"); // at least an eighth is known; else nothing
        const auto row = [](const char* name, const char* body, bool some) {
            QTest::newRow(name) << QString(body) << some;
        };
        row("alone", "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;", true);
        row("a view of it", "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y.view({64, 64}).t();",
            true);
        row("then element by element",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "plusOne<<<16, 256>>>(y.data_ptr<float>(), z.data_ptr<float>()); return z;",
            true);
        row("then in place",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "plusOne<<<16, 256>>>(y.data_ptr<float>(), y.data_ptr<float>()); return y;",
            true);
        row("then through shared memory",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "reversedInBlock<<<64, 64>>>(y.data_ptr<float>(), z.data_ptr<float>()); return z;",
            true);
        row("then from another block's place",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "shifted<<<64, 64>>>(y.data_ptr<float>(), z.data_ptr<float>()); return z;",
            true);
        row("then across lanes",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "warpSum<<<64, 64>>>(y.data_ptr<float>(), z.data_ptr<float>()); return z;",
            true);
        row("a copy",
            "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "cudaMemcpy(z.data_ptr<float>(), y.data_ptr<float>(), 4096 * 4, cudaMemcpyDeviceToDevice); return z;",
            true);
        row("a sum over blocks",
            "y.zero_(); slowTotal<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;", false);
        row("element by element after a sum over blocks",
            "y.zero_(); slowTotal<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>());"
            "plusOne<<<16, 256>>>(y.data_ptr<float>(), z.data_ptr<float>()); return z;",
            false);
        row("filled by a library before",
            "z.fill_(3); slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return z;", false);
    }
    void knownElementsAreThoseOfTheWholeGrid() {
        QFETCH(QString, body);
        QFETCH(bool, some);
        const verify::RunResult part = run(body.toStdString(), true);
        const verify::RunResult whole = run(body.toStdString(), false);
        QVERIFY2(part.end == verify::RunEnd::finished, part.reason.c_str());
        QVERIFY(whole.end == verify::RunEnd::finished && !whole.leftOut);
        QVERIFY(part.leftOut);
        QCOMPARE(part.leftOut->blocks, 64.0);
        QVERIFY(part.leftOut->executed >= 8 && part.leftOut->executed < 64);
        QVERIFY(part.faults.empty());
        const std::int64_t known = countKnown(part);
        QVERIFY2(some ? known >= width / 16 && known < width : known == 0, std::to_string(known).c_str());
        const std::vector<double> got = elements(part.output), expected = elements(whole.output);
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (part.leftOut->known[0][i]) QCOMPARE(got[i], expected[i]);
    }

    void shortLaunchesAreExecutedWhole() {
        const auto result = run("plusOne<<<16, 256>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;", true);
        QVERIFY(result.end == verify::RunEnd::finished && !result.leftOut);
        QCOMPARE(result.launches.at(0).executedBlocks, 0u);
    }

    void whatNeedsTheOthersStopsTheRun_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("word");
        QTest::newRow("a library operator")
            << "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return torch::relu(y);"
            << "relu";
        QTest::newRow("host code")
            << "slow<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); float h[4096];"
               "cudaMemcpy(h, y.data_ptr<float>(), sizeof h, cudaMemcpyDeviceToHost); y.fill_(h[4095]); return y;"
            << "cudaMemcpy";
        QTest::newRow("blocks that wait for one another")
            << "auto turn = torch::zeros({1}, torch::dtype(torch::kInt32).device(torch::kCUDA));"
               "slowChain<<<64, 64>>>(y.data_ptr<float>(), turn.data_ptr<int>()); return y;"
            << "slowChain";
    }
    void whatNeedsTheOthersStopsTheRun() {
        QFETCH(QString, body);
        QFETCH(QString, word);
        const verify::RunResult result = run(body.toStdString(), true);
        QVERIFY2(result.end == verify::RunEnd::beyond_sample, result.reason.c_str());
        QVERIFY2(result.reason.find(word.toStdString()) != std::string::npos, result.reason.c_str());
        QVERIFY(run(body.toStdString(), false).end == verify::RunEnd::finished);
    }

    void faultsOfExecutedBlocksAreSeen() {
        const auto result =
            run("slowPastTheEnd<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;", true);
        QVERIFY(result.leftOut);
        QCOMPARE(result.faults.size(), std::size_t(1));
        QCOMPARE(result.faults[0].kind, std::string("out_of_bounds"));
    }

    void wrongElementsAreFoundAmongTheKnown() {
        const std::string body = "<<<64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>()); return y;";
        const verify::RunResult right = run("slow" + body, false);
        verify::RunResult part = run("slowAndWrong" + body, true);
        QVERIFY(part.leftOut);
        const verify::ComparedShare share = verify::takeUnknownElements(part, right.output);
        QCOMPARE(share.elements, width);
        QCOMPARE(share.known, std::int64_t(64 * share.executed));
        const verify::Comparison all = verify::compare(part.output, right.output, {}, {});
        const verify::Comparison found = verify::ofShare(all, share);
        QCOMPARE(found.beyondLegacy, std::int64_t(share.executed)); // one of each executed block
        QCOMPARE(found.mismatchShare(), 1.0 / 64);
        verify::RunResult rightPart = run("slow" + body, true);
        (void)verify::takeUnknownElements(rightPart, right.output);
        QVERIFY(verify::compare(rightPart.output, right.output, {}, {}).rightStrictly());
    }

    void onlyLongWorkIsCut_data() {
        QTest::addColumn<QList<double>>("costs");
        QTest::addColumn<double>("level"); // -1: nothing is left out
        QTest::newRow("nothing") << QList<double>{} << -1.0;
        QTest::newRow("short") << QList<double>{1e8, 2e8} << -1.0;
        QTest::newRow("one") << QList<double>{1e10} << 3e8;
        QTest::newRow("two alike") << QList<double>{1e10, 1e10} << 1.5e8;
        QTest::newRow("one long, one short") << QList<double>{1e8, 1e10} << 2e8;
    }
    void onlyLongWorkIsCut() {
        QFETCH(QList<double>, costs);
        QFETCH(double, level);
        std::vector<perf::LaunchCounters> launches(std::size_t(costs.size()));
        for (std::size_t i = 0; i < launches.size(); ++i)
            launches[i].totals.warpInstructions = costs[qsizetype(i)];
        const auto found = verify::instructionsToSampleAbove(launches);
        QCOMPARE(found ? double(*found) : -1.0, level);
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestLeftOut);
#include "TestLeftOut.moc"
