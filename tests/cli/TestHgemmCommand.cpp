// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestHgemmCommand.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

const QByteArray header = "device,mnk,mode,seconds,autotuned,configuration\n";
const QByteArray smallKernel =
    "engine=mma layout=tn half_sums=false tile_rows=16 tile_columns=16 depth=64 stages=6 splits=1 "
    "splits_in_cluster=false raster_group=8 raster_along_rows=false warps_of_rows=1 warps_of_columns=1 "
    "warps_of_depth=4";

void fill(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

CliAnswer hgemm(const QStringList& arguments) {
    return callCli(QStringList{"hgemm"} + arguments);
}

} // namespace

void TestHgemmCommand::theShippedTableIsEmitted_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("device");
    const QString h200 = "NVIDIA H200", h100 = "NVIDIA H100 80GB HBM3";
    QTest::newRow("the first device") << QStringList{} << h200;
    QTest::newRow("cold") << QStringList{"--mode", "cold"} << h200;
    QTest::newRow("by a part of its name") << QStringList{"--device", "h100"} << h100;
    QTest::newRow("the other layout") << QStringList{"--device", h100, "--layout", "nn", "--mode", "cold"} << h100;
}

void TestHgemmCommand::theShippedTableIsEmitted() {
    QFETCH(QStringList, options);
    QFETCH(QString, device);
    const CliAnswer answer = hgemm(QStringList{"emit", "--json"} + options);
    QVERIFY2(answer.exitCode == 0, answer.output.left(500) + answer.messages);
    const json j = answer.json();
    QCOMPARE(QString::fromStdString(j.value("table_device", "")), device);
    const QString text = QString::fromStdString(j.value("text", ""));
    QVERIFY(text.section('\n', 0, 0).contains(device)); // the file says whose choice it is
    QVERIFY(text.contains("PYBIND11_MODULE"));
    QVERIFY(answer.messages.contains(device.toUtf8()));
}

void TestHgemmCommand::oneOfTwoDevicesIsChosen() {
    QTemporaryDir folder;
    const QString table = folder.filePath("two.csv");
    QByteArray other = smallKernel;
    other.replace("stages=6", "stages=5");
    fill(table, header + "NVIDIA H100 PCIe,64_64_64,hot,2e-6,3e-6," + smallKernel +
                    "\nNVIDIA H200,64_64_64,hot,2e-6,3e-6," + other + '\n');
    const auto emitted = [&](const QStringList& more) {
        return hgemm(QStringList{"emit", "--table", table, "--json"} + more).json();
    };
    QCOMPARE(emitted({}).value("table_device", ""), std::string("NVIDIA H100 PCIe"));
    QCOMPARE(emitted({"--device", "nvidia h200"}).value("table_device", ""), std::string("NVIDIA H200"));
    QVERIFY(emitted({})["text"] != emitted({"--device", "h200"})["text"]);
    for (const char* wrong : {"a100", "nvidia"}) {
        const CliAnswer refused = hgemm({"emit", "--table", table, "--device", wrong, "--json"});
        QCOMPARE(refused.exitCode, 2);
        const json error = refused.json()["error"];
        QCOMPARE(error.value("code", ""), std::string("bad_usage"));
        QVERIFY(error.value("action", "").find("NVIDIA H100 PCIe, NVIDIA H200") != std::string::npos);
    }
}

