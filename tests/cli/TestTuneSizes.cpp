// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestTuneSizes.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <map>

namespace {

using nlohmann::json;

const QStringList twoShapes{"--shape", "B=1,N=4096", "--shape", "N=8192,B=2"};

QByteArray wholeFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString written(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
    QFile file(folder.filePath(QLatin1String(name)));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return file.fileName();
}

CliAnswer sweepSizes(const QString& kernel, const QString& store, const QStringList& more) {
    return callCli(QStringList{"tune", kernel, "--task", "1/19", "--store", store, "--json"} + more);
}

/// The task's card with that shape as its small size.
QString cardAt(const QTemporaryDir& folder, int batch, int elements) {
    json card = json::parse(
        wholeFile(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/tasks/level_1/019_relu.json")).toStdString());
    card["sizes"]["small"] = {{"B", batch}, {"N", elements}};
    return written(folder, qPrintable(QString("card-%1-%2.json").arg(batch).arg(elements)),
                   QByteArray::fromStdString(card.dump()));
}

QByteArray toldBy(const CliAnswer& answer) {
    return answer.output.left(3000) + answer.messages;
}

} // namespace

void TestTuneSizes::theBestForEachSizeIsEmittedAndVerifies() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), made = folder.filePath("made.cu");
    const CliAnswer answer = sweepSizes(fixture("tunable_sizes.cu"), store, twoShapes + QStringList{"--jobs", "1"});
    QVERIFY2(answer.exitCode == 0, toldBy(answer));
    const json found = answer.json();
    QCOMPARE(found.at("counts").at("valued"), json(4));
    QCOMPARE(found.at("sizes").size(), std::size_t(2));
    std::map<std::string, std::string> best;
    for (const json& size : found.at("sizes")) {
        best[size.at("size")] = size.at("best");
        QCOMPARE(size.at("verified_at"), size.at("size")); // small enough
        QVERIFY(size.at("best_ms") <= size.at("start_ms"));
    }
    QVERIFY2(best["B=1,N=4096"].find("SUITS=1") != std::string::npos, found.dump().c_str());
    QVERIFY2(best["B=2,N=8192"].find("SUITS=2") != std::string::npos, found.dump().c_str());
    // The value is the mean over both; the account of each is kept.
    for (const json& row : found.at("rows")) {
        double product = 1;
        for (const json& at : row.at("details").at("sizes"))
            product *= at.at("ms").get<double>();
        QVERIFY(std::abs(row.at("value_ms").get<double>() / std::sqrt(product) - 1) < 1e-6);
    }
    QVERIFY(callCli({"tune", "show", store}).output.contains("BEST FOR"));

    const CliAnswer emitted = callCli({"tune", "show", store, "--emit", made, "--json"});
    QVERIFY2(emitted.exitCode == 0, toldBy(emitted));
    QCOMPARE(emitted.json().at("versions").size(), std::size_t(2));
    const QByteArray text = wholeFile(made);
    QVERIFY2(!text.contains("tune:") && text.count("PYBIND11_MODULE") == 1 && text.count("#include") == 2, text);
    // It is right at all shapes, those of the sweep and others, and takes the version that it says.
    const std::map<std::pair<int, int>, const char*> shapes{
        {{1, 4096}, "B=1,N=4096"}, {{2, 8192}, "B=2,N=8192"}, {{1, 1000}, "B=1,N=4096"}, {{8, 16384}, "B=2,N=8192"}};
    for (const auto& [shape, like] : shapes) {
        const QString card = cardAt(folder, shape.first, shape.second);
        const CliAnswer verdict = callCli({"verify", made, "--card", card, "--size", "small", "--json"});
        QVERIFY2(verdict.exitCode == 0 && verdict.json().at("verdict") == "verified", toldBy(verdict));
        const CliAnswer run = callCli({"run", made, "--card", card, "--size", "small", "--json"});
        const bool first = best[like] == emitted.json().at("versions").at(0).at("key");
        QVERIFY2(run.exitCode == 0, toldBy(run));
        QCOMPARE(run.json().at("launches").size(), std::size_t(1));
        QCOMPARE(run.json().at("launches").at(0).at("kernel"), json(first ? "tuned_1::relu" : "tuned_2::relu"));
    }
}

void TestTuneSizes::oneVersionIsWrittenAsItIs() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), made = folder.filePath("made.cu");
    QVERIFY(sweepSizes(fixture("tunable_relu.cu"), store, {"--budget", "1", "--sizes", "small"}).exitCode == 0);
    const CliAnswer emitted = callCli({"tune", "show", store, "--emit", made});
    QVERIFY2(emitted.exitCode == 0, toldBy(emitted));
    QCOMPARE(wholeFile(made), callCli({"tune", "show", store, "--text", "best"}).output);
    QCOMPARE(wholeFile(made), wholeFile(fixture("tunable_relu.cu")));
    QCOMPARE(callCli({"tune", "show", store, "--emit", "/dev/null/made.cu"}).exitCode, 2);
}

void TestTuneSizes::aKilledSweepKnowsItsSizes() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), whole = folder.filePath("b.sweep");
    const QString kernel = fixture("tunable_sizes.cu");
    QVERIFY(sweepSizes(kernel, store, twoShapes + QStringList{"--jobs", "1", "--budget", "2"}).exitCode == 0);
    const CliAnswer resumed = callCli({"tune", "resume", store, "--jobs", "1", "--json"});
    QVERIFY2(resumed.exitCode == 0, toldBy(resumed));
    const CliAnswer atOnce = sweepSizes(kernel, whole, twoShapes + QStringList{"--jobs", "1"});
    QCOMPARE(resumed.json().at("sizes"), atOnce.json().at("sizes"));
    // Other sizes are another sweep.
    const CliAnswer other = sweepSizes(kernel, store, {"--sizes", "small,odd"});
    QVERIFY2(other.exitCode == 2 && toldBy(other).contains("size is"), toldBy(other));
}

