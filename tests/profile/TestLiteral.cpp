// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/TestLiteral.h"

#include "core/profile/PythonLiteral.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace kernelarium::profile;
using Kind = Literal::Kind;
using Json = nlohmann::json;

namespace {

/// The value in a form that the Python side of the test writes as well: [kind, content].
Json described(const Literal& literal);

Json pairOf(const char* kind, Json content) {
    Json pair = Json::array();
    pair.push_back(kind);
    pair.push_back(std::move(content));
    return pair;
}

Json eachOf(const std::vector<Literal>& items) {
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(described(item));
    return list;
}

Json dictOf(const Literal& literal) {
    std::map<std::string, Json> entries; // the last of equal keys wins, as in Python
    for (std::size_t i = 0; i < literal.keys().size(); ++i)
        entries[described(literal.keys()[i]).dump()] = described(literal.items()[i]);
    Json list = Json::array();
    for (const auto& [key, value] : entries) {
        Json entry = Json::array();
        entry.push_back(Json::parse(key));
        entry.push_back(value);
        list.push_back(entry);
    }
    return list;
}

Json setOf(const Literal& literal) {
    std::set<std::string> items;
    for (const auto& item : literal.items())
        items.insert(described(item).dump());
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(Json::parse(item));
    return list;
}

Json described(const Literal& literal) {
    switch (literal.kind()) {
    case Kind::none: return pairOf("none", nullptr);
    case Kind::boolean: return pairOf("bool", *literal.truth());
    case Kind::integer: return pairOf("int", std::to_string(*literal.whole()));
    case Kind::largeInteger: return pairOf("int", *literal.text());
    case Kind::real: {
        const double value = *literal.number();
        if (std::isnan(value)) return pairOf("float", "nan");
        if (std::isinf(value)) return pairOf("float", value > 0 ? "inf" : "-inf");
        return pairOf("float", fmt::format("{:a}", value));
    }
    case Kind::text: return pairOf("str", *literal.text());
    case Kind::bytes: {
        Json bytes = Json::array();
        for (const char c : *literal.text())
            bytes.push_back(static_cast<unsigned char>(c));
        return pairOf("bytes", bytes);
    }
    case Kind::list: return pairOf("list", eachOf(literal.items()));
    case Kind::tuple: return pairOf("tuple", eachOf(literal.items()));
    case Kind::set: return pairOf("set", setOf(literal));
    case Kind::dict: return pairOf("dict", dictOf(literal));
    }
    return {};
}

const char* const pythonSide = R"py(
import ast, json, math, sys
def described(v):
    if v is None: return ["none", None]
    if isinstance(v, bool): return ["bool", v]
    if isinstance(v, int): return ["int", str(v)]
    if isinstance(v, float):
        return ["float", "nan" if math.isnan(v) else "inf" if v == math.inf else "-inf" if v == -math.inf else v.hex()]
    if isinstance(v, str): return ["str", v]
    if isinstance(v, bytes): return ["bytes", list(v)]
    if isinstance(v, (list, tuple)): return [type(v).__name__, [described(x) for x in v]]
    if isinstance(v, set): return ["set", sorted((described(x) for x in v), key=lambda x: json.dumps(x, ensure_ascii=False, separators=(",", ":")))]
    entries = {json.dumps(described(k), ensure_ascii=False, separators=(",", ":")): described(x) for k, x in v.items()}
    return ["dict", [[json.loads(k), entries[k]] for k in sorted(entries, key=lambda k: k.encode())]]
out = []
for text in json.load(open(sys.argv[1])):
    try: out.append(described(ast.literal_eval(text.strip())))
    except Exception as e: out.append(None)
json.dump(out, open(sys.argv[2], "w"))
)py";

/// The two hexadecimal forms of a real differ in trailing zeros; both are read back.
Json withReals(const Json& value) {
    if (!value.is_array()) return value;
    if (value.size() == 2 && value[0] == "float" && value[1].is_string() && value[1] != "nan")
        return pairOf("float", std::strtod(value[1].get<std::string>().c_str(), nullptr));
    Json out = Json::array();
    for (const auto& item : value)
        out.push_back(withReals(item));
    return out;
}

std::vector<std::string> handWritten() {
    return {"None",
            "True",
            "-1",
            "+ 2",
            "0x1F",
            "0b101",
            "0o17",
            "1_000",
            "1e5",
            "-1.5E-3",
            ".5",
            "5.",
            "007",
            "00",
            "0x",
            "12345678901234567890123",
            "-9223372036854775808",
            "1e999",
            "'a'",
            "\"b\\n\"",
            "'''c\n'd'''",
            "r'\\n'",
            "b'\\xff'",
            "'\\u00e9\\x41\\101\\q'",
            "'a' 'b' \"c\"",
            "('x'\n 'y')",
            "[1, 2,]",
            "(1)",
            "(1,)",
            "()",
            "{1, 2, 1}",
            "{}",
            "{'a': 1, 'a': 2}",
            "{'a': {'b': [None, (1.5,)]}}",
            "[1 2]",
            "{1: }",
            "{[1]: 2}",
            "f'x'",
            "x",
            "1 + 2",
            "1j",
            "'open",
            "[",
            "print(1)",
            "__import__('os')",
            "{**{}}",
            "[*[]]",
            "lambda: 1",
            "not True",
            "-'a'",
            "",
            "'\\x4'",
            "b'\\u0041'",
            "{'k':1 'l':2}",
            "'a' b'b'",
            "1__0",
            "1_",
            "{(1, 2): 3}",
            "{{}}",
            "[1],",
            "1.2.3",
            "1e",
            "set()"};
}

} // namespace