void TestHgemmCommand::badOptionsAreNamed_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    for (const char* command : {"bench", "compare"}) {
        for (const auto& [option, value] : {std::pair("--seconds", "-1"),
                                            {"--seconds", "0"},
                                            {"--time-limit", "-5"},
                                            {"--rate", "0"},
                                            {"--requests", "0"},
                                            {"--layout", "tt"}})
            QTest::addRow("%s %s %s", command, option, value)
                << QStringList{command, "64", option, value} << QString(option);
        for (const char* shape : {"99999999999x64x64", "1073741824x8x1073741824", "0x64x64", "64x64"})
            QTest::addRow("%s %s", command, shape) << QStringList{command, shape} << QString(shape);
        QTest::addRow("%s a device", command) << QStringList{command, "64", "--device", "v100"} << QString("v100");
    }
    QTest::newRow("looks") << QStringList{"tune", "64", "--looks", "0"} << QString("--looks");
    QTest::newRow("full looks") << QStringList{"tune", "64", "--full-looks", "-3"} << QString("--full-looks");
    QTest::newRow("a shape of none") << QStringList{"tune", "63"} << QString("multiples of 8");
    QTest::newRow("shapes of none") << QStringList{"tune", "63", "65"} << QString("multiples of 8");
    QTest::newRow("a limit") << QStringList{"run-published", "/tmp", "--kernel-limit", "0"}
                             << QString("--kernel-limit");
    const QString folder = QDir::tempPath();
    for (const char* command : {"bench", "compare", "check", "tune", "recorded"})
        QTest::addRow("%s, a folder of shapes", command)
            << QStringList{command, "--shapes", folder} << QString("is a folder");
    QTest::newRow("a folder as a table") << QStringList{"emit", "--table", folder} << QString("is a folder");
    QTest::newRow("a table without an end")
        << QStringList{"emit", "--table", "/dev/zero"} << QString("more than 64 MB");
    QTest::newRow("a folder to write to") << QStringList{"tune", "64", "--out", folder} << QString("is a folder");
    QTest::newRow("a file to search in") << QStringList{"tune", "64", "--store", "/dev/null"}
                                         << QString("is no folder");
    QTest::newRow("a device without a name") << QStringList{"emit", "--device", ""} << QString("--device");
    QTest::newRow("no configuration") << QStringList{"emit", "--configuration", ""} << QString("--configuration");
    QTest::newRow("too many requests") << QStringList{"bench", "64", "--requests", "99999999999"}
                                       << QString("--requests");
    QTest::newRow("no tables") << QStringList{"stats", "--db", folder + "/none/of/that.sqlite"}
                               << QString("no table was imported");
}

void TestHgemmCommand::badOptionsAreNamed() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    const CliAnswer answer = hgemm(arguments);
    QCOMPARE(answer.exitCode, 2);
    QVERIFY2(answer.messages.contains(named.toUtf8()), answer.messages.constData());
}

void TestHgemmCommand::badTablesAreNamed_data() {
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QString>("named");
    const auto with = [](const QByteArray& what, const QByteArray& instead) {
        return QByteArray("X,64_64_64,hot,1e-6,2e-6," + smallKernel).replace(what, instead);
    };
    QTest::newRow("rows of a tile") << with("tile_rows=16", "tile_rows=17") << QString("multiple of 16");
    QTest::newRow("rows below none") << with("tile_rows=16", "tile_rows=-16") << QString("16 to 256 rows");
    QTest::newRow("stages") << with("stages=6", "stages=600") << QString("12 stages");
    QTest::newRow("no seconds") << with("1e-6", "nan") << QString("`nan`");
    QTest::newRow("seconds below none") << with("1e-6", "-1") << QString("`-1`");
    QTest::newRow("a library's seconds") << with("2e-6", "inf") << QString("`inf`");
    QTest::newRow("a shape of none") << with("64_64_64", "64_63_60") << QString("multiples of 8");
    QTest::newRow("a shape twice") << with("x", "x") + '\n' + with("1e-6", "3e-6") << QString("already");
    QTest::newRow("no device") << with("X,", ",") << QString("no name");
}

void TestHgemmCommand::badTablesAreNamed() {
    QFETCH(QByteArray, row);
    QFETCH(QString, named);
    QTemporaryDir folder;
    fill(folder.filePath("bad.csv"), header + row + '\n');
    const QStringList commands[] = {
        {"emit"}, {"bench", "64"}, {"run-published", folder.path(), "--backend", "emulator"}};
    for (const QStringList& command : commands) {
        const CliAnswer answer = hgemm(command + QStringList{"--table", folder.filePath("bad.csv")});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(answer.messages.contains("Line ") && answer.messages.contains(named.toUtf8()),
                 answer.messages.constData());
    }
}

void TestHgemmCommand::anEmptyTableSaysNothing() {
    QTemporaryDir folder;
    fill(folder.filePath("empty.csv"), header);
    const QStringList commands[] = {
        {"emit"}, {"bench", "64"}, {"compare", "64"}, {"run-published", folder.path(), "--backend", "emulator"}};
    for (const QStringList& command : commands) {
        const CliAnswer answer = hgemm(command + QStringList{"--table", folder.filePath("empty.csv"), "--json"});
        QCOMPARE(answer.exitCode, 2);
        QCOMPARE(answer.json()["error"].value("code", ""), std::string("nothing_found"));
    }
}

