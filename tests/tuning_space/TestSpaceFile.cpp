// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PointText.h"
#include "core/tuning/space/SpaceFile.h"
#include "core/tuning/space/SpaceOnText.h"
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>

namespace kernelarium::test {

using tuning::FileSpace;
using tuning::TunableText;

class TestSpaceFile : public QObject {
    Q_OBJECT

private slots:
    void setsConstantsAndMacros();
    void refusesByName_data();
    void refusesByName();
    void limitsOfFilesAreNamed();
    void writesWhatItReads();
    void readsKernelTunersLists_data();
    void readsKernelTunersLists();
    void readsKernelTunersFiles();
    void refusesKernelTunersRest();
};

namespace {

Result<TunableText> put(const std::string& text, const std::string& json) {
    const Result<FileSpace> file = tuning::readSpaceFile(json);
    if (!file) return file.error();
    return tuning::spaceOnText(text, *file);
}

QString whyNot(const std::string& text, const std::string& json) {
    const Result<TunableText> read = put(text, json);
    return read ? QString() : QString::fromStdString(read.error().text());
}

/// A file of Kernel Tuner's form with one parameter and what else is given.
std::string kernelTuner(const std::string& type, const std::string& values, const std::string& conditions = "",
                        const std::string& specification = R"("Language": "CUDA")") {
    return R"({"General": {"BenchmarkName": "x"}, "ConfigurationSpace": {"TuningParameters": [{"Name": "N", "Type": ")" +
           type + R"(", "Values": ")" + values + R"("}], "Conditions": [)" + conditions +
           R"(]}, "KernelSpecification": {)" + specification + "}}";
}

QString valuesOf(const std::string& type, const std::string& list) {
    const Result<FileSpace> file = tuning::readSpaceFile(kernelTuner(type, list));
    return file ? QString::fromStdString(tuning::listed(file->parameters[0].values))
                : "!" + QString::fromStdString(file.error().text());
}

} // namespace

void TestSpaceFile::setsConstantsAndMacros() {
    const std::string text = tunableKernel("relu_macros");
    const std::string json =
        R"({"parameters": {"BLOCK_SIZE": [128, 256], "ITEMS": "pow2 1..8", "LIMIT": [132, 264, 1056],
        "registers": [0, 32], "fast_math": [false, true]}, "restrictions": ["BLOCK_SIZE * ITEMS <= 1024"],
        "start": {"ITEMS": 2}})";
    const Result<TunableText> read = put(text, json);
    QVERIFY2(read.ok(), qPrintable(whyNot(text, json)));
    QCOMPARE(QString::fromStdString(read->space.key(read->space.start())),
             "BLOCK_SIZE=128 ITEMS=2 LIMIT=1056 registers=0 fast_math=false");
    const tuning::PointText start = tuning::pointText(*read, read->space.start());
    QCOMPARE(start.text, text);
    QCOMPARE(start.settings.macros, (std::vector<std::string>{"-DBLOCK_SIZE=128", "-DITEMS=2"}));
    const auto point = read->space.pointOf("BLOCK_SIZE=256 ITEMS=4 LIMIT=264 registers=32 fast_math=true");
    QVERIFY(point.has_value());
    text::CompilerSettings given;
    given.macros = {"-DITEMS=1", "-DOTHER"};
    const tuning::PointText at = tuning::pointText(*read, *point, given);
    QCOMPARE(at.settings.macros, (std::vector<std::string>{"-DOTHER", "-DBLOCK_SIZE=256", "-DITEMS=4"}));
    QCOMPARE(at.settings.maxRegisters, 32);
    QVERIFY(at.fastMath);
    std::string expected = text;
    expected.replace(expected.find("1056u"), 5, "264u");
    QCOMPARE(at.text, expected);
    QVERIFY(read->space.forbids(*read->space.pointOf("BLOCK_SIZE=256 ITEMS=8 LIMIT=264 registers=32 fast_math=true")));
    // A macro with a literal of its own is set in the text, so that the text alone says what the point is.
    const Result<TunableText> guarded =
        put("#ifndef TILE\n#define TILE 16\n#endif\n", R"({"parameters": {"TILE": [8, 16]}})");
    QVERIFY(guarded.ok());
    QCOMPARE(tuning::pointText(*guarded, {{0}}).text, "#ifndef TILE\n#define TILE 8\n#endif\n");
    // The text's own value is none of the list: the list's first is where it begins.
    const Result<TunableText> other =
        put("const int T = 3;", R"({"parameters": {"T": [8, 16]}, "restrictions": ["T > 8"]})");
    QCOMPARE(tuning::pointText(*other, other->space.start()).text, "const int T = 8;");
    QCOMPARE(other->remarks, std::vector<std::string>{"The start is forbidden by `T > 8`."});
}

