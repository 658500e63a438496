// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestTuneOnGpu.h"

#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace kernelarium::test;
using nlohmann::json;

namespace {

json answerOf(const QStringList& arguments) {
    QProcess program;
    program.start(cliProgram(), arguments);
    if (!program.waitForFinished(300000)) program.kill();
    return json::parse(program.readAllStandardOutput().toStdString(), nullptr, false);
}

} // namespace

/// The kernel as it stands does its work a hundred times over, so what wins is known, and by how much at least.
void TestTuneOnGpu::theWinnerIsConfirmedInAFreshProcess() {
    if (!Gpu::instance().missing().isEmpty()) QSKIP(Gpu::instance().missing().constData());
    const QTemporaryDir folder;
    QFile file(folder.filePath("relu.cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString("#include <torch/extension.h>\nconstexpr int TIMES = 100; // tune: 1, 100\n"
                                         "__global__ void relu(const float* x, float* y, int64_t n) {\n"
                                         "  const int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x;\n"
                                         "  for (int k = 0; k < TIMES; ++k)\n"
                                         "    if (i < n) { y[i] = fmaxf(x[i], 0.0f); __threadfence(); }\n}\n") +
               QByteArray::fromStdString(bound("torch::Tensor forward(torch::Tensor x) {\n"
                                               "  auto y = torch::empty_like(x); const int64_t n = x.numel();\n"
                                               "  relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), "
                                               "y.data_ptr<float>(), n);\n  return y;\n}\n")));
    file.close();
    const QString store = folder.filePath("a.sweep");
    const json found = answerOf({"tune", file.fileName(), "--task", "1/19", "--backend", "cuda", "--store", store,
                                 "--json", "--size", "small"});
    QVERIFY2(found.is_object() && found.at("best").is_object(), found.dump().c_str());
    QCOMPARE(found.at("best").at("key"), json("TIMES=1"));
    QCOMPARE(found.at("confirmations").size(), std::size_t(1));
    const json& confirmation = found.at("confirmations").at(0);
    QVERIFY2(confirmation.at("holds") == true && confirmation.at("pairs").get<int>() >= 6, confirmation.dump().c_str());
    QVERIFY(confirmation.at("low").get<double>() > 1 && confirmation.at("high") >= confirmation.at("ratio"));
    // It is in the store, and not timed again.
    QCOMPARE(answerOf({"tune", "resume", store, "--json"}).at("confirmations"), found.at("confirmations"));
    QCOMPARE(answerOf({"tune", "show", store, "--json"}).at("confirmations"), found.at("confirmations"));
}

KERNELARIUM_TEST(TestTuneOnGpu);
