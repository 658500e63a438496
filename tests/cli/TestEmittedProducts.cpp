// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestEmittedProducts.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using nlohmann::json;

namespace {

QByteArray kernelOf(const char* layout, bool halfSums) {
    return QByteArray("engine=mma layout=") + layout + " half_sums=" + (halfSums ? "true" : "false") +
           " tile_rows=16 tile_columns=16 depth=64 stages=3 splits=1 splits_in_cluster=false raster_group=8 "
           "raster_along_rows=false warps_of_rows=1 warps_of_columns=1 warps_of_depth=" +
           (halfSums ? "1" : "4");
}

/// Of either kind of sums: one shape where ours is faster, one that falls back; another one with B in the other layout.
QByteArray table(const char* layout) {
    const char* const other = layout == QByteArray("tn") ? "nn" : "tn";
    QByteArray text = "device,mnk,mode,seconds,autotuned,configuration\n";
    for (const bool halfSums : {false, true})
        text += "X,64_64_64,hot,1e-6,2e-6," + kernelOf(layout, halfSums) + "\nX,128_64_64,hot,3e-6,2e-6," +
                kernelOf(layout, halfSums) + "\nX,64_64_128,hot,1e-6,2e-6," + kernelOf(other, halfSums) + '\n';
    return text;
}

void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

QString tensor(int rows, int columns) {
    return QStringLiteral("float16[%1,%2]").arg(rows).arg(columns);
}

} // namespace

void TestEmittedProducts::everyShapeIsRight_data() {
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<bool>("byLibrary");
    for (const char* layout : {"tn", "nn"})
        for (const char* sums : {"", "--half-sums"}) {
            const QStringList options = sums[0] ? QStringList{sums} : QStringList{};
            const auto row = [&](const char* what, const QList<int>& shape, bool byLibrary,
                                 const QStringList& more = {}) {
                QTest::addRow("%s %s %s", layout, sums, what)
                    << QString(layout) << options + more << shape << byLibrary;
            };
            row("ours", {64, 64, 64}, false);
            row("falls back", {128, 64, 64}, true);
            if (sums[0]) continue; // the rest does not depend on them
            row("as the known one but for n", {64, 128, 64}, true);
            row("of the other layout", {64, 64, 128}, true);
            row("not in the table", {72, 40, 24}, true);
            row("odd", {63, 9, 21}, true);
            row("nearest", {72, 72, 64}, false, {"--nearest"});
            row("nearest does not take it", {64, 63, 64}, true, {"--nearest"});
        }
}

