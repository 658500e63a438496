// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestVerify.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QtTest>

using nlohmann::json;

namespace {
QStringList verifying(const QString& kernel) {
    return {"verify",         fixture(kernel), "--reference",    fixture("add.cu"), "--arg",
            "float32[40,25]", "--arg",         "float32[40,25]", "--json"};
}
QString text(const json& j) {
    return QString::fromStdString(j.get<std::string>());
}
} // namespace

void TestVerify::verdicts_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("reason");
    QTest::newRow("right") << "add.cu"
                           << "verified"
                           << "";
    QTest::newRow("wrong") << "add_wrong.cu"
                           << "wrong"
                           << "values";
    QTest::newRow("unwritten") << "add_unwritten.cu"
                               << "wrong"
                               << "unwritten_output";
    QTest::newRow("out of bounds") << "add_out_of_bounds.cu"
                                   << "fault"
                                   << "out_of_bounds";
    QTest::newRow("syntax") << "add_syntax_error.cu"
                            << "compile_error"
                            << "nvrtc";
    QTest::newRow("shared memory") << "add_shared_too_large.cu"
                                   << "compile_error"
                                   << "ptxas";
    QTest::newRow("no module") << "add_no_module.cu"
                               << "compile_error"
                               << "import";
    QTest::newRow("block") << "add_block_too_large.cu"
                           << "launch_error"
                           << "launch";
    QTest::newRow("throws") << "add_throws.cu"
                            << "wrong"
                            << "host_exception";
    QTest::newRow("changes input") << "add_changes_input.cu"
                                   << "suspicious"
                                   << "changes_input";
}

void TestVerify::verdicts() {
    QFETCH(QString, kernel);
    QFETCH(QString, verdict);
    QFETCH(QString, reason);
    const CliAnswer answer = callCli(verifying(kernel));
    const json j = answer.json();
    QVERIFY2(!j.is_discarded() && j.contains("verdict"), (answer.output + answer.messages).constData());
    QVERIFY2(text(j.at("verdict")) == verdict, answer.output.constData());
    QCOMPARE(answer.exitCode, verdict == "verified" ? 0 : 1);
    if (reason.isEmpty())
        QVERIFY(j.at("reasons").empty());
    else
        QVERIFY2(!j.at("reasons").empty() && text(j.at("reasons")[0]) == reason, answer.output.constData());
    if (verdict == "compile_error") QCOMPARE(text(j.at("stage")), reason);
    // The text for people begins with the same word.
    QStringList arguments = verifying(kernel);
    arguments.removeLast();
    const CliAnswer people = callCli(arguments);
    QCOMPARE(people.exitCode, answer.exitCode);
    QVERIFY2(people.output.startsWith(verdict.toUpper().replace('_', ' ').toUtf8()), people.output.constData());
}

void TestVerify::thePublishedSizeCounts_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("decidedAt");
    QTest::addColumn<QString>("remark");
    const auto row = [](const char* kernel, const char* size, const char* verdict, const char* decidedAt,
                        const char* remark) {
        QTest::addRow("%s %s", kernel, size)
            << kernel + QStringLiteral(".cu") << size << verdict << decidedAt << remark;
    };
    row("relu_published_numbers", "small", "verified", "full", "published_size_only");
    row("relu_published_numbers", "full", "verified", "full", "");
    row("relu_first_blocks", "small", "verified", "small", "");
    row("relu_first_blocks", "both", "wrong", "full", "small_size_only");
    row("relu_right", "both", "verified", "both", "");
    row("relu_right", "odd", "verified", "odd", "");
}

void TestVerify::thePublishedSizeCounts() {
    QFETCH(QString, kernel);
    QFETCH(QString, size);
    QFETCH(QString, verdict);
    QFETCH(QString, decidedAt);
    QFETCH(QString, remark);
    QStringList arguments = {"verify", fixture(kernel), "--task", "1/19", "--size", size};
    const CliAnswer said = callCli(arguments);
    QCOMPARE(said.output.contains("(small size only)"), verdict == "verified" && decidedAt == "small");
    const CliAnswer answer = callCli(arguments << "--json");
    const json j = answer.json();
    QVERIFY2(!j.is_discarded() && j.contains("verdict"), (answer.output + answer.messages).constData());
    QVERIFY2(text(j.at("verdict")) == verdict, answer.output.constData());
    QCOMPARE(text(j.at("size")), decidedAt);
    const json& remarks = j.at("remarks");
    for (const char* one : {"published_size_only", "small_size_only", "published_size_untried"})
        QCOMPARE(std::find(remarks.begin(), remarks.end(), one) != remarks.end(), remark == one);
}

