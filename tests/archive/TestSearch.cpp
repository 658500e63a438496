// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestSearch.h"

#include "core/archive/store/KeptTexts.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <random>

using namespace kernelarium::archive;
using Json = nlohmann::json;

namespace {

constexpr int searchedCount = 600;

struct SearchedRows {
    ArchiveFixture fixture;
    std::vector<Json> json = variedRows(searchedCount);
    kernelarium::Result<ImportReport> report = importFiles(fixture.path("a"), {fixture.writeRows("r", json)});
    Archive archive = std::move(Archive::open(fixture.path("a")).value());
};

SearchedRows& searchedRows() {
    static SearchedRows shared;
    return shared;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
    return text;
}

std::vector<std::int64_t> naive(const std::string& text, bool matchCase) {
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < searchedRows().json.size(); ++i) {
        const auto code = searchedRows().json[i]["CUDA_Code"].get<std::string>();
        const bool there =
            matchCase ? code.find(text) != std::string::npos : lower(code).find(lower(text)) != std::string::npos;
        if (there) found.push_back(std::int64_t(i) + 1);
    }
    return found;
}

std::vector<std::int64_t> searched(const std::string& text, bool matchCase) {
    SearchQuery query;
    query.text = text;
    query.matchCase = matchCase;
    query.inNames = false;
    const auto result = searchedRows().archive.search(query);
    std::vector<std::int64_t> found;
    if (!result || !result->complete) return {-1};
    for (const auto& hit : result->hits)
        found.push_back(hit.kernel.id);
    return found;
}

} // namespace

void TestSearch::findsWhatANaiveScanFinds_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"acc", "ACC", "b_3[1", "B_3[1", "__fmaf_rn(a[99], B_4[49]", "Variant 77", "x", "[", "a[",
                             "\n", ");\n    acc8", "nowhere", "zq", "~", "   ", "variant 599\n"})
        QTest::newRow(text) << text;
}

void TestSearch::findsWhatANaiveScanFinds() {
    QFETCH(QString, text);
    for (const bool matchCase : {false, true})
        QCOMPARE(searched(text.toStdString(), matchCase), naive(text.toStdString(), matchCase));
}

void TestSearch::findsRandomPieces() {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        const auto code = searchedRows().json[random() % searchedCount]["CUDA_Code"].get<std::string>();
        const auto at = random() % code.size();
        auto piece = code.substr(at, 1 + random() % 40);
        const bool matchCase = random() % 2 == 0;
        if (!matchCase) piece = lower(piece);
        QCOMPARE(searched(piece, matchCase), naive(piece, matchCase));
    }
}

void TestSearch::sortsOutWhatHasOnlyThePieces() {
    // Every three characters of "x == 1" stand in every other kernel, but never in a row.
    const ArchiveFixture fixture;
    std::vector<Json> rows;
    for (int i = 0; i < 200; ++i) {
        auto row = plainRow(fmt::format("k_{}", i));
        row["CUDA_Code"] = fmt::format("// {}\nif (x = {}) y == {}; z === 100 + ax == ay;{}\n", i, i + 200, i + 200,
                                       i % 50 == 0 ? " x == 1" : "");
        rows.push_back(row);
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    SearchQuery query;
    query.text = "x == 1";
    auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 4U);
    QVERIFY2(result->textsScanned <= 40,
             std::to_string(result->textsScanned).c_str()); // all but a few that share bits by chance
    query.regex = true;
    query.text = "\\bx == 1$";
    result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 4U);
    QVERIFY2(result->textsScanned <= 40, std::to_string(result->textsScanned).c_str());
    const std::string longest(1001, 'a');
    query.text = longest;
    QCOMPARE(archive->search(query).error().code, "bad_input");
    query.text = std::string(300, '.') + "{500}"; // short, and still too much
    for (int i = 0; i < 3; ++i)
        query.text += ".{1000}\\pL{1000}";
    QCOMPARE(archive->search(query).error().code, "bad_input");
}