void TestTuneSizes::wrongAtOneSizeIsWrong() {
    const QTemporaryDir folder;
    QByteArray text = wholeFile(fixture("tunable_relu.cu"));
    text.replace("i < count - 5", "i < count - (count > 6000 ? 5 : 0)");
    const CliAnswer answer = sweepSizes(written(folder, "k.cu", text), folder.filePath("a.sweep"),
                                        twoShapes + QStringList{"--verify", "every"});
    QVERIFY2(answer.exitCode == 0, toldBy(answer));
    for (const json& row : answer.json().at("rows")) {
        const bool tail = row.at("parameters").at("TAIL");
        QCOMPARE(row.at("outcome"), json(tail ? "valued" : "wrong"));
        if (!tail) QVERIFY2(row.at("reason").get<std::string>().starts_with("B=2,N=8192: wrong"), row.dump().c_str());
    }
    for (const json& size : answer.json().at("sizes"))
        QVERIFY(size.at("best").get<std::string>().find("TAIL=true") != std::string::npos);
}

void TestTuneSizes::badSizesAreNamed_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
        QTest::newRow(name) << arguments << QByteArray(says);
    };
    row("no such size", {"--sizes", "small,large"}, "large");
    row("no such symbol", {"--shape", "M=4"}, "`M=4` is no shape: the task has B (16), N (16384)");
    row("no number", {"--shape", "N=many"}, "N is not from 1 to 2147483647");
    row("zero", {"--shape", "N=0"}, "N is not from 1 to 2147483647");
    row("too large", {"--shape", "N=99999999999"}, "N is not from 1 to 2147483647");
    row("twice in one", {"--shape", "N=4,N=5"}, "N is given twice");
    row("twice", {"--shape", "N=4", "--shape", "N=4"}, "is given twice");
    row("the same by another name", {"--sizes", "full", "--shape", "N=16384"}, "is given twice");
    row("nothing", {"--shape", ","}, "is no shape");
}

void TestTuneSizes::badSizesAreNamed() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, says);
    const QTemporaryDir folder;
    const CliAnswer answer = sweepSizes(fixture("tunable_relu.cu"), folder.filePath("a.sweep"), arguments);
    QVERIFY2(answer.exitCode == 2 && toldBy(answer).contains(says), toldBy(answer));
}

/// The registers' cap is tied to what suits: no two versions go together, and the better one serves both sizes.
void TestTuneSizes::versionsShareTheirCompilerOptions() {
    const QTemporaryDir folder;
    QByteArray text = wholeFile(fixture("tunable_sizes.cu"));
    text.replace("#define THREADS 128 // tune: 128, 256", "#define THREADS 128\n// tune registers: 16, 32\n"
                                                          "// tune where: registers == 16 * SUITS");
    const QString store = folder.filePath("a.sweep"), made = folder.filePath("made.cu");
    const CliAnswer swept = sweepSizes(written(folder, "k.cu", text), store, twoShapes);
    QVERIFY2(swept.exitCode == 0, toldBy(swept));
    const CliAnswer emitted = callCli({"tune", "show", store, "--emit", made, "--json"});
    QVERIFY2(emitted.exitCode == 0, toldBy(emitted));
    QCOMPARE(emitted.json().at("versions").size(), std::size_t(1));
    QCOMPARE(emitted.json().at("versions").at(0).at("sizes").size(), std::size_t(2));
    QCOMPARE(emitted.json().at("slower").size(), std::size_t(1));
    QVERIFY(emitted.json().at("options").get<std::string>().starts_with("--max-registers="));
    QCOMPARE(wholeFile(made).count("namespace tuned_"), qsizetype(0));
}

void TestTuneSizes::whatCannotBeMergedIsNamed_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* from, const char* to, const char* says) {
        QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(says);
    };
    row("include under #if", "#include <cuda_runtime.h>", "#ifndef N\n#include <cuda_runtime.h>\n#endif",
        "an #include that depends on #if");
    row("two functions", "m.def(", "m.def(\"other\", &forward); m.def(", "does not define one plain function");
    row("a name of the file", "Tensor forward(Tensor x)", "#define RESULT Tensor\nRESULT forward(Tensor x)",
        "uses `RESULT`, which the file declares");
}

void TestTuneSizes::whatCannotBeMergedIsNamed() {
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    QFETCH(const QByteArray, says);
    const QTemporaryDir folder;
    QByteArray text = wholeFile(fixture("tunable_sizes.cu"));
    QVERIFY(text.contains(from));
    text.replace(from, to);
    const QString store = folder.filePath("a.sweep"), made = folder.filePath("made.cu");
    const CliAnswer swept =
        sweepSizes(written(folder, "k.cu", text), store, twoShapes + QStringList{"--verify", "none"});
    QVERIFY2(swept.exitCode == 0, toldBy(swept));
    const CliAnswer emitted = callCli({"tune", "show", store, "--emit", made, "--json"});
    QVERIFY2(emitted.exitCode == 2 && toldBy(emitted).contains(says), toldBy(emitted));
    QVERIFY2(toldBy(emitted).contains("not_mergeable"), toldBy(emitted));
    QVERIFY(!QFile::exists(made));
}

KERNELARIUM_TEST(TestTuneSizes);