void TestHgemmCommand::outputNeedsItsFolder() {
    QTemporaryDir folder;
    const CliAnswer refused = hgemm({"emit", "--out", folder.filePath("none/product.cu")});
    QCOMPARE(refused.exitCode, 2);
    QVERIFY(refused.messages.contains("There is no folder"));
    QVERIFY(!QFile::exists(folder.filePath("none")));
    const CliAnswer written = hgemm({"emit", "--out", folder.filePath("product.cu")});
    QCOMPARE(written.exitCode, 0);
    QVERIFY(written.output.contains("product.cu is written") && written.output.contains("NVIDIA H200"));
    QVERIFY(QFile::exists(folder.filePath("product.cu")));
}

void TestHgemmCommand::withoutAGpuNothingIsMeasured_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("bench") << QStringList{"bench", "64"};
    QTest::newRow("compare") << QStringList{"compare", "64", "--half-sums", "--layout", "nn"};
    QTest::newRow("tune") << QStringList{"tune", "64"};
    QTest::newRow("check") << QStringList{"check", "64", "--every", "500"};
}

void TestHgemmCommand::withoutAGpuNothingIsMeasured() {
    const json devices = callCli({"device", "list", "--json"}).json();
    if (!devices.contains("missing") || devices["missing"].is_null()) QSKIP("There is a GPU here.");
    QFETCH(QStringList, arguments);
    const CliAnswer answer = hgemm(arguments);
    QCOMPARE(answer.exitCode, 3);
    QVERIFY2(answer.messages.contains("--target"), answer.messages.constData());
    QVERIFY2(!answer.messages.contains("emulator"), answer.messages.constData()); // which has no such times
    QTemporaryDir folder;
    fill(folder.filePath("64_64_64.cu"),
         "void f(torch::Tensor a, torch::Tensor b, torch::Tensor b_col_major, torch::Tensor c) {}");
    const CliAnswer published = hgemm({"run-published", folder.path()});
    QCOMPARE(published.exitCode, 3);
    QVERIFY2(published.messages.contains("--backend emulator verifies"), published.messages.constData());
}

void TestHgemmCommand::whyAPublishedKernelDoesNotCompile() {
    QTemporaryDir folder;
    const QByteArray kernel = R"(#include <torch/extension.h>
#include <cuda_fp16.h>
__global__ void product(const __half* a, const __half* b, __half* c) {
    float sum = 0;
    for (int k = 0; k < 64; ++k)
        sum += __half2float(a[blockIdx.x * 64 + k] + __half(0.0f)) * __half2float(b[k * 64 + threadIdx.x]);
    c[blockIdx.x * 64 + threadIdx.x] = sum;
}
void run_product(torch::Tensor a, torch::Tensor b, torch::Tensor b_col_major, torch::Tensor c) {
    product<<<64, 64>>>((const __half*)a.data_ptr(), (const __half*)b.data_ptr(), (__half*)c.data_ptr());
}
)";
    fill(folder.filePath("64_64_64.cu"), kernel);
    fill(folder.filePath("64_64_128.cu"), QByteArray(kernel).replace("float sum = 0;", "float sum = nowhere;"));
    const CliAnswer answer = hgemm({"run-published", folder.path(), "--backend", "emulator", "--json"});
    const json j = answer.json();
    QVERIFY2(j.contains("kernels") && j["kernels"].size() == 2, answer.messages.constData());
    // PyTorch's macros that take half's operators away are not there.
    QVERIFY2(j["kernels"][0].value("verdict", "") == "verified", j.dump(1).c_str());
    QCOMPARE(j["kernels"][1].value("verdict", ""), std::string("refused"));
    for (const char* where : {"reason", "detail"})
        QVERIFY2(j["kernels"][1].value(where, "").find("nowhere") != std::string::npos, j.dump(1).c_str());
    QVERIFY(answer.messages.contains("nowhere"));
}

void TestHgemmCommand::importedTablesHaveAMode() {
    QTemporaryDir folder;
    const QString file = folder.filePath("set_h100_F32F16F16F32_speedup_warm.csv");
    fill(file, "mnk,cuBLAS-max\n64_64_64,1.25\n");
    const CliAnswer refused = hgemm({"import", file, "--db", folder.filePath("h.sqlite")});
    QCOMPARE(refused.exitCode, 2);
    QVERIFY2(refused.messages.contains("offline or server, not 'warm'"), refused.messages.constData());
    QVERIFY(QFile::rename(file, folder.filePath("set_h100_F32F16F16F32_speedup_server.csv")));
    QCOMPARE(hgemm({"import", folder.filePath("set_h100_F32F16F16F32_speedup_server.csv"), "--db",
                    folder.filePath("h.sqlite")})
                 .exitCode,
             0);
}

KERNELARIUM_TEST(TestHgemmCommand);
