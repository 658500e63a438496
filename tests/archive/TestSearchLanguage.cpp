// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestSearchLanguage.h"

#include "core/archive/search/SearchSyntax.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <fmt/format.h>
#include <regex>

using namespace kernelarium::archive;

namespace {

struct LanguageRows {
    ArchiveFixture fixture;
    std::vector<nlohmann::json> json = variedRows(400);
    kernelarium::Result<ImportReport> report = importFiles(fixture.path("a"), {fixture.writeRows("r", json)});
    Archive archive = std::move(Archive::open(fixture.path("a")).value());
};

LanguageRows& languageRows() {
    static LanguageRows rows;
    return rows;
}

std::string shown(const SearchQuery& query) {
    const auto& f = query.kernels.filter;
    const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
    return fmt::format(
        "text={} each={} regex={} uses={} level={} task={} op={} class={} name={} word={} correct={} native={}..{} "
        "compile={}..{} runtime={}..{} error={} kind={} ncu={}",
        query.text, query.eachWord, query.regex, query.uses.empty() ? "" : query.uses.front(), number(f.level),
        number(f.task), f.op, f.operatorClass ? operatorClassWord(*f.operatorClass) : "-", f.name,
        f.nameWord.empty() ? "-" : f.nameWord, number(f.correct), number(f.minSpeedupNative),
        number(f.maxSpeedupNative), number(f.minSpeedupCompile), number(f.maxSpeedupCompile), number(f.minRuntime),
        number(f.maxRuntime), number(f.hasError), f.errorKind ? errorKindWord(*f.errorKind) : "-", number(f.hasNcu));
}

const QString nothing =
    "text= each=false regex=false uses= level=- task=- op= class=- name= word=- correct=- native=-..- compile=-..- "
    "runtime=-..- error=- kind=- ncu=-";

std::vector<std::int64_t> idsOf(const SearchQuery& query) {
    std::vector<std::int64_t> ids;
    const auto result = languageRows().archive.search(query);
    if (!result) return {-1};
    for (const auto& hit : result->hits)
        ids.push_back(hit.kernel.id);
    return ids;
}

} // namespace

void TestSearchLanguage::fields_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("changed"); // what is not as in an empty query
    const auto row = [](const char* typed, const QStringList& changed) { QTest::newRow(typed) << typed << changed; };
    row("", {});
    row("acc += x", {"text=acc += x"});
    row("  two   words ", {"text=two   words"});
    row("task:1/23", {"level=1", "task=23"});
    row("task:23 tile", {"task=23", "text=tile"});
    row("tile level:2 size", {"level=2", "text=tile size"});
    row("op:softmax name:\"a b\"", {"op=softmax", "name=a b"});
    row("class:matrix", {"class=matrix"});
    row("word:tiled tile", {"word=tiled", "text=tile"});
    row("correct:yes", {"correct=true"});
    row("correct:no", {"correct=false"});
    row("speedup>2", {"native=2.0000000000000004..-"});
    row("speedup>=2", {"native=2..-"});
    row("speedup:1..2", {"native=1..2"});
    row("compile<1.5", {"compile=-..1.4999999999999998"});
    row("runtime<=0.1", {"runtime=-..0.1"});
    row("error:compile", {"kind=compile"});
    row("error:no", {"error=false"});
    row("has:ncu", {"ncu=true"});
    row("uses:wmma", {"uses=wmma"});
    row("re:x\\[[0-9]+\\]", {"regex=true", "text=x\\[[0-9]+\\]"});
    row("re:\"a b\" level:1", {"regex=true", "text=a b", "level=1"});
    row("all:shared", {"text=shared", "each=true"});
    row("all:\"shared conv\" level:1", {"text=shared conv", "each=true", "level=1"});
    row("all:shared all:conv", {"text=shared conv", "each=true"});
    row("all:", {"text=all:"});
    row("std::max", {"text=std::max"});
    row("op::x", {"text=op::x"});
    row("default: x", {"text=default: x"});
    row("https://example.org", {"text=https://example.org"});
    row("i<10", {"text=i<10"});
    row("(float*) x", {"text=(float*) x"});
    row("= -INFINITY", {"text== -INFINITY"});
    row("-1.0f", {"text=-1.0f"});
    row("i - 1", {"text=i - 1"});
    row("native-time>2 max-diff<=0.5", {});
    row("speedup:", {"text=speedup:"});
    row("speedup", {"text=speedup"});
    row("level>1", {"text=level>1"});
    row("/* tile */", {"text=/* tile */"});
}

