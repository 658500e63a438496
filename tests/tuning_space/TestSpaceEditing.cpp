// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceEditing.h"
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>

namespace kernelarium::test {

class TestSpaceEditing : public QObject {
    Q_OBJECT

private slots:
    void completes_data();
    void completes();
    void coloursParts();
};

void TestSpaceEditing::completes_data() {
    QTest::addColumn<QString>("words"); // those that are offered, with those behind - that are not; | is the place
    const auto row = [](const char* text, const char* words) { QTest::newRow(text) << words; };
    row("const int T = 1; // tu|", "tune: tune where: tune registers: tune fast_math:");
    row("const int T = 1; // x|", "- tune:");
    row("const int T = 1|; // tune: 1", "- tune: T:");
    row("const int T = 1; // tune |: 1", "T: where: registers: fast_math:");
    row("const int T = 1; // tune T: 1; |", "where: - T:");
    row("const int T = 1; // tune T: 1; wh|", "where: - registers:");
    row("// tune T|: 1\nconst int TILE = 16, U = 1;", "TILE: - U:");
    row("// tune |: 1\n#pragma unroll 4", "unroll: where:");
    row("const int T = 1; // tune: |", "pow2 - step where:");
    row("const int T = 1; // tune: 1..8 |", "step - pow2");
    row("const int T = 1; // tune: 1..8 s|", "step - pow2");
    row("// tune fast_math: |", "true false - pow2");
    row("const int T = 1; // tune: 1\n// tune where: |", "T min not pow2 - where:");
    row("using V = float4; // tune: float4\n// tune where: V == f|", "float4 false float - V");
    row("/* tune\n  where: T > 1\n  |\n*/ const int T = 1;", "registers: T: - min");
    row("const char* s = \"// tune: |\";", "- pow2");
}

void TestSpaceEditing::completes() {
    QFETCH(QString, words);
    std::string text = QTest::currentDataTag();
    const std::size_t place = text.find('|');
    text.erase(place, 1);
    const tuning::SpaceCompletion completion = tuning::completionsAt(text, place);
    QVERIFY(completion.begin <= place);
    QStringList offered;
    for (const std::string& word : completion.words) {
        offered << QString::fromStdString(word);
        QVERIFY(word.starts_with(text.substr(completion.begin, place - completion.begin)));
    }
    const QStringList sides = words.split('-');
    // "tune where:" is one word.
    for (const QString& word : QString(sides[0]).replace("tune ", "tune_").split(' ', Qt::SkipEmptyParts)) {
        const QString form = QString(word).replace("tune_", "tune ");
        QVERIFY2(offered.contains(form), qPrintable(form + " of " + offered.join(", ")));
    }
    for (const QString& word : sides.value(1).split(' ', Qt::SkipEmptyParts))
        QVERIFY2(!offered.contains(word), qPrintable(word + " of " + offered.join(", ")));
    for (std::size_t at = 0; at <= text.size() + 1; ++at)
        QVERIFY(tuning::completionsAt(text, at).begin <= at);
}

void TestSpaceEditing::coloursParts() {
    const std::string text = "const int T = 16; // tune T: pow2 8..32, 3; where: T <= 'x' and min(1, T)  # more";
    const tuning::SpaceReading reading = tuning::readSpaceText(text);
    QCOMPARE(reading.marks.size(), 1u);
    QString all;
    std::size_t last = 0;
    for (const tuning::MarkPart& part : tuning::partsOf(text, reading.marks[0], {{"T", {}, 0}})) {
        QVERIFY(part.begin >= last && part.begin < part.end);
        last = part.end;
        all += "knvs"[int(part.kind)] +
               QString(":%1 ").arg(QString::fromStdString(text.substr(part.begin, part.end - part.begin)));
    }
    QCOMPARE(
        all,
        "k:tune n:T s:: k:pow2 v:8 s:.. v:32 s:, v:3 s:; k:where s:: n:T s:<= v:'x' k:and k:min s:( v:1 s:, n:T s:) ");
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestSpaceEditing);
#include "TestSpaceEditing.moc"