void TestSpaceFile::refusesByName_data() {
    QTest::addColumn<QString>("message");
    const auto row = [](const char* json, const char* message) { QTest::newRow(json) << message; };
    row("", "it is no JSON");
    row("[1]", "it is no object");
    row("{\"parameters\": {\"T\": [1]}", "it is no JSON");
    row(R"({"parameters": {}})", "it has no parameters");
    row(R"({"restrictions": []})", "it has no parameters");
    row(R"({"parameters": [1]})", "`parameters` is no object");
    row(R"({"parameters": {"T": [8]}, "where": "T > 1"})", "`where` is not known. Known are");
    row(R"({"parameters": {"T": [8], "T": [16]}})", "`T` stands there twice");
    row(R"({"parameters": {"T": 8}})", "`T` has no list of values");
    row(R"({"parameters": {"T": []}})", "`T` has no list of values");
    row(R"({"parameters": {"T": [8, 8]}})", "`T` has the value 8 twice");
    row(R"({"parameters": {"T": [8, true]}})", "are not of one kind");
    row(R"({"parameters": {"T": [8, null]}})", "`T` has the value null, which is none");
    row(R"({"parameters": {"T": [18446744073709551615]}})", "has the value 18446744073709551615");
    row(R"({"parameters": {"T": ["a; b"]}})", "has the value \"a; b\"");
    row(R"({"parameters": {"T": "8..1"}})", "the values of `T`, column 1: The range 8..1 is empty");
    row(R"({"parameters": {"T": "8; 16"}})", "does not go on with `;`");
    row(R"({"parameters": {"T x": [8]}})", "`T x` is no name");
    row(R"({"parameters": {"T": [8.5, 16.5]}})", "The text has the integer `16` there");
    row(R"({"parameters": {"U": [8]}})", "The text has no `U`. A parameter sets a constant of the text");
    row(R"({"parameters": {"DOUBLE": [8]}})", "`DOUBLE` is `2 * T` on line 2, which is no literal");
    row(R"({"parameters": {"local": [8]}})", "`local` is declared on line 5, but is no constant with a literal");
    row(R"({"parameters": {"TWICE": [8]}})", "`TWICE` is defined on lines 3 and 4");
    row(R"({"parameters": {"registers": [8]}})", "registers is 0 for no cap");
    row(R"({"parameters": {"T": [8, 16]}, "start": {"T": 9}})", "the start of `T` is not among its values 8, 16");
    row(R"({"parameters": {"T": [8, 16]}, "start": {"U": 9}})", "`start` names `U`");
    row(R"({"parameters": {"T": [8, 16]}, "rules": "c"})", "`rules` is");
    row(R"({"parameters": {"T": [8, 16]}, "restrictions": [3]})", "no list of texts");
    row(R"({"parameters": {"T": [8, 16]}, "restrictions": "T > Q"})",
        "The restriction `T > Q`, column 5: `Q` is no parameter");
    row(R"({"parameters": {"T": [8, 16]}, "restrictions": "T > 1; T"})", "does not go on with `;`");
}

void TestSpaceFile::refusesByName() {
    QFETCH(QString, message);
    const QString why =
        whyNot("const int T = 16;\nconst int DOUBLE = 2 * T;\n#define TWICE 1\n#define TWICE 2\nint local = 8;\n",
               QTest::currentDataTag());
    QVERIFY2(why.contains(message), qPrintable(why));
    QVERIFY(whyNot("", std::string(100000, '[')).contains("nests too deeply"));
}