void TestSearchLanguage::fields() {
    QFETCH(QString, typed);
    QFETCH(QStringList, changed);
    const auto query = parseSearch(typed.toStdString());
    REQUIRE_OK(query);
    const QString got = QString::fromStdString(shown(*query));
    QString expected = nothing;
    for (const QString& change : changed) {
        const QString key = change.section('=', 0, 0) + "=";
        const int at = int(expected.startsWith(key) ? 0 : expected.indexOf(" " + key) + 1);
        int end = int(expected.indexOf(QRegularExpression(" [a-z]+="), at));
        if (end < 0) end = int(expected.size());
        expected.replace(at, end - at, change);
    }
    QCOMPARE(got, expected);
}

void TestSearchLanguage::wrongValuesAreRefused_data() {
    QTest::addColumn<QString>("typed");
    for (const char* typed :
         {"level:one", "task:1/x", "task:/3", "correct:maybe", "speedup>fast", "speedup:1..", "error:strange",
          "has:money", "class:matmul", "runtime<nan", "compile>inf", "re:a b", "all:a b", "b all:a", "re:a all:b"})
        QTest::newRow(typed) << typed;
}

void TestSearchLanguage::wrongValuesAreRefused() {
    QFETCH(QString, typed);
    const auto query = parseSearch(typed.toStdString());
    QVERIFY(!query.ok());
    QCOMPARE(query.error().code, std::string("bad_input"));
    QVERIFY(!query.error().message.empty());
}

void TestSearchLanguage::regexFindsWhatANaiveScanFinds_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<bool>("matchCase");
    for (const char* expression :
         {"acc[0-3] = ", "a\\[1.\\], b_2", "b_[24]\\[7\\]", "^// Variant 1[0-9]+$", "(acc7|acc8).*\\[99\\]",
          "nowhere_in_there", "x+", ";$", "variant [13]9", "B_1.2", "[^ -~\\n]"})
        for (const bool matchCase : {false, true})
            QTest::addRow("%s %d", expression, matchCase) << expression << matchCase;
}

void TestSearchLanguage::regexFindsWhatANaiveScanFinds() {
    QFETCH(QString, expression);
    QFETCH(bool, matchCase);
    SearchQuery query;
    query.text = expression.toStdString();
    query.regex = true;
    query.matchCase = matchCase;
    query.inNames = false;
    auto flags = std::regex::ECMAScript | std::regex::multiline;
    if (!matchCase) flags |= std::regex::icase;
    const std::regex reference(query.text, flags);
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < languageRows().json.size(); ++i) {
        const auto code = languageRows().json[i]["CUDA_Code"].get<std::string>();
        if (std::regex_search(code, reference)) expected.push_back(std::int64_t(i) + 1);
    }
    QCOMPARE(idsOf(query), expected);
}

void TestSearchLanguage::regexIsLinear() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["CUDA_Code"] = std::string(4'000'000, 'a');
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {row})}));
    auto archive = Archive::open(fixture.path("a"));
    SearchQuery query;
    query.text = "(a|aa)+(a|b)*(a*)*$x"; // a backtracking engine does not come back from this
    query.regex = true;
    const auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 0U);
}

void TestSearchLanguage::brokenRegexIsRefused_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression : {"(", "[a", "a**", "\\1", "(?=x)", "x{1001}", "((((x{100}){100}){100}){100})"})
        QTest::newRow(expression) << expression;
}

void TestSearchLanguage::brokenRegexIsRefused() {
    QFETCH(QString, expression);
    SearchQuery query;
    query.text = expression.toStdString();
    query.regex = true;
    const auto result = languageRows().archive.search(query);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, std::string("bad_input"));
}

