// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestVerdictSearch.h"

#include "core/archive/export/Export.h"
#include "core/archive/search/SearchSyntax.h"
#include "core/archive/search/TableSelection.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveContent.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <fmt/format.h>
#include <sstream>

using namespace kernelarium::archive;

namespace {

constexpr int judgedRows = 300;

/// Every third kernel has none; words, reasons and versions vary with the row.
OwnVerdicts verdictsOn(const KernelTable& table) {
    static const char* const words[] = {"verified", "wrong", "fault", "timeout"};
    OwnVerdicts verdicts;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % 3 == 0) continue;
        OwnVerdict v;
        v.verdict = words[row % 4];
        if (v.verdict == "wrong") v.reasons = {"values"};
        if (v.verdict == "fault")
            v.reasons = row % 8 == 2 ? std::vector<std::string>{"shared_race", "values"}
                                     : std::vector<std::string>{"out_of_bounds"};
        if (row % 5 == 0) v.remarks = {"reduced_precision"};
        v.checks = int(10 + row % 3);
        v.timeMs = 1'700'000'000'000 + std::int64_t(row) * 86'400'000;
        v.stale = row % 7 == 0;
        verdicts.put(table.level[row], table.task[row], table.name[row], table.codeHash[row], std::move(v));
    }
    return verdicts;
}

struct JudgedArchive {
    ArchiveFixture fixture;
    std::filesystem::path path = madeArchive(fixture, judgedRows);
    Archive archive = std::move(Archive::open(path).value());
    KernelTable table = archive.table().value();
    std::shared_ptr<const OwnVerdicts> verdicts = std::make_shared<OwnVerdicts>(verdictsOn(table));
};

JudgedArchive& judgedArchive() {
    static JudgedArchive all;
    return all;
}

/// What a row is, for expectations that are written down without the language.
struct JudgedRow {
    const OwnVerdict* verdict;
    std::string names;
    std::string code;
    double speedup;
    [[nodiscard]] bool is(const std::string& word) const { return verdict && verdict->verdict == word; }
    [[nodiscard]] bool has(const std::string& text) const {
        return code.find(text) != std::string::npos || names.find(text) != std::string::npos;
    }
    [[nodiscard]] bool reason(const std::string& part) const {
        return verdict && verdict->reasonText().find(part) != std::string::npos;
    }
};

JudgedRow judgedRow(std::size_t row) {
    auto& all = judgedArchive();
    return {all.verdicts->of(all.table, row), all.table.name[row] + "\n" + all.table.opName[row],
            all.archive.text(all.table.id[row], TextKind::cudaCode).value().value_or(""), all.table.speedupNative[row]};
}

using Expectation = std::function<bool(const JudgedRow&)>;