void TestEmittedProducts::everyShapeIsRight() {
    QFETCH(QString, layout);
    QFETCH(QStringList, options);
    QFETCH(QList<int>, shape);
    QFETCH(bool, byLibrary);
    QTemporaryDir folder;
    write(folder.filePath("table.csv"), table(layout.toUtf8()));
    const bool tn = layout == "tn";
    write(folder.filePath("reference.cu"),
          QByteArray("#include <torch/extension.h>\ntorch::Tensor forward(torch::Tensor A, torch::Tensor B) { return "
                     "torch::matmul(A, ") +
              (tn ? "B.t()" : "B") +
              "); }\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
    const QString file = folder.filePath("product.cu");
    const CliAnswer emitted = callCli(
        QStringList{"hgemm", "emit", "--table", folder.filePath("table.csv"), "--layout", layout, "--out", file} +
        options);
    QVERIFY2(emitted.exitCode == 0, emitted.messages.constData());
    const int m = shape[0], n = shape[1], k = shape[2];
    const CliAnswer answer = callCli({"verify", file, "--reference", folder.filePath("reference.cu"), "--arg",
                                      tensor(m, k), "--arg", tn ? tensor(n, k) : tensor(k, n), "--json"});
    const json j = answer.json();
    if (j.contains("error") && j["error"].value("code", "") == "missing_component")
        QSKIP(j["error"].value("message", "").c_str());
    QVERIFY2(j.value("verdict", "") == "verified", (answer.messages + answer.output).left(2000).constData());
    const json called = j.value("library_calls", json::array());
    QCOMPARE(std::find(called.begin(), called.end(), "cublasLtMatmul") != called.end(), byLibrary);
    QCOMPARE(j["launches"].empty(), byLibrary);
}

/// The file's head, the answer, and what the command says.
void TestEmittedProducts::whatServesIsSaid() {
    QTemporaryDir folder;
    write(folder.filePath("table.csv"), table("tn"));
    const QStringList command{"hgemm", "emit", "--table", folder.filePath("table.csv"), "--json"};
    const json j = callCli(command).json();
    QCOMPARE(j.value("kernels", 0), 1);
    QCOMPARE(j.value("shapes", 0), 1);
    QCOMPARE(j.value("fall_back", 0), 1);
    QCOMPARE(j.value("of_other_layout", 0), 1);
    QCOMPARE(j.value("others", ""), std::string("cublaslt"));
    const QString head = QString::fromStdString(j.value("text", "")).section('\n', 0, 5);
    for (const char* said : {"1 kernel for 1 shape, cuBLASLt for 1 where it was faster", "B in the other layout",
                             "B is [n, k], sums in float32", "cuBLASLt  for 128x64x64; and all others"})
        QVERIFY2(head.contains(said), qPrintable(head));
    QCOMPARE(callCli(command + QStringList{"--nearest"}).json().value("others", ""), std::string("nearest"));
    const CliAnswer both = callCli(command + QStringList{"--configuration", kernelOf("tn", false)});
    QCOMPARE(both.exitCode, 2); // one kernel, or those of a table
}

void TestEmittedProducts::sumsInFloat16AreAskedFor() {
    const CliAnswer none = callCli({"hgemm", "emit", "--half-sums", "--json"});
    QCOMPARE(none.json()["error"].value("code", ""), std::string("nothing_found"));
    QVERIFY(none.json()["error"].value("action", "").find("tune --half-sums") != std::string::npos);
    QTemporaryDir folder;
    write(folder.filePath("table.csv"), table("nn"));
    const QStringList command{"hgemm", "emit", "--table", folder.filePath("table.csv"), "--layout", "nn", "--json"};
    const auto text = [&](const QStringList& more) {
        return QString::fromStdString(callCli(command + more).json().value("text", ""));
    };
    QVERIFY(text({"--half-sums"}).contains("constexpr bool halfSums = true;"));
    QVERIFY(!text({"--half-sums"}).contains("constexpr bool halfSums = false;"));
    QVERIFY(!text({}).contains("constexpr bool halfSums = true;"));
}

void TestEmittedProducts::recorded_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("clock");
    for (const char* mode : {"hot", "cold"})
        QTest::newRow(mode) << mode << "device";
    for (const char* mode : {"offline", "server"})
        QTest::newRow(mode) << mode << "wall";
}

void TestEmittedProducts::recorded() {
    QFETCH(QString, mode);
    QFETCH(QString, clock);
    const json j = callCli({"hgemm", "recorded", "64", "--mode", mode, "--json"}).json();
    QCOMPARE(j.value("origin", ""), std::string("recorded"));
    QCOMPARE(j["products"].size(), std::size_t(1));
    const json one = j["products"][0];
    QCOMPARE(QString::fromStdString(one.value("clock", "")), clock);
    for (const char* whose : {"ours", "cublas", "cublaslt-heuristic", "cublaslt-autotuned"})
        QVERIFY2(one["times"][whose].value("seconds", 0.0) > 0 && one["times"][whose].value("noise", 0.0) > 0, whose);
    const double ratio =
        one["times"]["cublaslt-autotuned"].value("seconds", 0.0) / one["times"]["ours"].value("seconds", 1.0);
    QVERIFY(std::abs(one["speedup"].value("cublaslt-autotuned", 0.0) - ratio) < 1e-9);
    const CliAnswer table = callCli({"hgemm", "recorded", "64", "--mode", mode});
    QVERIFY2(table.output.contains(clock == "wall" ? "Wall time" : "Device time") && table.output.contains("±") &&
                 table.output.contains("NVIDIA H200"),
             table.output.constData());
}

void TestEmittedProducts::notRecorded_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    QTest::newRow("a shape") << QStringList{"63"} << QString("Nothing of that is recorded");
    QTest::newRow("a mode") << QStringList{"--device", "h100", "--mode", "offline"} << QString("H100");
    QTest::newRow("a device") << QStringList{"--device", "v100"} << QString("v100");
    QTest::newRow("no shape") << QStringList{"0x8x8"} << QString("0x8x8");
    QTest::newRow("no mode") << QStringList{"--mode", "lukewarm"} << QString("lukewarm");
}

void TestEmittedProducts::notRecorded() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    const CliAnswer answer = callCli(QStringList{"hgemm", "recorded"} + arguments);
    QVERIFY(answer.exitCode != 0);
    QVERIFY2(answer.messages.contains(named.toUtf8()), answer.messages.constData());
}

KERNELARIUM_TEST(TestEmittedProducts);
