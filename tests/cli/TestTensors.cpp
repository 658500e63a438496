// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestTensors.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {
QStringList looking(const QString& kernel, const QStringList& more) {
    return QStringList{"tensors", fixture(kernel),  "--reference", fixture("add.cu"),
                       "--arg",   "float32[40,25]", "--arg",       "float32[40,25]"} +
           more;
}
} // namespace

void TestTensors::theWrongElementsAndTheirWriter() {
    const CliAnswer answer = callCli(looking("add_unwritten.cu", {"--worst", "5", "--writer", "39,24", "--json"}));
    QCOMPARE(answer.exitCode, 1);
    const json j = answer.json();
    QVERIFY2(!j.is_discarded() && j.contains("wrong"), answer.messages.constData());
    QCOMPARE(j.at("wrong").at("wrong").get<int>(), 3);
    QCOMPARE(j.at("wrong").at("worst")[0].at("got").get<std::string>(), std::string("nan"));
    QCOMPARE(j.at("statistics").at("nan").get<int>(), 3);
    QCOMPARE(j.at("writer_of").at("writer").at("kind").get<std::string>(), std::string("never"));
    QCOMPARE(j.at("tensors").size(), std::size_t(5));
    const CliAnswer people = callCli(looking("add_wrong.cu", {"--worst", "2", "--writer", "10,6"}));
    QCOMPARE(people.exitCode, 1);
    for (const char* part :
         {"output:0 *", "float32", "[40, 25]", "Wrong elements: ", "and ", "Element [10, 6]: ",
          "last written by kernel add_kernel, block (1, 0, 0), thread (0, 0, 0), line 6", "c[i] = a[i] - b[i];"})
        QVERIFY2(people.output.contains(part), (part + ("\n" + people.output)).constData());
    QCOMPARE(callCli(looking("add.cu", {})).exitCode, 0);
}

void TestTensors::theWayBack() {
    const CliAnswer answer = callCli(looking("add.cu", {"--written-by", "block:3 thread:7", "--json"}));
    QCOMPARE(answer.exitCode, 0);
    const json written = answer.json().at("written");
    QCOMPARE(written.at("count").get<int>(), 1);
    QCOMPARE(written.at("elements")[0].get<int>(), 3 * 256 + 7);
    const CliAnswer people = callCli(looking("add.cu", {"--written-by", "line:6 block:3"}));
    QVERIFY2(people.output.contains("wrote last: 232"), people.output.constData());
    QVERIFY2(people.output.contains("[30, 18]"), people.output.constData());
    QVERIFY2(people.output.contains("... to [39, 24]"), people.output.constData());
}

void TestTensors::slicesAndHistograms() {
    const CliAnswer answer =
        callCli(looking("add.cu", {"--tensor", "input:1", "--slice", "-1, 5:8", "--bins", "4", "--json"}));
    QCOMPARE(answer.exitCode, 0);
    const json j = answer.json();
    QCOMPARE(j.at("slice").at("values").size(), std::size_t(3));
    QCOMPARE(j.at("slice").at("at")[0].get<int>(), 39);
    QCOMPARE(j.at("histogram").at("counts").size(), std::size_t(4));
    const CliAnswer people = callCli(looking("add.cu", {"--tensor", "difference", "--cells", "4", "--bins", "3"}));
    QVERIFY2(people.output.contains("a cell stands for 10 x 7 elements"), people.output.constData());
    QVERIFY2(people.output.contains("Slice [:, :]") && people.output.contains("Histogram"), people.output.constData());
}

