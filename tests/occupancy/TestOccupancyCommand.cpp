// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

QStringList numbers(const QStringList& more) {
    return QStringList{"occupancy"} + more;
}

/// Two kernels: one with shared memory of both kinds that is launched twice, one that is not launched.
constexpr const char* twoKernels = R"(
#include <torch/extension.h>
__global__ void staged(const float* a, float* c, int n) {
    __shared__ float fixed[256];
    extern __shared__ float more[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    fixed[threadIdx.x] = i < n ? a[i] : 0.f;
    more[threadIdx.x] = fixed[threadIdx.x];
    __syncthreads();
    if (i < n) c[i] = more[threadIdx.x ^ 1] + fixed[threadIdx.x];
}
__global__ void __launch_bounds__(128) never(float* c) { c[threadIdx.x] = 1.f; }
__global__ void unbounded(float* c) { c[threadIdx.x] = 1.f; }
torch::Tensor forward(torch::Tensor a) {
    auto c = torch::empty_like(a);
    const int n = a.numel();
    for (int round = 0; round < 2; ++round)
        staged<<<(n + 255) / 256, 256, 40000>>>(a.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";

QString written(const QTemporaryDir& folder, const char* text) {
    const QString path = folder.filePath(QStringLiteral("kernel.cu"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return path;
}

} // namespace

class TestOccupancyCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A program with a main of its own launches what it likes; what it returns does not matter.
    void ofAProgram() {
        const QTemporaryDir folder;
        const QString program = written(folder, R"(
__global__ void squares(int* a) { a[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
    int* a;
    cudaMalloc(&a, 512);
    squares<<<3, 96>>>(a);
    return 7;
}
)");
        const CliAnswer answer = callCli({"occupancy", program, "--json"});
        QVERIFY2(answer.exitCode == 0, answer.messages.constData());
        const json block = answer.json().at("blocks").at(0);
        QCOMPARE(block.at("needs").at("threads").get<int>(), 96);
        QCOMPARE(block.at("launches").get<int>(), 1);
        QCOMPARE(block.at("grid").at(0).get<int>(), 3);
        QCOMPARE(callCli({"occupancy", program, "--threads", "64"}).exitCode, 0);
    }

    void ofNumbers() {
        const CliAnswer people = callCli(numbers({"--threads", "256", "--registers", "42", "--arch", "sm_90"}));
        QCOMPARE(people.exitCode, 0);
        for (const char* said : {"5 blocks, 40 of 64 warps", "limited by registers",
                                 "40 instead of 42 registers a thread: 6 blocks instead of 5", "49 instead of 42"})
            QVERIFY2(people.output.contains(said), people.output.constData());
        const CliAnswer answer = callCli(
            numbers({"--threads", "256", "--registers", "42", "--shared", "1000", "--arch", "sm_86", "--json"}));
        QCOMPARE(answer.exitCode, 0);
        const json j = answer.json();
        QCOMPARE(j.at("arch").get<std::string>(), std::string("sm_86"));
        QCOMPARE(j.at("limits").at("blocks").get<int>(), 16);
        const json& block = j.at("blocks").at(0);
        QVERIFY(block.at("kernel").is_null());
        QCOMPARE(block.at("needs").at("shared_bytes").get<int>(), 1000);
        QCOMPARE(block.at("occupancy").at("blocks").get<int>(), 5);
        QCOMPARE(block.at("occupancy").at("limits"), json::array({"registers"}));
        QCOMPARE(block.at("curves").at("threads").back().at("to").get<int>(), 1024);
    }

    void aCurveMarksTheOwnPoint() {
        const CliAnswer answer =
            callCli(numbers({"--threads", "128", "--registers", "34", "--curve", "registers", "--arch", "sm_80"}));
        QCOMPARE(answer.exitCode, 0);
        bool marked = false;
        for (const QByteArray& line : answer.output.split('\n'))
            if (line.contains("<- 34")) marked = line.contains("33-40") && line.contains("blocks 12  warps 48");
        QVERIFY2(marked, answer.output.constData());
    }

    void whatDoesNotFitIsOne() {
        const CliAnswer answer = callCli(numbers({"--threads", "1024", "--registers", "65"}));
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(answer.output.contains("one block does not fit") && answer.output.contains("64 instead of 65"),
                 answer.output.constData());
    }

    /// Geometry and shared memory from the run, registers from the compiler, both for the architecture.
    void ofLaunches() {
        const QTemporaryDir folder;
        const QString file = written(folder, twoKernels);
        const CliAnswer answer = callCli(numbers({file, "--arg", "float32[5000]", "--arch", "sm_86", "--json"}));
        QVERIFY2(answer.exitCode == 0, answer.messages.constData());
        const json j = answer.json();
        QCOMPARE(j.at("blocks").size(), std::size_t(2));
        const json& staged = j.at("blocks").at(0);
        QVERIFY(staged.at("kernel").get<std::string>().find("staged") != std::string::npos);
        QCOMPARE(staged.at("launches").get<int>(), 2);
        QCOMPARE(staged.at("grid").at(0).get<int>(), 20);
        QCOMPARE(staged.at("needs").at("threads").get<int>(), 256);
        QCOMPARE(staged.at("needs").at("shared_bytes").get<int>(), 1024 + 40000);
        QVERIFY(staged.at("needs").at("registers").get<int>() > 0);
        QCOMPARE(staged.at("occupancy").at("limits"), json::array({"shared_memory"}));
        QCOMPARE(staged.at("occupancy").at("blocks").get<int>(), 2); // 100 KiB hold two of 41 and 1
        const json& never = j.at("blocks").at(1);
        QCOMPARE(never.at("needs").at("threads").get<int>(), 128); // its launch bounds
        QCOMPARE(never.at("launches").get<int>(), 0);
        QCOMPARE(j.at("block_size_unknown").size(), std::size_t(1));
        // What if
        const CliAnswer less =
            callCli(numbers({file, "--arg", "float32[5000]", "--arch", "sm_86", "--shared", "1024", "--json"}));
        QCOMPARE(less.json().at("blocks").at(0).at("occupancy").at("blocks").get<int>(), 6);
    }

    /// Without arguments there is no launch: bounds of a kernel, or --threads, stand in.
    void ofAFileAlone() {
        const QTemporaryDir folder;
        const QString file = written(folder, twoKernels);
        const CliAnswer answer = callCli(numbers({file}));
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(answer.output.contains("never") && answer.output.contains("give --threads"));
        QVERIFY2(answer.messages.contains("no launch is known"), answer.messages.constData());
        const CliAnswer given = callCli(numbers({file, "--threads", "512", "--json"}));
        QCOMPARE(given.json().at("blocks").size(), std::size_t(3));
        for (const json& block : given.json().at("blocks"))
            QCOMPARE(block.at("needs").at("threads").get<int>(), 512);
    }

    void badUsageIsTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("no such architecture") << QStringList{"--threads", "256", "--arch", "sm_35"};
        QTest::newRow("no architecture") << QStringList{"--threads", "256", "--arch", "hopper"};
        QTest::newRow("no threads") << QStringList{"--threads", "0"};
        QTest::newRow("negative") << QStringList{"--threads", "-1"};
        QTest::newRow("octal") << QStringList{"--threads", "0x20"};
        QTest::newRow("endless") << QStringList{"--threads", "64", "--shared", "99999999999999999999"};
        QTest::newRow("no curve") << QStringList{"--threads", "64", "--curve", "blocks"};
        QTest::newRow("no file") << QStringList{"/nowhere/kernel.cu"};
        QTest::newRow("broken") << QStringList{fixture("add_syntax_error.cu"), "--threads", "64"};
    }
    void badUsageIsTwo() {
        QFETCH(QStringList, arguments);
        const CliAnswer answer = callCli(numbers(arguments + QStringList{"--json"}));
        QVERIFY(!answer.crashed);
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.json().at("error").at("message").is_string(), answer.output.constData());
    }

    void isInHelpManualAndCompletion() {
        QVERIFY(callCli(numbers({"--help"})).output.contains("--registers"));
        for (const char* kind : {"page", "bash", "zsh", "fish"})
            QVERIFY2(callCli({"manual", kind}).output.contains("occupancy"), kind);
    }
};

KERNELARIUM_TEST(TestOccupancyCommand);

#include "TestOccupancyCommand.moc"