void TestLiteral::reads_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("nan") << "[nan, -inf, inf, -nan]"
                         << R"(["list",[["float","nan"],["float","-inf"],["float","inf"],["float","nan"]]])";
    QTest::newRow("nested")
        << " {'a' : [1, None, (True,)] }\n"
        << R"(["dict",[[["str","a"],["list",[["int","1"],["none",null],["tuple",[["bool",true]]]]]]]])";
    QTest::newRow("quotes") << R"("it's \"x\"")"
                            << R"(["str","it's \"x\""])";
    QTest::newRow("empty set") << "set()"
                               << R"(["set",[]])";
    QTest::newRow("large") << "-123456789012345678901"
                           << R"(["int","-123456789012345678901"])";
}

void TestLiteral::reads() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto literal = parseLiteral(text.toStdString());
    QVERIFY2(literal.ok(), literal.ok() ? "" : literal.error().text().c_str());
    QCOMPARE(QString::fromStdString(described(*literal).dump()), expected);
}

void TestLiteral::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("a call") << "__import__('os').system('x')"
                            << "nothing is evaluated";
    QTest::newRow("a name") << "{'a': np.float64(1.0)}"
                            << "Line 1, column 7: the name 'np'";
    QTest::newRow("an f-string") << "f'{1}'"
                                 << "evaluated";
    QTest::newRow("a sum") << "1 + 2"
                           << "after the literal";
    QTest::newRow("complex") << "1j"
                             << "not a number";
    QTest::newRow("open string") << "['a\n']"
                                 << "no end";
    QTest::newRow("open list") << "[1,\n [2,"
                               << "Line 2, column 5: the text ends early";
    QTest::newRow("unhashable") << "{[1]: 2}"
                                << "cannot be a key";
    QTest::newRow("surrogate") << "'\\ud800'"
                               << "no character";
    QTest::newRow("name escape") << "'\\N{DASH}'"
                                 << "by its name";
}

void TestLiteral::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto literal = parseLiteral(text.toStdString());
    QVERIFY(!literal.ok());
    QCOMPARE(literal.error().code, std::string("bad_literal"));
    QVERIFY2(QString::fromStdString(literal.error().message).contains(says), literal.error().message.c_str());
}

void TestLiteral::agreesWithPython() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("/usr/bin/python3 is absent");
    Json texts = Json::array();
    for (const auto& text : handWritten())
        texts.push_back(text);
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    std::ifstream sample(std::string(named != nullptr ? named : KERNELARIUM_SHARED_DIR) +
                         "/archive_sample/full_rows.jsonl");
    for (std::string line; std::getline(sample, line);) {
        const Json row = Json::parse(line);
        for (const char* column : {"NCU_Profile", "Clang_Tidy"})
            if (row.at(column).is_string()) texts.push_back(row.at(column));
    }
    QTemporaryDir folder;
    const auto in = folder.filePath("in.json").toStdString();
    const auto out = folder.filePath("out.json").toStdString();
    std::ofstream(in) << texts.dump();
    QProcess python;
    python.start("/usr/bin/python3", {"-c", pythonSide, QString::fromStdString(in), QString::fromStdString(out)});
    QVERIFY(python.waitForFinished(longWait));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    std::ifstream answers(out);
    const Json expected = Json::parse(answers);
    QCOMPARE(expected.size(), texts.size());
    int refused = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto text = texts[i].get<std::string>();
        const auto literal = parseLiteral(text);
        refused += !literal.ok();
        if (text == "1j" || text == "[1],") { // complex numbers, tuples without parentheses: repr() writes neither here
            QVERIFY(!literal.ok());
            continue;
        }
        QVERIFY2(literal.ok() == !expected[i].is_null(),
                 (text.substr(0, 80) + ": " + (literal.ok() ? "" : literal.error().text())).c_str());
        if (literal) QVERIFY2(withReals(described(*literal)) == withReals(expected[i]), text.substr(0, 200).c_str());
    }
    QVERIFY(refused > 15);
}

void TestLiteral::limitsHold() {
    LiteralLimits limits;
    limits.bytes = 10;
    QVERIFY(parseLiteral("1234567890", limits).ok());
    QVERIFY(!parseLiteral("12345678901", limits).ok());
    limits = {};
    limits.depth = 3;
    QVERIFY(parseLiteral("[[[1]]]", limits).ok());
    QVERIFY(!parseLiteral("[[[[1]]]]", limits).ok());
    limits = {};
    limits.values = 4;
    QVERIFY(parseLiteral("[1, 2, 3]", limits).ok());
    QVERIFY(!parseLiteral("[1, 2, 3, 4]", limits).ok());
}

void TestLiteral::deepNestingIsCheap() {
    const auto deep = parseLiteral(std::string(5'000'000, '['));
    QVERIFY(!deep.ok());
    QVERIFY(deep.error().message.find("deeper") != std::string::npos);
    QVERIFY(!parseLiteral(std::string(5'000'000, '-')).ok());
    QVERIFY(parseLiteral("'" + std::string(5'000'000, '\\') + "'").ok());
}

KERNELARIUM_TEST(TestLiteral);