void TestVerify::theJsonHasWhatIsPromised() {
    const json j = callCli(verifying("add_wrong.cu")).json();
    for (const char* key : {"verdict", "reasons", "remarks", "max_abs_error", "max_rel_error", "first_mismatch",
                            "faults", "checks", "backend", "size", "seconds", "launches"})
        QVERIFY2(j.contains(key), key);
    for (const json& check : j.at("checks"))
        for (const char* key : {"name", "passed", "detail"})
            QVERIFY2(check.contains(key), key);
    QCOMPARE(text(j.at("backend")), QString("emulator"));
    QVERIFY(j.at("seconds").at("compile").get<double>() > 0);
    QCOMPARE(j.at("launches").size(), std::size_t(1));
    QCOMPARE(j.at("launches")[0].at("grid"), json::array({4, 1, 1}));
    QVERIFY(j.at("max_abs_error").get<double>() > 0.1);
    QCOMPARE(j.at("first_mismatch").at("index").size(), std::size_t(2));
}

void TestVerify::faultsNameTheLine() {
    const json j = callCli(verifying("add_out_of_bounds.cu")).json();
    QVERIFY(!j.at("faults").empty());
    const int line = j.at("faults")[0].at("line").get<int>();
    QFile file(fixture("add_out_of_bounds.cu"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList lines = file.readAll().split('\n');
    QVERIFY2(line > 0 && lines.value(line - 1).contains("c[n + 40]"), lines.value(line - 1).constData());
    QStringList arguments = verifying("add_out_of_bounds.cu");
    arguments.removeLast();
    QVERIFY(callCli(arguments).output.contains("c[n + 40] = 1.0f"));
}

void TestVerify::theSameSeedGivesTheSameFigures() {
    const json first = callCli(verifying("add_wrong.cu")).json();
    const json again = callCli(verifying("add_wrong.cu")).json();
    const json other = callCli(verifying("add_wrong.cu") + QStringList{"--seed", "77"}).json();
    QCOMPARE(first.at("max_abs_error"), again.at("max_abs_error"));
    QCOMPARE(first.at("first_mismatch"), again.at("first_mismatch"));
    QVERIFY(first.at("max_abs_error") != other.at("max_abs_error"));
}

void TestVerify::runDescribesTheOutputs() {
    const QStringList arguments = {"run",   fixture("add.cu"),         "--arg", "float32[6]~constant(2)",
                                   "--arg", "float32[6]~constant(0.5)"};
    const CliAnswer answer = callCli(arguments + QStringList{"--json"});
    QCOMPARE(answer.exitCode, 0);
    const json output = answer.json().at("outputs").at(0);
    QCOMPARE(output.at("shape"), json::array({6}));
    QCOMPARE(output.at("mean").get<double>(), 2.5);
    QCOMPARE(output.at("first").at(0).get<double>(), 2.5);
    QVERIFY(callCli(arguments).output.contains("2.5"));
}

void TestVerify::runCountsOnRequest() {
    const QStringList run = {"run", fixture("add.cu"), "--arg", "float32[1024]", "--arg", "float32[1024]"};
    QVERIFY(!callCli(run + QStringList{"--json"}).json().contains("counters"));
    const json j = callCli(run + QStringList{"--counters", "--json"}).json();
    QVERIFY(j.contains("counters"));
    QCOMPARE(j.at("counters").size(), j.at("launches").size());
    const json& totals = j.at("counters").at(0).at("totals");
    QCOMPARE(totals.at("flops_fp32").get<double>(), 1024.0);
    QCOMPARE(totals.at("global_load_sectors").get<double>(), 256.0);
    const QByteArray people = callCli(run + QStringList{"--counters"}).output;
    QVERIFY2(people.contains("Counters by source line") && people.contains("4 / 4"), people.constData());
}

void TestVerify::profileModelsTheTime() {
    const QStringList profile = {"profile",          fixture("add.cu"), "--arg",
                                 "float32[4194304]", "--arg",           "float32[4194304]"};
    const CliAnswer answer = callCli(profile + QStringList{"--json", "--device", "a100-40gb"});
    QVERIFY2(answer.exitCode == 0, (answer.output + answer.messages).constData());
    const json time = answer.json().at("modelled_time");
    QCOMPARE(text(time.at("device")), QString("a100-40gb"));
    QVERIFY(time.at("seconds").get<double>() > 3 * 4 * 4194304 / 1555e9);
    QVERIFY(callCli(profile).output.contains("modelled"));
    QCOMPARE(callCli(profile + QStringList{"--device", "abacus"}).exitCode, 2);
}

void TestVerify::runShowsWhatIsPrinted() {
    const CliAnswer answer = callCli({"run", fixture("add_prints.cu"), "--arg", "float32[6]", "--arg", "float32[6]"});
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(answer.output.contains("thread 3 sees 6"));
}

void TestVerify::runOfABrokenKernelFails() {
    const CliAnswer answer = callCli({"run", fixture("add_syntax_error.cu"), "--json"});
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(text(answer.json().at("end")), QString("compile_error"));
    QVERIFY(!answer.json().at("diagnostics").empty());
    QVERIFY(answer.json().at("diagnostics")[0].at("line").get<int>() > 0);
    for (const char* command : {"run", "verify"}) { // no verdict on a kernel that nobody said how to call
        const CliAnswer bare = callCli({QString::fromLatin1(command), fixture("add.cu")});
        QCOMPARE(bare.exitCode, 2);
        QVERIFY2(bare.messages.contains("called without arguments, but needs some: forward(") &&
                     bare.messages.contains("--arg"),
                 bare.messages.constData());
    }
    const CliAnswer thrown = callCli({"run", fixture("add.cu"), "--arg", "3"});
    QCOMPARE(thrown.exitCode, 1);
    QVERIFY(thrown.output.contains("TypeError"));
}

namespace {
/// A kernel of ours for task 1/1 (square matrices), in the archive's form.
const char* const matmul = R"cuda(// kernelarium: task 1/1
#include <torch/extension.h>

__global__ void product(const float* a, const float* b, float* c, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    const int n = a.size(0);
    auto c = torch::empty({n, n}, a.options());
    const dim3 block(16, 16);
    const dim3 grid((n + 15) / 16, (n + 15) / 16);
    product<<<grid, block>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "product of square matrices"); }
)cuda";
} // namespace