void TestSearchLanguage::usesWholeWords() {
    const ArchiveFixture fixture;
    std::vector<nlohmann::json> rows;
    for (const char* code : {"wmma::load(a);", "my_wmma(a);", "x.wmma", "WMMA;", "wmma2 wmma", "nothing"}) {
        auto row = plainRow(fmt::format("k{}", rows.size()));
        row["CUDA_Code"] = code;
        rows.push_back(row);
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a"));
    const auto hits = [&](const char* typed) {
        std::string names;
        const auto result = archive->search(parseSearch(typed).value());
        for (const auto& hit : result.value().hits)
            names += hit.kernel.name + " ";
        return names;
    };
    QCOMPARE(hits("uses:wmma"), std::string("k0 k2 k4 "));
    QCOMPARE(hits("uses:wmma uses:a"), std::string("k0 "));
    QCOMPARE(hits("uses:wmma load"), std::string("k0 "));
    QCOMPARE(hits("uses:wmma k4"), std::string("k4 "));
    QCOMPARE(hits("uses:wmma absent"), std::string());
}

void TestSearchLanguage::findsEachWord_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("found");
    const auto row = [](const char* typed, const char* found) { QTest::newRow(typed) << typed << found; };
    row("shared conv", "phrase ");
    row("all:\"shared conv\"", "phrase apart shared_one ");
    row("all:\"CONV shared\"", "phrase apart shared_one ");
    row("all:\"shared one conv\"", "shared_one ");
    row("all:\"shared_ one\"", "shared_one ");
    row("all:\"shared absent\"", "");
    row("all:conv", "phrase apart other shared_one ");
    row("all:\"shared conv\" uses:tile", "apart ");
}

void TestSearchLanguage::findsEachWord() {
    const ArchiveFixture fixture;
    std::vector<nlohmann::json> rows;
    for (const auto& [name, code] : {std::pair{"phrase", "// shared conv"},
                                     {"apart", "conv(x);\n__shared__ float tile;"},
                                     {"other", "conv(y);"},
                                     {"shared_one", "a conv;"},
                                     {"none", "nothing;"}}) {
        auto row = plainRow(name);
        row["CUDA_Code"] = code;
        rows.push_back(row);
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a"));
    QFETCH(QString, typed);
    QFETCH(QString, found);
    const auto result = archive->search(parseSearch(typed.toStdString()).value());
    REQUIRE_OK(result);
    QString names;
    for (const auto& hit : result->hits) {
        names += QString::fromStdString(hit.kernel.name) + ' ';
        QVERIFY(hit.inName || (hit.inCode && hit.line > 0 && hit.matches > 0));
    }
    QCOMPARE(names, found);
}

void TestSearchLanguage::offersEachWord() {
    QCOMPARE(searchForEachWord("shared conv"), std::string("all:\"shared conv\""));
    QCOMPARE(searchForEachWord("shared level:1  conv name:\"a b\""),
             std::string("level:1 name:\"a b\" all:\"shared conv\""));
    for (const char* typed : {"", "shared", "level:1 shared", "re:\"a b\"", "all:\"a b\"", "printf(\"a b\")"})
        QCOMPARE(searchForEachWord(typed), std::string());
}

void TestSearchLanguage::fieldsAloneAreAQuery() {
    const auto query = parseSearch("level:2 correct:yes speedup>1").value();
    const auto expected = languageRows().archive.list(query.kernels).value();
    const auto ids = idsOf(query);
    QVERIFY(ids.size() > 10);
    QCOMPARE(ids.size(), expected.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        QCOMPARE(ids[i], expected[i].id);
}

void TestSearchLanguage::duplicatesAreFolded() {
    const ArchiveFixture fixture;
    std::vector<nlohmann::json> rows;
    for (const char* code : {"int a = 1; // one", "int a=1;", "int b = 1;", "/* two */ int a = 1;", "int b = 1 ;"}) {
        auto row = plainRow(fmt::format("k{}", rows.size()), 1, int(rows.size()));
        row["CUDA_Code"] = code;
        rows.push_back(row);
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a"));
    SearchQuery query;
    query.text = "int";
    query.foldDuplicates = true;
    auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 2U);
    QCOMPARE(result->hits[0].kernel.name, std::string("k0"));
    QCOMPARE(result->hits[0].folded, 2);
    QCOMPARE(result->hits[1].folded, 1);
    query.kernels.offset = 1; // the second page goes on behind the first
    result = archive->search(query);
    QCOMPARE(result->hits.size(), 1U);
    QCOMPARE(result->hits[0].kernel.name, std::string("k2"));
    QCOMPARE(result->hits[0].folded, 1);
    const auto table = archive->table().value();
    QVERIFY(table.shape[0] == table.shape[1] && table.shape[0] != table.shape[2]);
}

void TestSearchLanguage::shortTextsNeedNoScan() {
    for (const char* text : {"@", "@#", "Qz", "~"}) {
        SearchQuery query;
        query.text = text;
        const auto result = languageRows().archive.search(query);
        REQUIRE_OK(result);
        QCOMPARE(result->hits.size(), 0U);
        QCOMPARE(result->textsScanned, 0);
    }
}

KERNELARIUM_TEST(TestSearchLanguage);