const std::vector<std::pair<const char*, Expectation>>& expressions() {
    static const std::vector<std::pair<const char*, Expectation>> all = {
        {"verdict:wrong", [](const JudgedRow& r) { return r.is("wrong"); }},
        {"verdict:wrong,fault", [](const JudgedRow& r) { return r.is("wrong") || r.is("fault"); }},
        {"verdict:none", [](const JudgedRow& r) { return !r.verdict; }},
        {"verdict:any", [](const JudgedRow& r) { return r.verdict != nullptr; }},
        {"verdict:stale", [](const JudgedRow& r) { return r.verdict && r.verdict->stale; }},
        {"verdict:none,fault", [](const JudgedRow& r) { return !r.verdict || r.is("fault"); }},
        {"reason:race", [](const JudgedRow& r) { return r.reason("shared_race"); }},
        {"reason:\"Out of bounds\"", [](const JudgedRow& r) { return r.reason("out_of_bounds"); }},
        {"reason:race,bounds", [](const JudgedRow& r) { return r.reason("race") || r.reason("bounds"); }},
        {"remark:precision", [](const JudgedRow& r) { return r.verdict && !r.verdict->remarks.empty(); }},
        {"checks<12", [](const JudgedRow& r) { return r.verdict && r.verdict->checks < 12; }},
        {"-verdict:verified", [](const JudgedRow& r) { return !r.is("verified"); }},
        {"NOT verdict:verified", [](const JudgedRow& r) { return !r.is("verified"); }},
        {"verdict:any -verdict:verified", [](const JudgedRow& r) { return r.verdict && !r.is("verified"); }},
        {"verdict:wrong OR verdict:fault", [](const JudgedRow& r) { return r.is("wrong") || r.is("fault"); }},
        {"speedup>2 verdict:wrong OR verdict:fault",
         [](const JudgedRow& r) { return (r.speedup > 2 && r.is("wrong")) || r.is("fault"); }},
        {"speedup>2 (verdict:wrong OR verdict:fault)",
         [](const JudgedRow& r) { return r.speedup > 2 && (r.is("wrong") || r.is("fault")); }},
        {"-(verdict:wrong OR speedup>2)", [](const JudgedRow& r) { return !(r.is("wrong") || r.speedup > 2); }},
        {"acc7 OR B_4", [](const JudgedRow& r) { return r.has("acc7") || r.has("B_4"); }},
        {"acc7 AND B_4", [](const JudgedRow& r) { return r.has("acc7") && r.has("B_4"); }},
        {"acc7 -B_4", [](const JudgedRow& r) { return r.has("acc7") && !r.has("B_4"); }},
        {"-acc7", [](const JudgedRow& r) { return !r.has("acc7"); }},
        {"-\"acc7 = __fmaf\"", [](const JudgedRow& r) { return !r.has("acc7 = __fmaf"); }},
        {"NOT (acc7 = __fmaf)", [](const JudgedRow& r) { return !r.has("acc7 = __fmaf"); }},
        {"acc7 = __fmaf OR verdict:wrong", [](const JudgedRow& r) { return r.has("acc7 = __fmaf") || r.is("wrong"); }},
        {"warp -verdict:wrong", [](const JudgedRow& r) { return r.has("warp") && !r.is("wrong"); }},
        {"NOT (NOT acc7)", [](const JudgedRow& r) { return r.has("acc7"); }},
        {"(acc7 OR warp) (B_4 OR verdict:fault)",
         [](const JudgedRow& r) { return (r.has("acc7") || r.has("warp")) && (r.has("B_4") || r.is("fault")); }},
        {"uses:acc7 OR uses:acc8", [](const JudgedRow& r) { return r.has("acc7 ") || r.has("acc8 "); }},
        {"re:\"acc[78] \" OR verdict:wrong",
         [](const JudgedRow& r) { return r.has("acc7 ") || r.has("acc8 ") || r.is("wrong"); }},
        {"all:\"acc7 B_4\" OR verdict:wrong",
         [](const JudgedRow& r) { return (r.has("acc7") && r.has("B_4")) || r.is("wrong"); }},
    };
    return all;
}

SearchQuery parsedWithVerdicts(const std::string& typed) {
    SearchQuery query = parseSearch(typed).value();
    query.matchCase = true;
    query.verdicts = judgedArchive().verdicts;
    return query;
}

} // namespace

void TestVerdictSearch::findsWhatANaiveScanFinds_data() {
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < expressions().size(); ++i)
        QTest::newRow(expressions()[i].first) << int(i);
}

void TestVerdictSearch::findsWhatANaiveScanFinds() {
    QFETCH(int, number);
    const auto& [typed, expected] = expressions()[std::size_t(number)];
    auto& all = judgedArchive();
    const SearchQuery query = parsedWithVerdicts(typed);
    std::vector<std::int64_t> wanted;
    for (std::size_t row = 0; row < all.table.size(); ++row)
        if (expected(judgedRow(row))) wanted.push_back(all.table.id[row]);
    QVERIFY(!wanted.empty() && wanted.size() < all.table.size());
    const auto result = all.archive.search(query);
    REQUIRE_OK(result);
    std::vector<std::int64_t> found;
    for (const auto& hit : result->hits)
        found.push_back(hit.kernel.id);
    QCOMPARE(found, wanted);
    if (query.looksIntoTexts()) return;
    found.clear(); // the table alone answers it as well
    for (const auto row :
         selectRows(all.table, {query.kernels.filter, SortColumn::id, false, query.condition, query.verdicts}))
        found.push_back(all.table.id[row]);
    QCOMPARE(found, wanted);
}

void TestVerdictSearch::saysWhereAnExpressionsTextStands() {
    auto& all = judgedArchive();
    const auto result = all.archive.search(parsedWithVerdicts("verdict:wrong OR acc7"));
    REQUIRE_OK(result);
    bool inCode = false, elsewhere = false;
    for (const auto& hit : result->hits) {
        const auto code = all.archive.text(hit.kernel.id, TextKind::cudaCode).value().value_or("");
        QCOMPARE(hit.inCode, code.find("acc7") != std::string::npos);
        QCOMPARE(hit.line > 0, hit.inCode);
        if (hit.inCode) QVERIFY(hit.lineText.find("acc7") != std::string::npos);
        (hit.inCode ? inCode : elsewhere) = true;
    }
    QVERIFY(inCode && elsewhere);
    // What must not be there is no place to go to.
    const auto without = all.archive.search(parsedWithVerdicts("-acc7"));
    REQUIRE_OK(without);
    for (const auto& hit : without->hits)
        QVERIFY(!hit.inCode);
}

