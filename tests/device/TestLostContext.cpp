// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestLostContext.h"

#include "core/task/Card.h"
#include "gpu/protocol/KernelClient.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QFileInfo>
#include <QtTest>

using namespace kernelarium;
using nlohmann::json;
using test::Gpu;

namespace {

protocol::RunParameters parametersFor(const std::string& kernel, const std::string& launch) {
    protocol::RunParameters p;
    p.unit = std::make_shared<const compile::CompiledUnit>(Gpu::instance().compiled(
        test::bound(kernel + "\ntorch::Tensor forward(torch::Tensor x) { auto y = torch::zeros_like(x);\n" + launch +
                    "\nreturn y; }")));
    p.backend = "cuda";
    p.arguments = {"float32[64]"};
    p.timeLimit = std::chrono::milliseconds(2000);
    return p;
}

protocol::RunParameters healthy() {
    return parametersFor("__global__ void one(float* y) { y[threadIdx.x] = 1.f; }",
                         "one<<<1, 64>>>(y.data_ptr<float>());");
}

Result<protocol::RunSummary> ask(protocol::KernelClient& client, const protocol::RunParameters& p) {
    return client.run(p);
}

} // namespace

void TestLostContext::init() {
    NEEDS_GPU();
    if (!QFileInfo::exists(test::cliProgram())) QSKIP("no kernelarium-cli to be the run child");
}

void TestLostContext::theRunIsLostAndNoMore_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("launch");
    QTest::addColumn<QString>("end");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("fault");
    QTest::newRow("an illegal address") << "__global__ void far(float* y) { y[(1ull << 40) + threadIdx.x] = 1.f; }"
                                        << "far<<<1, 64>>>(y.data_ptr<float>());"
                                        << "crashed"
                                        << "illegal memory access"
                                        << "illegal_address";
    QTest::newRow("a misaligned address") << "__global__ void odd(float* y) { *(float*)((char*)y + 1) = 1.f; }"
                                          << "odd<<<1, 1>>>(y.data_ptr<float>());"
                                          << "crashed"
                                          << "misaligned"
                                          << "misaligned";
    QTest::newRow("a failed assert") << "#include <cassert>\n__global__ void no(float* y) { assert(y[0] == 3.f); }"
                                     << "no<<<1, 1>>>(y.data_ptr<float>());"
                                     << "crashed"
                                     << "assert"
                                     << "trap";
    QTest::newRow("a trap") << "__global__ void stop() { __trap(); }"
                            << "stop<<<1, 1>>>();"
                            << "crashed"
                            << "stop"
                            << "trap";
    QTest::newRow("a loop without end") << "__global__ void spin(volatile float* y) { while (y[0] == 0.f) {} }"
                                        << "spin<<<1, 1>>>(y.data_ptr<float>());"
                                        << "timeout"
                                        << "time limit"
                                        << "";
}

void TestLostContext::theRunIsLostAndNoMore() {
    QFETCH(QString, kernel);
    QFETCH(QString, launch);
    QFETCH(QString, end);
    QFETCH(QString, word);
    QFETCH(QString, fault);
    protocol::KernelClient client({test::cliProgram().toStdString(), "worker", "run"});
    const auto before = ask(client, healthy());
    QVERIFY2(before.ok() && before->end == "finished", before ? before->reason.c_str() : before.error().text().c_str());
    const pid_t first = client.childPid();
    const auto ruined = ask(client, parametersFor(kernel.toStdString(), launch.toStdString()));
    QVERIFY2(ruined.ok(), ruined ? "" : ruined.error().text().c_str());
    QCOMPARE(QString::fromStdString(ruined->end), end);
    QVERIFY2(QString::fromStdString(ruined->reason).contains(word), ruined->reason.c_str());
    QCOMPARE(ruined->faults.empty() ? QString() : QString::fromStdString(ruined->faults.front().kind), fault);
    QCOMPARE(client.childPid(), -1); // it said that it ends
    const auto after = ask(client, healthy());
    QVERIFY2(after.ok() && after->end == "finished", after ? after->reason.c_str() : after.error().text().c_str());
    QVERIFY(client.childPid() != first);
    QCOMPARE(after->outputs.at(0).mean, 1.0);
}

void TestLostContext::anOddSizeThatCrashesIsARemark_data() {
    QTest::addColumn<QString>("size");
    QTest::newRow("small") << "small";
    QTest::newRow("both") << "both";
}

/// Rows as float4: misaligned where a row's length is odd. What follows that crash has a context of its own.
void TestLostContext::anOddSizeThatCrashesIsARemark() {
    QFETCH(QString, size);
    const Result<task::Card> card = task::loadCard(1, 19);
    QVERIFY(card.ok());
    protocol::RunParameters p;
    p.unit = std::make_shared<const compile::CompiledUnit>(Gpu::instance().compiled(test::bound(R"(
__global__ void relu_rows(const float* x, float* y, int columns) {
    const float4* from = (const float4*)(x + (size_t)blockIdx.x * columns);
    float4* to = (float4*)(y + (size_t)blockIdx.x * columns);
    for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
        float4 v = from[i];
        to[i] = make_float4(fmaxf(v.x, 0.f), fmaxf(v.y, 0.f), fmaxf(v.z, 0.f), fmaxf(v.w, 0.f));
    }
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    relu_rows<<<x.size(0), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
})")));
    p.backend = "cuda";
    p.card = std::make_shared<const task::Card>(*card);
    p.size = size.toStdString();
    protocol::KernelClient client({test::cliProgram().toStdString(), "worker", "run"});
    const auto answer = client.verify(p);
    QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
    QVERIFY2(answer->verdict.kind == verify::VerdictKind::verified, answer->verdict.message.c_str());
    QCOMPARE(answer->verdict.remarks, std::vector<std::string>{"shape_specific"});
    QCOMPARE(QString::fromStdString(answer->verdict.size), size);
}

KERNELARIUM_TEST(TestLostContext);
