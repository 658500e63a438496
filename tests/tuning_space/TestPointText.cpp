// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PointText.h"
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>
#include <random>

namespace kernelarium::test {

using tuning::PointText;
using tuning::TunableText;

namespace {

/// The text at a point, by its key.
std::string textAt(const std::string& text, const char* key) {
    const Result<TunableText> read = tuning::spaceOfText(text);
    if (!read) return read.error().text();
    const std::optional<tuning::Point> point = read->space.pointOf(key);
    return point ? tuning::pointText(*read, *point).text : std::string("no such point");
}

} // namespace

class TestPointText : public QObject {
    Q_OBJECT

private slots:
    void putsValuesInPlace_data();
    void putsValuesInPlace();
    void everyPointOfAKernelIsATunableText();
    void settingsGoToTheCompiler();
};

void TestPointText::putsValuesInPlace_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* text, const char* key, const char* expected) {
        QTest::newRow(text) << key << expected;
    };
    row("constexpr unsigned T = 16u; // tune: 8, 16", "T=8", "constexpr unsigned T = 8u; // tune: 8, 16");
    row("constexpr int T = 0x10; // tune: 8, 16\r\n", "T=8", "constexpr int T = 8; // tune: 8, 16\r\n");
    row("constexpr float T = 2.f; // tune: 1, 2", "T=1.0", "constexpr float T = 1.0f; // tune: 1, 2");
    row("constexpr float T = 2.; // tune: 2, 1e-20", "T=1e-20", "constexpr float T = 1e-20; // tune: 2, 1e-20");
    row("#define T (16) // tune: 16, -1", "T=-1", "#define T (-1) // tune: 16, -1");
    row("#define T -1 // tune: 16, -1", "T=16", "#define T 16 // tune: 16, -1");
    row("x = a-16; // tune T: -8, 16", "T=-8", "x = a- -8; // tune T: -8, 16");
    row("return-1; // tune T: -1, 1", "T=1", "return 1; // tune T: -1, 1");
    row("return 1; // tune T: -1, 1", "T=-1", "return -1; // tune T: -1, 1");
    row("#pragma unroll 4 // tune: -1, 4", "unroll=-1", "#pragma unroll (-1) // tune: -1, 4");
    row("#pragma unroll (-1) // tune: -1, 4", "unroll=4", "#pragma unroll (4) // tune: -1, 4");
    row("x = 3\n1; // tune T: -1, 1", "T=-1", "x = 3\n(-1); // tune T: -1, 1");
    row("using T = float; // tune: float, unsigned int", "T=\"unsigned int\"",
        "using T = unsigned int; // tune: float, unsigned int");
    row("const bool B = true; // tune: false, true", "B=false", "const bool B = false; // tune: false, true");
    row("#pragma unroll 4 // tune: 1, 4", "unroll=1", "#pragma unroll 1 // tune: 1, 4");
    row("// tune registers: 0, 64", "registers=64", "// tune registers = 64: 0, 64");
    row("// tune registers = 64: 0, 64", "registers=0", "// tune registers = 0: 0, 64");
    row("/* tune\n registers : 0, 64\n fast_math:false,true */", "registers=64 fast_math=true",
        "/* tune\n registers = 64 : 0, 64\n fast_math = true:false,true */");
}

void TestPointText::putsValuesInPlace() {
    QFETCH(QString, key);
    QFETCH(QString, expected);
    const std::string text = QTest::currentDataTag();
    const std::string changed = textAt(text, qPrintable(key));
    QCOMPARE(QString::fromStdString(changed), expected);
    const Result<TunableText> again = tuning::spaceOfText(changed);
    QVERIFY2(again.ok(), changed.c_str());
    QCOMPARE(QString::fromStdString(again->space.key(again->space.start())), key);
    QCOMPARE(tuning::pointText(*again, again->space.start()).text, changed);
}

void TestPointText::everyPointOfAKernelIsATunableText() {
    std::mt19937_64 random(3);
    for (const char* name : {"matmul_tiles", "softmax_rows", "relu_marked"}) {
        for (const bool windows : {false, true}) {
            std::string text = tunableKernel(name);
            if (windows)
                for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
                    text.insert(at, 1, '\r');
            const Result<TunableText> read = tuning::spaceOfText(text);
            QVERIFY(read.ok());
            const tuning::Space& space = read->space;
            QCOMPARE(tuning::pointText(*read, space.start()).text, text);
            for (int round = 0; round < 50; ++round) {
                const tuning::Point point = space.point(random() % space.size());
                if (space.forbids(point)) continue;
                const PointText at = tuning::pointText(*read, point);
                QCOMPARE(std::count(at.text.begin(), at.text.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
                QCOMPARE(std::count(at.text.begin(), at.text.end(), '\r'), std::count(text.begin(), text.end(), '\r'));
                const Result<TunableText> again = tuning::spaceOfText(at.text);
                QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
                QCOMPARE(again->space.key(again->space.start()), space.key(point));
                for (std::size_t i = 0; i < space.parameters().size(); ++i)
                    QCOMPARE(again->space.parameters()[i].values, space.parameters()[i].values);
                // And back: all is as it was, but for the settings, which are said now.
                const PointText back = tuning::pointText(*again, space.start());
                const Result<TunableText> home = tuning::spaceOfText(back.text);
                QVERIFY(home.ok());
                QCOMPARE(home->space.key(home->space.start()), space.key(space.start()));
            }
        }
    }
}

void TestPointText::settingsGoToTheCompiler() {
    const Result<TunableText> read = tuning::spaceOfText("// tune registers: 0, 64\n// tune fast_math: false, true\n"
                                                         "const int T = 1; // tune: 1, 2\n");
    QVERIFY(read.ok());
    text::CompilerSettings given;
    given.maxRegisters = 32;
    given.folders = {"/a"};
    given.macros = {"-DN=3", "-DT=7", "-UT", "-DTT=1"};
    const auto at = [&](const char* key) { return tuning::pointText(*read, *read->space.pointOf(key), given, true); };
    const PointText capped = at("registers=64 fast_math=true T=1");
    QCOMPARE(capped.settings.maxRegisters, 64);
    QVERIFY(capped.fastMath);
    QCOMPARE(capped.settings.macros, (std::vector<std::string>{"-DN=3", "-DTT=1"})); // T is the point's
    QCOMPARE(capped.settings.folders, given.folders);
    const PointText plain = at("registers=0 fast_math=false T=2");
    QCOMPARE(plain.settings.maxRegisters, 0);
    QVERIFY(!plain.fastMath);
    const Result<TunableText> without = tuning::spaceOfText("const int T = 1; // tune: 1, 2\n");
    const PointText kept = tuning::pointText(*without, without->space.start(), given, true);
    QCOMPARE(kept.settings.maxRegisters, 32);
    QVERIFY(kept.fastMath);
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestPointText);
#include "TestPointText.moc"