void TestVerify::compilerOptionsReachTheKernel() {
    QTemporaryDir folder;
    const auto write = [&folder](const char* name, const char* text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("scale.h", "#define SCALED(x) (SCALE * (x))\n");
    QFile add(fixture("add.cu"));
    QVERIFY(add.open(QIODevice::ReadOnly));
    write("scaled.cu",
          ("#include \"scale.h\"\n" + add.readAll().replace("a[i] + b[i]", "SCALED(a[i] + b[i])")).constData());
    const QStringList scaled{"-I", folder.path(), "-D", "SCALE=2", "--max-registers", "40"};
    const QStringList call{folder.filePath("scaled.cu"), "--arg", "float32[8]~constant(1)", "--arg",
                           "float32[8]~constant(2)",     "--json"};
    const json ran = callCli(QStringList{"run"} + call + scaled).json();
    QCOMPARE(text(ran["end"]), QString("finished"));
    QCOMPARE(ran["outputs"][0]["max"].get<double>(), 6.0);
    const json wrong =
        callCli(QStringList{"verify"} + call + scaled + QStringList{"-DSCALE=3", "--reference", fixture("add.cu")})
            .json();
    QCOMPARE(text(wrong["verdict"]), QString("wrong"));
    QCOMPARE(text(wrong["compiler_options"]), "-I" + folder.path() + " -DSCALE=3 --max-registers=40");
    const json right =
        callCli(QStringList{"verify"} + call + scaled + QStringList{"-DSCALE=1", "--reference", fixture("add.cu")})
            .json();
    QCOMPARE(text(right["verdict"]), QString("verified"));
}

void TestVerify::aTaskVerifiesAgainstItsCard() {
    QTemporaryDir folder;
    QFile file(folder.filePath("matmul.cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(matmul);
    file.close();
    const CliAnswer answer = callCli({"verify", file.fileName(), "--json"}); // the task stands in the first line
    const json j = answer.json();
    QVERIFY2(answer.exitCode == 0, (answer.output + answer.messages).constData());
    QCOMPARE(text(j.at("task")), QString("1/1"));
    QCOMPARE(text(j.at("verdict")), QString("verified"));
    QVERIFY(j.at("max_rel_error").get<double>() < 1e-4);
}

void TestVerify::anArchivedKernelIsFoundByName() {
    QTemporaryDir folder;
    const json row = {{"Op_Name", "1_Square_matrix_multiplication_"},
                      {"Level_ID", 1},
                      {"Task_ID", 1},
                      {"Kernel_Name", "plain_product"},
                      {"CUDA_Code", matmul},
                      {"Correct", true}};
    QFile rows(folder.filePath("rows.jsonl"));
    QVERIFY(rows.open(QIODevice::WriteOnly));
    rows.write(QByteArray::fromStdString(row.dump() + "\n"));
    rows.close();
    const QString database = folder.filePath("archive.sqlite");
    QTemporaryFile none(QDir::temp().filePath(QStringLiteral("none_XXXXXX.jsonl")));
    QVERIFY(none.open()); // an interrupted download leaves such
    const CliAnswer empty = callCli({"archive", "import", "--db", database, none.fileName()});
    QCOMPARE(empty.exitCode, 2);
    QVERIFY2(empty.messages.contains("no rows"), empty.messages.constData());
    const CliAnswer imported = callCli({"archive", "import", "--db", database, rows.fileName()});
    QVERIFY2(imported.exitCode == 0, imported.messages.constData());
    const CliAnswer answer = callCli({"verify", "--kernel", "plain_product", "--db", database, "--json"});
    QVERIFY2(answer.exitCode == 0, (answer.output + answer.messages).constData());
    QCOMPARE(text(answer.json().at("task")), QString("1/1"));
    QCOMPARE(callCli({"verify", "--kernel", "no_such_kernel", "--db", database}).exitCode, 2);
}

KERNELARIUM_TEST(TestVerify);