void TestTensors::inputsNeedNoReference() {
    const CliAnswer answer =
        callCli({"tensors", fixture("add.cu"), "--arg", "float32[4]~constant(2)", "--arg", "float32[4]", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(!answer.json().contains("wrong"));
    QVERIFY(!answer.json().at("why_no_reference").get<std::string>().empty());
}

void TestTensors::whatIsNotThereIsSaid_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QString>("code");
    QTest::newRow("tensor") << QStringList{"--tensor", "input:2"} << "no_such_tensor";
    QTest::newRow("no tensor") << QStringList{"--tensor", "walls"} << "bad_usage";
    QTest::newRow("slice") << QStringList{"--slice", "40"} << "bad_input";
    QTest::newRow("no slice") << QStringList{"--slice", "a:b"} << "bad_input";
    QTest::newRow("element") << QStringList{"--writer", "40,0"} << "bad_input";
    QTest::newRow("no element") << QStringList{"--writer", "1;2"} << "bad_usage";
    QTest::newRow("no writer") << QStringList{"--written-by", "lane:3"} << "bad_usage";
    QTest::newRow("without checks") << QStringList{"--writer", "0,0", "--no-checks"} << "unsupported";
    QTest::newRow("cells") << QStringList{"--cells", "1000"} << "bad_usage";
    QTest::newRow("bins") << QStringList{"--bins", "0"} << "bad_usage";
}

void TestTensors::whatIsNotThereIsSaid() {
    QFETCH(QStringList, more);
    QFETCH(QString, code);
    const CliAnswer answer = callCli(looking("add.cu", more + QStringList{"--json"}));
    QCOMPARE(answer.exitCode, 2);
    QCOMPARE(QString::fromStdString(answer.json().at("error").at("code").get<std::string>()), code);
    QVERIFY(!answer.json().at("error").at("message").get<std::string>().empty());
}

/// A kernel that writes beyond its output goes on in the emulator, and is right nowhere.
void TestTensors::faultsAreSaid() {
    const QTemporaryDir folder;
    QFile source(folder.filePath("beyond.cu"));
    QVERIFY(source.open(QIODevice::WriteOnly));
    source.write("#include <torch/extension.h>\n"
                 "__global__ void beyond(float* y) { y[threadIdx.x + 4] = 1; }\n"
                 "torch::Tensor forward(torch::Tensor x) { beyond<<<1, 32>>>(x.data_ptr<float>()); return x; }\n"
                 "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
    source.close();
    const QStringList call{"tensors", source.fileName(), "--arg", "float32[8]"};
    const CliAnswer answer = callCli(call + QStringList{"--json"});
    QCOMPARE(answer.exitCode, 0); // nothing says what would be right
    const std::string faults = answer.json().at("faults").get<std::string>();
    QVERIFY2(faults.find("28 faults") == 0 && faults.find("(kernel beyond, line 2)") != std::string::npos,
             faults.c_str());
    QVERIFY(callCli(call).output.contains("  faults      28 faults"));
}

/// Whole numbers are shown with all digits, and neighbouring bins with enough of them to be told apart.
void TestTensors::wholeNumbersAreWhole() {
    const QTemporaryDir folder;
    QFile source(folder.filePath("whole.cu"));
    QVERIFY(source.open(QIODevice::WriteOnly));
    source.write(R"(#include <torch/extension.h>
__global__ void count(int* a, long* b) { a[threadIdx.x] = 1234567 + threadIdx.x; b[threadIdx.x] = 7; }
std::vector<torch::Tensor> forward(torch::Tensor x) {
    auto a = torch::empty({3, 4}, x.options().dtype(torch::kInt32));
    auto b = torch::empty({12}, x.options().dtype(torch::kInt64));
    count<<<1, 12>>>(a.data_ptr<int>(), b.data_ptr<long>());
    return {a, b, torch::empty({3, 0, 5}, x.options())};
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)");
    source.close();
    const auto shown = [&](const QStringList& more) {
        return callCli(QStringList{"tensors", source.fileName(), "--arg", "float32[1]"} + more).output;
    };
    const QByteArray whole = shown({"--bins", "4", "--writer", "1,1"});
    for (const char* part : {"1234567 at [0, 0] to 1234578 at [2, 3]", "1234571", "Element [1, 1]: 1234572"})
        QVERIFY2(whole.contains(part), whole.constData());
    QVERIFY2(!whole.mid(whole.indexOf("Slice")).contains("e+06"), whole.constData()); // a mean has its six digits
    const QByteArray empty = shown({"--tensor", "output:2", "--bins", "4"});
    QVERIFY2(empty.contains("Slice [0, :, :]\n") && empty.contains("Histogram\n  there are no elements"),
             empty.constData());
}

/// A million elements: what comes back is what was asked for.
void TestTensors::answersStayShort() {
    const CliAnswer answer = callCli({"tensors", fixture("add.cu"), "--arg", "float32[1024,1024]", "--arg",
                                      "float32[1024,1024]", "--cells", "16", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("statistics").at("elements").get<int>(), 1 << 20);
    QVERIFY2(answer.output.size() < 40'000, QByteArray::number(answer.output.size()).constData());
}

KERNELARIUM_TEST(TestTensors);