void TestVerdictSearch::codeStaysText_data() {
    QTest::addColumn<QString>("typed");
    for (const char* typed :
         {"(float*)", "if (x > 0)", "foo(a, b)", "x -> y", "a --b", "= -INFINITY;", "(-1)", "x - y", "-2.0f", "(a) (b)",
          "fmaxf(x, -FLT_MAX)", "default: break", "public:", "a ? b : c", "std::max", "or", "not", "X OR_Y", "( open"})
        QTest::newRow(typed) << typed;
}

void TestVerdictSearch::codeStaysText() {
    QFETCH(QString, typed);
    const auto query = parseSearch(typed.toStdString());
    REQUIRE_OK(query);
    QCOMPARE(QString::fromStdString(query->text), typed);
    QVERIFY(!query->condition);
}

void TestVerdictSearch::badExpressionsAreRefused_data() {
    QTest::addColumn<QString>("typed");
    for (const char* typed :
         {"a OR", "OR a", "a OR OR b", "NOT", "a NOT", "AND a", "a AND", "(a OR )", "-(", "(a OR b", "verdict:wrnog",
          "verdict:wrong,", "checks>many", "when>yesterday", "-()", "-\"\"", "level:x OR a", "re:( OR a"})
        QTest::newRow(typed) << typed;
}

void TestVerdictSearch::badExpressionsAreRefused() {
    QFETCH(QString, typed);
    SearchProblem place;
    const auto query = parseSearch(typed.toStdString(), {}, &place);
    QVERIFY(!query.ok());
    QCOMPARE(query.error().code, std::string("bad_input"));
    QVERIFY(place.at + place.length <= std::size_t(typed.size()));
}

void TestVerdictSearch::unknownFieldsAreNamed_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("nearest");
    QTest::newRow("no field") << "foo:relu"
                              << "";
    QTest::newRow("exchanged") << "verdcit:wrong"
                               << "verdict";
    QTest::newRow("beginning") << "verd:wrong"
                               << "verdict";
    QTest::newRow("more") << "reasons:race"
                          << "reason";
    QTest::newRow("case") << "Verdict:wrong"
                          << "verdict";
    QTest::newRow("behind a text") << "tile lvel:2"
                                   << "level";
    QTest::newRow("behind a minus") << "-verdit:wrong"
                                    << "verdict";
    QTest::newRow("in a group") << "(level:1 OR tsk:3)"
                                << "task";
    QTest::newRow("measure") << "speedupp>2"
                             << "speedup";
    QTest::newRow("underscore") << "max_diff>0.1"
                                << "max-diff";
}

void TestVerdictSearch::unknownFieldsAreNamed() {
    QFETCH(QString, typed);
    QFETCH(QString, nearest);
    SearchProblem place;
    const auto query = parseSearch(typed.toStdString(), {}, &place);
    QVERIFY(!query.ok());
    const QString said = QString::fromStdString(query.error().message);
    QVERIFY2(said.contains(QStringLiteral("no field")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("fields are task, level")), qPrintable(said));
    if (!nearest.isEmpty()) QVERIFY2(said.contains(nearest + QStringLiteral(" is the nearest")), qPrintable(said));
    QVERIFY(place.length > 3);
}

void TestVerdictSearch::deepExpressionsEnd() {
    std::string nots;
    for (int i = 0; i < 100000; ++i)
        nots += "NOT ";
    QVERIFY(!parseSearch(nots + "a").ok());
    const auto groups = [](int depth) {
        return std::string(std::size_t(depth), '(') + "a OR b" + std::string(std::size_t(depth), ')');
    };
    QVERIFY(parseSearch(groups(20)).ok());
    QVERIFY(!parseSearch(groups(90)).ok());
    (void)parseSearch(groups(20000)); // ends
}

