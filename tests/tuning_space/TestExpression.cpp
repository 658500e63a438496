// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>
#include <random>

namespace kernelarium::test {

using tuning::Expression;
using tuning::Parameter;
using tuning::Value;

namespace {

std::vector<Parameter> someParameters() {
    return {{"TILE", {std::int64_t(16), std::int64_t(32)}, 0},
            {"SCALE", {0.5, 1.0}, 0},
            {"PAD", {true, false}, 0},
            {"TYPE", {std::string("float4"), std::string("float")}, 0}};
}

} // namespace

class TestExpression : public QObject {
    Q_OBJECT

private slots:
    void calculates_data();
    void calculates();
    void refusesByName_data();
    void refusesByName();
    void agreesWithAnOracle();
    void longAndDeepOnesEnd();
    void isUsedFromSeveralThreads();
};

void TestExpression::calculates_data() {
    QTest::addColumn<QString>("cpp");
    QTest::addColumn<QString>("python"); // where it differs
    const auto row = [](const char* text, const char* cpp, const char* python = nullptr) {
        QTest::newRow(text) << cpp << (python ? python : cpp);
    };
    row("1 + 2 * 3", "7");
    row("(1 + 2) * 3", "9");
    row("2 - 3 - 4", "-5");
    row("7 / 2", "3", "3.5");
    row("-7 / 2", "-3", "-3.5");
    row("-7 % 3", "-1", "2");
    row("7 % -3", "1", "-2");
    row("-7 // 2", "-4");
    row("7.0 // 2", "3.0");
    row("7 / 2.0", "3.5");
    row("-7.5 % 2", "-1.5", "0.5");
    row("2 ** 10", "1024");
    row("2 ** 3 ** 2", "512");
    row("-2 ** 2", "-4");
    row("2 ** -1", "0.5");
    row("1 / 0", "refused");
    row("1 % 0", "refused");
    row("1 // 0", "refused");
    row("1.0 / 0", "refused");
    row("0 ** -1", "refused");
    row("9223372036854775807 + 1", "refused");
    row("-9223372036854775807 - 2", "refused");
    row("4611686018427387904 * 2", "refused");
    row("(-9223372036854775807 - 1) / -1", "refused", "9.223372036854776e+18");
    row("(-9223372036854775807 - 1) % -1", "refused");
    row("-(-9223372036854775807 - 1)", "refused");
    row("abs(-9223372036854775807 - 1)", "refused");
    row("2 ** 63", "refused");
    row("1e308 * 10", "refused");
    row("(-1) ** 0.5", "refused");
    row("9007199254740993 == 9007199254740992.0", "false"); // exactly
    row("TILE == 16 and not PAD == false", "true");
    row("TILE * TILE <= 256 && SCALE < 1", "true");
    row("!PAD || TILE > 16", "false");
    row("!TILE == 16", "false");
    row("not TILE == 16", "false");
    row("not not TILE", "true");
    row("PAD ? TILE : 1 / 0", "16");
    row("PAD ? 1 : PAD ? 2 : 3", "1");
    row("1 if TILE > 16 else 2 if PAD else 3", "2");
    row("(1 < 2 < 3 if PAD else 5) + 1", "2");
    row("8 <= TILE < 32", "true");
    row("8 < TILE < 16", "false");
    row("1 < 1 / 0 < 3", "refused");
    row("3 < 1 < 1 / 0", "false"); // ends early
    row("TILE in [8, 16]", "true");
    row("TILE in (8,)", "false");
    row("TILE not in {8, 32}", "true");
    row("TILE in []", "false");
    row("TYPE in ['float4', \"half\"]", "true");
    row("TYPE == float4", "true");
    row("TYPE != float", "true");
    row("TYPE == 'float'", "false");
    row("min(3, TILE, 2.5)", "2.5");
    row("max(3, TILE)", "16");
    row("abs(-3.5) + abs(4)", "7.5");
    row("pow2(TILE) and not pow2(12) and not pow2(0) and not pow2(-4)", "true");
    row("int(7.9) + int(-7.9)", "0");
    row("int(1e300)", "refused");
    row("float(3) / 2", "1.5");
    row("int(SCALE * 3)", "1");
    row("False or True", "true");
    row("0 or 7", "true", "7");
    row("3 and 7", "true", "7");
    row("0 and 1 / 0", "false", "0");
    row("true + true", "2");
    row("0x20 + 010 + 0b11 + 1'000u", "1043");
    row("1 == 1 == 1", "true");
    row("2 > 1 # and so on", "true");
    row("1 +\n 2", "3");
}

void TestExpression::calculates() {
    QFETCH(QString, cpp);
    QFETCH(QString, python);
    const std::string text = QTest::currentDataTag();
    QCOMPARE(evaluated(text, Expression::Rules::cpp, someParameters()), cpp);
    QCOMPARE(evaluated(text, Expression::Rules::python, someParameters()), python);
}

void TestExpression::refusesByName_data() {
    QTest::addColumn<QString>("message");
    const auto row = [](const char* text, const char* message) { QTest::newRow(text) << message; };
    row("TILES <= 4", "`TILES` is no parameter");
    row("TYPE * 2", "`*` is for numbers");
    row("TYPE == 4", "A word is compared with a number");
    row("TYPE < float", "Words have no order");
    row("TYPE in [1]", "A word is compared with a number");
    row("min(TYPE, 1)", "is for numbers");
    row("min(1)", "takes two values or more, not 1");
    row("pow2(1, 2)", "takes one value, not 2");
    row("ceil(1.5)", "`ceil` is no function here");
    row("(1 + 2", "needs a `)`");
    row("TILE in 16", "After `in` comes a list");
    row("TILE in [16", "needs a `]`");
    row("PAD ? 1", "comes `: c`");
    row("1 if PAD", "comes `else c`");
    row("1 +", "should stand, not the end");
    row("", "should stand, not the end");
    row("* 3", "should stand, not `*`");
    row("16q == 3", "`16q` is no number");
    row("99999999999999999999 > TILE", "larger than 9223372036854775807");
    row("1 < 2 == 3", "in a chain with comparisons of the other kind");
    row("TILE = 16", "left over `=`");
    row("TILE & 1", "left over `&`");
    row("TILE << 1", "left over `<<`");
    row("'open", "A quotation begins here");
    row("\xc3\xa4 < 3", "not `\xc3\xa4`");
}

void TestExpression::refusesByName() {
    QFETCH(QString, message);
    const QString answer = evaluated(QTest::currentDataTag(), Expression::Rules::cpp, someParameters());
    QVERIFY2(answer.startsWith('!') && answer.contains(message), qPrintable(answer));
}

namespace {

/// A random expression of integers and what C++ says that it is; nothing where it cannot be calculated.
struct Drawn {
    std::string text;
    std::optional<std::int64_t> value;
};
Drawn drawn(std::mt19937_64& random, int depth, const std::vector<std::int64_t>& variables) {
    if (depth == 0 || random() % 5 == 0) {
        if (random() % 2) {
            const std::size_t i = random() % variables.size();
            return {std::string(1, char('A' + i)), variables[i]};
        }
        const auto number = std::int64_t(random() % 20);
        return {std::to_string(number), number};
    }
    const Drawn a = drawn(random, depth - 1, variables), b = drawn(random, depth - 1, variables);
    const bool both = a.value && b.value;
    const auto join = [&](const char* op) { return "(" + a.text + " " + op + " " + b.text + ")"; };
    const auto of = [&](std::int64_t v) { return both ? std::optional(v) : std::nullopt; };
    const std::int64_t x = a.value.value_or(1), y = b.value.value_or(1);
    std::int64_t result = 0;
    switch (random() % 12) {
    case 0: return {join("+"), __builtin_add_overflow(x, y, &result) ? std::nullopt : of(result)};
    case 1: return {join("-"), __builtin_sub_overflow(x, y, &result) ? std::nullopt : of(result)};
    case 2: return {join("*"), __builtin_mul_overflow(x, y, &result) ? std::nullopt : of(result)};
    case 3: return {join("/"), y == 0 ? std::nullopt : of(x / (y == 0 ? 1 : y))};
    case 4: return {join("%"), y == 0 ? std::nullopt : of(x % (y == 0 ? 1 : y))};
    case 5: return {join("<"), of(x < y)};
    case 6: return {join("=="), of(x == y)};
    case 7: return {join("!="), of(x != y)};
    case 8: return {join("&&"), a.value && !x ? std::optional<std::int64_t>(0) : of(x && y)};
    case 9: return {join("or"), a.value && x ? std::optional<std::int64_t>(1) : of(x || y)};
    case 10: return {"max(" + a.text + ", " + b.text + ")", of(std::max(x, y))};
    default: {
        const Drawn c = drawn(random, depth - 1, variables);
        const std::string text = random() % 2 ? "(" + a.text + " ? " + b.text + " : " + c.text + ")"
                                              : "(" + b.text + " if " + a.text + " else " + c.text + ")";
        return {text, !a.value ? std::nullopt : x ? b.value : c.value};
    }
    }
}

} // namespace

void TestExpression::agreesWithAnOracle() {
    std::mt19937_64 random(7);
    int calculable = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::vector<std::int64_t> variables{std::int64_t(random() % 9), 1 + std::int64_t(random() % 64),
                                                  std::int64_t(random() % 5) - 2};
        const Drawn expression = drawn(random, 4, variables);
        std::vector<Parameter> parameters;
        for (std::size_t i = 0; i < variables.size(); ++i)
            parameters.push_back({std::string(1, char('A' + i)), {variables[i]}, 0});
        QString answer = evaluated(expression.text, Expression::Rules::cpp, parameters);
        if (answer == "true") answer = "1";
        if (answer == "false") answer = "0";
        const QString expected = expression.value ? QString::number(*expression.value) : QString("refused");
        QVERIFY2(answer == expected,
                 qPrintable(QString::fromStdString(expression.text) + ": " + answer + ", not " + expected));
        calculable += expression.value ? 1 : 0;
    }
    QVERIFY(calculable > 1000 && calculable < 3000);
}