void TestSearch::looksUpChoicesOfCharacters_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("has");   ///< a text that it finds
    QTest::addColumn<qint64>("others"); ///< texts that may be looked through in vain, by chance
    QTest::newRow("digit") << "\\bq = \\d\\d+;"
                           << "q = 17;" << qint64(10);
    QTest::newRow("two choices") << "mq\\[[ijk]\\]\\[[ijk]\\]"
                                 << "mq[i][k]" << qint64(10);
    QTest::newRow("long s in another case") << "quo[st]e\\d"
                                            << "quo\u017Fe7" << qint64(10);
    QTest::newRow("Kelvin sign in a run") << "[a-z]{24}" << QString(23, u'q') + QChar(0x212A) << qint64(200);
    QTest::newRow("what is no letter") << "q=[^a-z]=q"
                                       << "q=\u00E9=q" << qint64(200);
}

void TestSearch::looksUpChoicesOfCharacters() {
    QFETCH(QString, expression);
    QFETCH(QString, has);
    QFETCH(qint64, others);
    const ArchiveFixture fixture;
    std::vector<Json> rows;
    for (int i = 0; i < 200; ++i) {
        auto row = plainRow(fmt::format("k_{}", i));
        row["CUDA_Code"] = fmt::format("// {}\nint q == x; mq[{}]; quote(\"{}\"); {}\n", i, i, i,
                                       i % 50 == 0 ? has.toStdString() : "");
        rows.push_back(row);
    }
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", rows)}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    SearchQuery query;
    query.text = expression.toStdString();
    query.regex = true;
    const auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 4U);
    QVERIFY2(result->textsScanned <= 4 + others, std::to_string(result->textsScanned).c_str());
}

void TestSearch::keepsTextsUpToABound() {
    constexpr std::size_t most = 4 << 20, large = (5 << 20) / 2;
    KeptTexts kept(most);
    const auto data = [](std::size_t size, std::uint8_t filled) { return Bytes(size, filled); };
    QVERIFY(kept.keep(1, {data(1000, 1), 7, nullptr}));
    QVERIFY(kept.keep(2, {data(large, 2), 8, nullptr})); // has room of its own
    QVERIFY(!kept.keep(3, {data(large, 3), 9, nullptr}));
    std::int64_t more = 4;
    while (kept.keep(more, {data(100'000, std::uint8_t(more)), 1, nullptr}))
        ++more;
    QCOMPARE(more, 14); // what was left of the first block
    for (std::int64_t id = 1; id <= more; ++id) {
        const KeptTexts::Text* text = kept.find(id);
        QCOMPARE(text != nullptr, id != 3 && id != more);
        if (text) QVERIFY(std::all_of(text->data.begin(), text->data.end(), [&](auto byte) { return byte == id; }));
    }
    QCOMPARE(kept.find(1)->size, 7U);
    QCOMPARE(kept.find(2)->data.size(), large);
}

void TestSearch::searchesNames() {
    SearchQuery query;
    query.text = "TILED_12";
    auto result = searchedRows().archive.search(query);
    REQUIRE_OK(result);
    std::size_t expected = 0;
    for (const auto& row : searchedRows().json)
        expected += lower(row["Kernel_Name"].get<std::string>()).find("tiled_12") != std::string::npos;
    QVERIFY(expected > 0);
    QCOMPARE(result->hits.size(), expected);
    for (const auto& hit : result->hits) {
        QVERIFY(hit.inName && !hit.inCode);
        QCOMPARE(hit.line, 0);
    }
    query.inNames = false;
    QCOMPARE(searchedRows().archive.search(query)->hits.size(), 0u);
    query.inNames = true;
    query.inCode = false;
    query.text = "layernorm";
    result = searchedRows().archive.search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->textsScanned, 0);
    const auto named = std::count_if(searchedRows().json.begin(), searchedRows().json.end(),
                                     [](const Json& row) { return row["Op_Name"] == "LayerNorm"; });
    QCOMPARE(std::int64_t(result->hits.size()), std::int64_t(named));
}

void TestSearch::saysWhereTheMatchIs() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    row["CUDA_Code"] = "// first\n    int needle = 1; // needle\n\tneedle\n";
    auto wide = plainRow("wide");
    std::string umlauts;
    for (int i = 0; i < 200; ++i)
        umlauts += "\xC3\xA4";
    wide["CUDA_Code"] = fmt::format("x{}needle", umlauts);
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {row, wide})}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    SearchQuery query;
    query.text = "NEEDLE";
    const auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 2u);
    const auto& hit = result->hits.at(0);
    QCOMPARE(hit.line, 2);
    QCOMPARE(hit.column, 9);
    QCOMPARE(hit.matches, 3);
    QCOMPARE(hit.lineText, "int needle = 1; // needle");
    const auto& cut = result->hits.at(1).lineText; // shortened between characters
    QVERIFY(cut.size() < 170);
    QCOMPARE(QString::fromStdString(cut).toStdString(), cut);
}