void TestVerdictSearch::sortsByVerdict() {
    auto& all = judgedArchive();
    for (const SortColumn column :
         {SortColumn::verdict, SortColumn::reason, SortColumn::remark, SortColumn::checks, SortColumn::verdictTime})
        for (const bool descending : {false, true}) {
            const auto key = [&](std::uint32_t row) -> std::optional<std::string> {
                const OwnVerdict* v = all.verdicts->of(all.table, row);
                if (!v) return std::nullopt;
                const auto text = [](const std::string& words) {
                    return words.empty() ? std::optional<std::string>() : words;
                };
                if (column == SortColumn::reason) return text(v->reasonText());
                if (column == SortColumn::remark) return text(v->remarkText());
                if (column == SortColumn::checks) return fmt::format("{:03}", v->checks);
                if (column == SortColumn::verdictTime) return fmt::format("{:020}", v->timeMs);
                const auto at = std::find(ownVerdictWords.begin(), ownVerdictWords.end(), v->verdict);
                return fmt::format("{:03}", at - ownVerdictWords.begin());
            };
            std::vector<std::uint32_t> expected(all.table.size());
            std::iota(expected.begin(), expected.end(), 0U);
            std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
                const auto x = key(a), y = key(b);
                if (x.has_value() != y.has_value()) return x.has_value();
                return x && (descending ? *x > *y : *x < *y);
            });
            QCOMPARE(selectRows(all.table, {{}, column, descending, nullptr, all.verdicts}), expected);
            SearchQuery query; // and so does a search that looks at nothing else
            query.kernels.sort = column;
            query.kernels.descending = descending;
            query.verdicts = all.verdicts;
            std::vector<std::uint32_t> walked;
            REQUIRE_OK(all.archive.walk(query, [&](std::vector<FoundRow>&& rows) {
                for (const auto& row : rows)
                    walked.push_back(row.row);
                return true;
            }));
            QCOMPARE(walked, expected);
        }
}

void TestVerdictSearch::theFileIsNotSortedByVerdicts() {
    KernelQuery query;
    query.sort = SortColumn::verdict;
    const auto listed = judgedArchive().archive.list(query);
    QVERIFY(!listed.ok());
    QCOMPARE(listed.error().code, std::string("bad_input"));
}

void TestVerdictSearch::exportsHaveThem() {
    auto& all = judgedArchive();
    ExportOptions options;
    options.verdicts = all.verdicts;
    const auto csv = all.fixture.path("out.csv");
    REQUIRE_OK(exportKernels(all.archive, all.table.id, ExportFormat::csv, csv, options));
    std::istringstream lines(readAll(csv));
    std::string line;
    std::getline(lines, line);
    QVERIFY(line.ends_with("verdict,reasons,remarks,checks_version,verdict_time,verdict_stale\r"));
    for (std::size_t row = 0; row < all.table.size(); ++row) {
        std::getline(lines, line);
        const OwnVerdict* v = all.verdicts->of(all.table, row);
        if (!v) {
            QVERIFY2(line.ends_with(",,,,,,\r"), line.c_str());
            continue;
        }
        const std::string reasons = v->reasons.size() > 1 ? "\"" + v->reasonText() + "\"" : v->reasonText();
        const std::string end = fmt::format(",{},{},{},{},{},{}\r", v->verdict, reasons, v->remarkText(), v->checks,
                                            utcText(v->timeMs), v->stale);
        QVERIFY2(line.ends_with(end), (line + " / " + end).c_str());
    }
    QCOMPARE(utcText(1'700'000'000'000), std::string("2023-11-14T22:13:20Z"));

    const auto jsonl = all.fixture.path("out.jsonl");
    REQUIRE_OK(exportKernels(all.archive, all.table.id, ExportFormat::jsonLines, jsonl, options));
    std::istringstream rows(readAll(jsonl));
    std::size_t number = 0;
    for (std::string row; std::getline(rows, row); ++number) {
        const auto json = nlohmann::json::parse(row);
        const OwnVerdict* v = all.verdicts->of(all.table, number);
        QCOMPARE(json.contains("kernelarium_verdict"), v != nullptr);
        if (!v) continue;
        QCOMPARE(json["kernelarium_verdict"]["verdict"].get<std::string>(), v->verdict);
        QCOMPARE(json["kernelarium_verdict"]["reasons"].get<std::vector<std::string>>(), v->reasons);
        QCOMPARE(json["kernelarium_verdict"]["checks"].get<int>(), v->checks);
    }
    QCOMPARE(number, all.table.size());
    // It is no claim of an archive: an import leaves it out.
    REQUIRE_OK(importFiles(all.fixture.path("again"), {jsonl}));
    QCOMPARE(contentOf(all.fixture.path("again")), contentOf(all.path));

    REQUIRE_OK(exportKernels(all.archive, {2}, ExportFormat::cudaFiles, all.fixture.path("cu"), options));
    QVERIFY(readAll(all.fixture.path("cu") / "index.csv").find(",wrong,values,") != std::string::npos);
}

KERNELARIUM_TEST(TestVerdictSearch);