void TestExpression::longAndDeepOnesEnd() {
    std::string sum = "0", all = "true", deep(200, '('), minus(200, '-'), power = "1";
    for (int i = 0; i < 20000; ++i) {
        sum += " + 1";
        all += " and 1 < 2";
    }
    for (int i = 0; i < 200; ++i)
        power += " ** 1";
    QCOMPARE(evaluated(sum), "20000");
    QCOMPARE(evaluated(all), "true");
    QVERIFY(evaluated(deep + "1" + std::string(200, ')')).contains("nested"));
    QVERIFY(evaluated(minus + "1").contains("nested"));
    QVERIFY(evaluated(power).contains("nested"));
    QVERIFY(evaluated(std::string(100000, '(')).contains("nested"));
    QCOMPARE(evaluated(std::string(60, '(') + "1" + std::string(60, ')')), "1");
}

void TestExpression::isUsedFromSeveralThreads() {
    const std::vector<Parameter> parameters = someParameters();
    tuning::TextProblems problems;
    const std::string text = "TILE * TILE <= 256 and TYPE == float4";
    const std::vector<tuning::MarkToken> tokens = tuning::markTokens(text, 0, text.size(), problems);
    tuning::MarkStream stream(tokens);
    const std::optional<Expression> parsed =
        tuning::parseExpression(stream, {&parameters, {}}, Expression::Rules::cpp, problems);
    QVERIFY(parsed.has_value());
    QCOMPARE(parsed->reads(), (std::vector<std::size_t>{0, 3}));
    std::vector<int> held(4, 0);
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < held.size(); ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 50000; ++i) {
                    const Value& tile = parameters[0].values[std::size_t(i % 2)];
                    held[t] += parsed->holds({&tile, nullptr, nullptr, &parameters[3].values[0]}) ? 1 : 0;
                }
            });
    }
    QCOMPARE(held, std::vector<int>(4, 25000));
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestExpression);
#include "TestExpression.moc"