void TestSearch::filtersSortsAndPages() {
    SearchQuery query;
    query.text = "acc3";
    query.kernels.filter.correct = true;
    query.kernels.sort = SortColumn::runtime;
    query.kernels.descending = true;
    const auto all = searchedRows().archive.search(query);
    REQUIRE_OK(all);
    QVERIFY(all->complete && all->hits.size() > 20);
    for (std::size_t i = 0; i < all->hits.size(); ++i) {
        QCOMPARE(all->hits[i].kernel.correct, std::optional(true));
        if (i > 0 && all->hits[i].kernel.runtime)
            QVERIFY(*all->hits[i - 1].kernel.runtime >= *all->hits[i].kernel.runtime);
    }
    query.kernels.limit = 7;
    query.kernels.offset = 5;
    const auto page = searchedRows().archive.search(query);
    REQUIRE_OK(page);
    QVERIFY(!page->complete);
    QCOMPARE(page->hits.size(), 7u);
    for (std::size_t i = 0; i < 7; ++i)
        QCOMPARE(page->hits[i].kernel.id, all->hits[i + 5].kernel.id);
}

void TestSearch::takesTheNeedleLiterally() {
    const ArchiveFixture fixture;
    auto row = plainRow("k");
    const std::string code = "a.*b \"quoted\" it's 100% \\n \xE2\x82\xAC \x01 end";
    row["CUDA_Code"] = code;
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {row})}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    const auto hits = [&](const std::string& text) {
        SearchQuery query;
        query.text = text;
        return archive->search(query)->hits.size();
    };
    for (const std::string& text :
         {std::string(".*"), std::string("\"quoted\""), std::string("it's"), std::string("100%"), std::string("\\n"),
          std::string("\xE2\x82\xAC"), std::string("\x01 e"), code})
        QCOMPARE(hits(text), 1u);
    for (const char* text : {"a.b", "%end", "quoted_", "NEAR", "end*"})
        QCOMPARE(hits(text), 0u);
}

void TestSearch::findsInAHugeText() {
    const ArchiveFixture fixture;
    auto row = plainRow("huge");
    std::string code;
    std::mt19937 random(9);
    while (code.size() < (5u << 20))
        code += fmt::format("v{} = w;\n", random());
    row["CUDA_Code"] = code + "the_last_word";
    REQUIRE_OK(importFiles(fixture.path("a"), {fixture.writeRows("r", {row, plainRow("small")})}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    SearchQuery query;
    query.text = "the_last_word";
    const auto result = archive->search(query);
    REQUIRE_OK(result);
    QCOMPARE(result->hits.size(), 1u);
    QCOMPARE(result->hits.at(0).line, 1 + std::count(code.begin(), code.end(), '\n'));
    QVERIFY(**archive->text(1, TextKind::cudaCode) == row["CUDA_Code"].get<std::string>());
}

void TestSearch::refusesAnEmptyText() {
    const auto result = searchedRows().archive.search({});
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, "bad_input");
}

void TestSearch::stops() {
    std::stop_source stop;
    stop.request_stop();
    SearchQuery query;
    query.text = "acc";
    const auto result = searchedRows().archive.search(query, stop.get_token());
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, "cancelled");
}

KERNELARIUM_TEST(TestSearch);