void TestSpaceFile::limitsOfFilesAreNamed() {
    std::string ours = "{\"parameters\": {\"P\": [1]", theirs = R"({"ConfigurationSpace": {"TuningParameters": [)";
    for (int i = 0; i < 17; ++i) {
        ours += ", \"P" + std::to_string(i) + "\": \"1..65536\"";
        theirs += std::string(i ? "," : "") + "{\"Name\": \"P" + std::to_string(i) +
                  "\", \"Type\": \"int\", \"Values\": \"range(65536)\"}";
    }
    QVERIFY(whyNot("", ours + "}}").contains("more than 1,048,576 values in all"));
    QVERIFY(whyNot("", theirs + "]}}").contains("more than 1,048,576 values in all"));
    QVERIFY(whyNot("", std::string(5 << 20, ' ')).contains("more than 4 MiB"));
    QVERIFY(whyNot("", R"({"parameters": {"P": [1]}, "restrictions": ["P > )" + std::string(70'000, ' ') + "0\"]}")
                .contains("more than 64 KiB"));
    QVERIFY(whyNot("", kernelTuner("int", "[1" + std::string(70'000, ' ') + "]")).contains("more than 64 KiB"));
}

void TestSpaceFile::writesWhatItReads() {
    for (const char* name : {"matmul_tiles", "softmax_rows", "relu_marked"}) {
        const std::string text = tunableKernel(name);
        const Result<TunableText> marked = tuning::spaceOfText(text);
        QVERIFY(marked.ok());
        const std::string json = tuning::spaceFile(*marked);
        const Result<TunableText> read = put(text, json);
        QVERIFY2(read.ok(), qPrintable(whyNot(text, json)));
        QCOMPARE(tuning::spaceFile(*read), json);
        QCOMPARE(read->space.countAllowed(100'000), marked->space.countAllowed(100'000));
        for (std::uint64_t i = 0; i < read->space.size(); ++i)
            QCOMPARE(read->space.forbids(read->space.point(i)) == nullptr,
                     marked->space.forbids(marked->space.point(i)) == nullptr);
        const tuning::Point last = read->space.point(read->space.size() - 1);
        QCOMPARE(tuning::pointText(*read, last).text, tuning::pointText(*marked, last).text);
    }
}

void TestSpaceFile::readsKernelTunersLists_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* list, const char* type, const char* expected) {
        QTest::newRow(list) << type << expected;
    };
    row("[1, 2, 4]", "int", "1, 2, 4");
    row("(1, 2, 4,)", "int", "1, 2, 4");
    row("1, 2, 4", "uint", "1, 2, 4");
    row("list(range(1, 5))", "int", "1, 2, 3, 4");
    row("range(3)", "int", "0, 1, 2");
    row("range(32, 129, 32)", "int", "32, 64, 96, 128");
    row("list(range(4, 0, -2))", "int", "4, 2");
    row("[128+64*i for i in range(3)]", "int", "128, 192, 256");
    row("[2**i for i in range(10) if 3 <= i and i % 2 == 0]", "int", "16, 64, 256");
    row("[i if i else 1 for i in [0, 2]]", "int", "1, 2");
    row("[1] + list(range(2, 5)) + [x * x for x in (3, 4)]", "int", "1, 2, 3, 4, 9, 16");
    row("[0, 0.5]", "float", "0.0, 0.5");
    row("['float', 'double']", "string", "float, double");
    row("[True, False]", "bool", "true, false");
    row("[-1, 1]", "int", "-1, 1");
    row("[-1, 1]  # both", "uint", "!In the Kernel Tuner file: `-1` of `N` is no value of the type uint.");
    row("[0.5]", "int", "!In the Kernel Tuner file: `0.5` of `N` is no value of the type int.");
    row("[1, 1]", "int", "!In the Kernel Tuner file: `N` has the value 1 twice.");
    row("[]", "int", "!In the Kernel Tuner file: `N` has no values.");
    row("[1]", "double", "!In the Kernel Tuner file: `N` is of the type `double`, which T1 does not have.");
    row("[2**i for i in range(70)]", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 25: A value cannot be calculated.");
    row("range(0, 1000000)", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 18: The list has more than 65536 values.");
    row("range(0, 10, 0)", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 16: The step 0 of range() leads nowhere.");
    row("np.arange(3)", "int", "!In the Kernel Tuner file: the Values of `N`, column 1: `np` is no parameter.");
    row("[__import__('os').system('x')]", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 2: `__import__` is no function here.");
    row("[a for a in range(2) for b in range(2)]", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 22: A comprehension with a second `for` is not understood.");
    row("[1, 2", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 6: Here a `]` should stand, not the end.");
    row("list(", "int",
        "!In the Kernel Tuner file: the Values of `N`, column 6: Here a list should stand, not the end.");
    row("[1] * 3", "int", "!In the Kernel Tuner file: the Values of `N`, column 5: The list does not go on with `*`.");
}

void TestSpaceFile::readsKernelTunersLists() {
    QFETCH(QString, type);
    QFETCH(QString, expected);
    const QString answer = valuesOf(type.toStdString(), QTest::currentDataTag());
    QVERIFY2(expected.startsWith('!') ? answer.startsWith(expected) : answer == expected, qPrintable(answer));
}

void TestSpaceFile::readsKernelTunersFiles() {
    const std::string json = R"json({
        "General": {"BenchmarkName": "convolution"},
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "block_size_x", "Type": "int", "Values": "[16, 32, 48, 64]", "Default": 32},
                {"Name": "block_size_y", "Type": "int", "Values": "[1, 2, 4, 8]", "Default": 3},
                {"Name": "tile", "Type": "int", "Values": "list(range(1, 5))"},
                {"Name": "use_padding", "Type": "int", "Values": "[0, 1]", "Default": 1}],
            "Conditions": [
                {"Expression": "32 <= block_size_x * block_size_y <= 256", "Parameters": ["block_size_x"]},
                {"Expression": "block_size_x / tile % 2 == 0 or not use_padding", "Parameters": ["tile"]}]
        },
        "KernelSpecification": {
            "Language": "CUDA", "KernelName": "conv", "KernelFile": "conv.cu",
            "CompilerOptions": ["-std=c++11", "-maxrregcount=64", "--use_fast_math", "-DSIZE=3", "-I/tmp"],
            "GlobalSize": {"X": "1"}, "LocalSize": {"X": "block_size_x"}}})json";
    const std::string text = "#define use_padding 0\nconstexpr int tile = 2;\n"
                             "__shared__ float s[block_size_x + use_padding][block_size_y];\n";
    const Result<TunableText> read = put(text, json);
    QVERIFY2(read.ok(), qPrintable(whyNot(text, json)));
    QCOMPARE(QString::fromStdString(read->space.key(read->space.start())),
             "block_size_x=32 block_size_y=1 tile=2 use_padding=1");
    std::uint64_t allowed = 0;
    for (const double x : {16, 32, 48, 64})
        for (const int y : {1, 2, 4, 8})
            for (const int t : {1, 2, 3, 4})
                for (const bool padding : {false, true})
                    allowed += x * y >= 32 && x * y <= 256 && (std::fmod(x / t, 2) == 0 || !padding) ? 1 : 0;
    QCOMPARE(read->space.countAllowed(10'000), std::optional(allowed));
    const tuning::PointText at =
        tuning::pointText(*read, *read->space.pointOf("block_size_x=64 block_size_y=2 tile=4 use_padding=0"));
    QCOMPARE(at.settings.macros, (std::vector<std::string>{"-DSIZE=3", "-Dblock_size_x=64", "-Dblock_size_y=2"}));
    QCOMPARE(at.settings.maxRegisters, 64);
    QVERIFY(at.fastMath);
    QVERIFY(at.text.starts_with("#define use_padding 0\nconstexpr int tile = 4;\n"));
    QStringList remarks;
    for (const std::string& remark : read->remarks)
        remarks << QString::fromStdString(remark);
    const QString all = remarks.join('\n');
    for (const char* part : {"General was ignored", "KernelName, LocalSize", "-std=c++11 was ignored",
                             "-I/tmp was ignored", "The Default of block_size_y is not among its values"})
        QVERIFY2(all.contains(part), qPrintable(all));
    // Written in our form, it says whose arithmetic the restrictions have.
    const Result<TunableText> again = put(text, tuning::spaceFile(*read));
    QVERIFY(again.ok());
    QCOMPARE(again->space.countAllowed(10'000), std::optional(allowed));
}

void TestSpaceFile::refusesKernelTunersRest() {
    const std::string text = "int x = N;";
    QCOMPARE(whyNot(text, kernelTuner("int", "[1, 2]")), "");
    QVERIFY(whyNot(text, kernelTuner("int", "[1, 2]", "", R"("Language": "OpenCL")")).contains("language \"OpenCL\""));
    QVERIFY(
        whyNot(text, kernelTuner("int", "[1, 2]", R"({"Parameters": []})")).contains("a condition has no Expression"));
    QVERIFY(whyNot(text, kernelTuner("int", "[1, 2]", R"({"Expression": "lambda p: p[0]"})"))
                .contains("`lambda` is no parameter"));
    QVERIFY(whyNot(text, R"({"ConfigurationSpace": 3})").contains("no list TuningParameters"));
    QVERIFY(whyNot(text, R"({"ConfigurationSpace": {"TuningParameters": [3]}})").contains("has no Name"));
    QVERIFY(whyNot(text,
                   R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "a b", "Type": "int", "Values": "[1]"}]}})")
                .contains("`a b` is no name"));
    QVERIFY(whyNot("int y;", kernelTuner("int", "[1, 2]")).contains("The text has no `N`"));
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestSpaceFile);
#include "TestSpaceFile.moc"
