// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PointText.h"
#include "core/tuning/space/SpaceEditing.h"
#include "core/tuning/space/SpaceFile.h"
#include "core/tuning/space/SpaceOnText.h"
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>
#include <random>

namespace kernelarium::test {

namespace {

/// A text with some places changed: bytes, pieces of the language, parts moved or cut.
std::string mutated(std::string text, std::mt19937_64& random, std::uint64_t most = 6) {
    static const std::vector<std::string> pieces{"// tune: ",
                                                 "/* tune\n",
                                                 "*/",
                                                 "tune",
                                                 "where:",
                                                 "registers: 0, 32",
                                                 "fast_math = true: ",
                                                 "pow2 ",
                                                 "..",
                                                 " step ",
                                                 ", ",
                                                 ";",
                                                 ":",
                                                 "\"",
                                                 "'",
                                                 "R\"x(",
                                                 ")x\"",
                                                 "\\\n",
                                                 "\r\n",
                                                 "#define T 16",
                                                 "1e999",
                                                 "99999999999999999999",
                                                 "-",
                                                 "16",
                                                 "float",
                                                 "#",
                                                 "(",
                                                 "const int T = 16;",
                                                 "__launch_bounds__(1, 2)",
                                                 "#pragma unroll 4 ",
                                                 " in [",
                                                 "]",
                                                 " ? ",
                                                 "**",
                                                 "//",
                                                 "\xff",
                                                 std::string(1, '\0')};
    for (std::uint64_t changes = 1 + random() % most; changes > 0; --changes) {
        const std::size_t at = random() % (text.size() + 1);
        const std::size_t length = std::min<std::size_t>(text.size() - at, random() % 40);
        switch (random() % 5) {
        case 0: text.insert(at, pieces[random() % pieces.size()]); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(random() % (text.size() + 1), text.substr(at, length)); break;
        case 3: text.replace(at, length, pieces[random() % pieces.size()]); break;
        default:
            if (at < text.size()) text[at] = char(random());
        }
    }
    return text;
}

void visit(const std::string& text, std::mt19937_64& random) {
    const tuning::SpaceReading reading = tuning::readSpaceText(text);
    for (const tuning::TextProblem& problem : reading.problems)
        QVERIFY(problem.begin <= problem.end && problem.end <= text.size() && !problem.message.empty());
    for (const tuning::MarkedRange& mark : reading.marks)
        for (const tuning::MarkPart& part : tuning::partsOf(text, mark, reading.parameters))
            QVERIFY(part.begin < part.end && part.end <= text.size());
    QVERIFY(tuning::completionsAt(text, random() % (text.size() + 1)).begin <= text.size());
    if (!reading.tunable) return;
    const tuning::TunableText& tunable = *reading.tunable;
    QVERIFY(reading.problems.empty());
    QCOMPARE(tuning::pointText(tunable, tunable.space.start()).text, text);
    QVERIFY(!tunable.space.forbids(tunable.space.start()));
    for (int round = 0; round < 5; ++round) {
        const tuning::Point point = tunable.space.point(random() % tunable.space.size());
        QCOMPARE(tunable.space.pointOf(tunable.space.key(point)), std::optional(point));
        if (tunable.space.forbids(point)) continue;
        const std::string changed = tuning::pointText(tunable, point).text;
        const Result<tuning::TunableText> again = tuning::spaceOfText(changed);
        QVERIFY2(again.ok(), (again ? "" : again.error().text() + "\n" + changed).c_str());
        QCOMPARE(again->space.key(again->space.start()), tunable.space.key(point));
    }
    QVERIFY(tuning::readSpaceFile(tuning::spaceFile(tunable)).ok());
}

} // namespace

class TestMutatedTexts : public QObject {
    Q_OBJECT

private slots:
    void textsNeitherCrashNorLie();
    void filesNeitherCrashNorHang();
};

void TestMutatedTexts::textsNeitherCrashNorLie() {
    std::mt19937_64 random(20261123);
    std::vector<std::string> seeds{tunableKernel("matmul_tiles"), tunableKernel("softmax_rows"),
                                   tunableKernel("relu_marked")};
    // Short ones, where nearly every change meets a mark.
    seeds.insert(
        seeds.end(),
        {"const int T = 16; // tune: 8, 16\n// tune where: T * T <= 256 and T in [8, 16]\n",
         "/* tune\n T: pow2 1..64\n where: T > 1 ? T < 99 : false\n registers: 0, 32\n*/\n#define T (16)\n",
         "f<<</* tune G: 1, 2 */ 2, 3>>>(); x = a-1; // tune B: -1, 1\nusing V = float; // tune: float, int\n"});
    int sound = 0;
    for (int round = 0; round < 6000; ++round) {
        const std::string& seed = seeds[round < 600 ? std::size_t(round) % 3 : 3 + std::size_t(round) % 3];
        const std::string text = mutated(seed, random);
        visit(text, random);
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(QString("in round %1 of:\n").arg(round) + QString::fromStdString(text)));
        sound += tuning::readSpaceText(text).tunable ? 1 : 0;
    }
    QVERIFY(sound > 500 && sound < 5500); // both kinds were tried
}

void TestMutatedTexts::filesNeitherCrashNorHang() {
    std::mt19937_64 random(42);
    const std::string ours = R"({"parameters": {"T": [8, 16], "U": "pow2 1..64", "registers": [0, 32]},
        "restrictions": ["T * U <= 256", "T in [8, 16]"], "start": {"T": 16}, "rules": "python"})";
    const std::string theirs = R"json({"ConfigurationSpace": {"TuningParameters": [
        {"Name": "T", "Type": "int", "Values": "[2**i for i in range(3, 6) if i] + list(range(1, 4))", "Default": 8}],
        "Conditions": [{"Expression": "T % 2 == 0 or T // 3 < 7", "Parameters": ["T"]}]},
        "KernelSpecification": {"Language": "CUDA", "CompilerOptions": ["-DX=1"]}})json";
    int sound = 0;
    for (int round = 0; round < 6000; ++round) {
        const std::string json = round < 2 ? (round ? ours : theirs) : mutated(round % 2 ? ours : theirs, random, 2);
        const Result<tuning::FileSpace> file = tuning::readSpaceFile(json);
        QVERIFY(file.ok() || round >= 2);
        if (!file) {
            QVERIFY(!file.error().message.empty());
            continue;
        }
        const Result<tuning::TunableText> read = tuning::spaceOnText("const int T = 16; int x = U;\n", *file);
        QVERIFY(read.ok() || round >= 2);
        if (!read) continue;
        ++sound;
        const tuning::Point start = read->space.start();
        QCOMPARE(read->space.pointOf(read->space.key(start)), std::optional(start));
        QVERIFY(tuning::pointText(*read, start).text.starts_with("const int T = "));
    }
    QVERIFY(sound > 100);
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestMutatedTexts);
#include "TestMutatedTexts.moc"
