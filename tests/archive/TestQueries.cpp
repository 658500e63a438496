// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestQueries.h"

#include "core/archive/search/TableSelection.h"
#include "core/archive/store/Statistics.h"
#include "tests/TestRegistry.h"
#include "tests/archive/ArchiveFixture.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <set>

using namespace kernelarium::archive;
namespace files = kernelarium::files;
using Json = nlohmann::json;

namespace {

constexpr int rowCount = 400;

/// The rows as they were written, and the archive made of them: row i has the number i + 1.
struct Rows {
    ArchiveFixture fixture;
    std::vector<Json> json = variedRows(rowCount);
    kernelarium::Result<ImportReport> report = importFiles(fixture.path("a"), {fixture.writeRows("r", json)});
    Archive archive = std::move(Archive::open(fixture.path("a")).value());
};

Rows& rows() {
    static Rows shared;
    return shared;
}

double numberOf(const Json& row, const char* column) {
    const auto value = row.value(column, Json());
    return value.is_number() ? value.get<double>() : std::nan("");
}

bool contains(const Json& row, const char* column, std::string part) {
    auto text = row[column].get<std::string>();
    for (auto* each : {&text, &part})
        std::transform(each->begin(), each->end(), each->begin(), [](unsigned char c) { return std::tolower(c); });
    return text.find(part) != std::string::npos;
}

using Predicate = std::function<bool(const Json&)>;
struct FilterCase {
    const char* name;
    KernelFilter filter;
    Predicate holds;
};

std::vector<FilterCase> filterCases() {
    std::vector<FilterCase> cases;
    const auto add = [&](const char* name, auto&& change, Predicate holds) {
        FilterCase each{name, {}, std::move(holds)};
        change(each.filter);
        cases.push_back(std::move(each));
    };
    add(
        "all", [](auto&) {}, [](const Json&) { return true; });
    add(
        "level", [](auto& f) { f.level = 2; }, [](const Json& r) { return r["Level_ID"] == 2; });
    add(
        "level and task",
        [](auto& f) {
            f.level = 3;
            f.task = 5;
        },
        [](const Json& r) { return r["Level_ID"] == 3 && r["Task_ID"] == 5; });
    add(
        "correct", [](auto& f) { f.correct = true; }, [](const Json& r) { return r.value("Correct", Json()) == true; });
    add(
        "incorrect", [](auto& f) { f.correct = false; },
        [](const Json& r) { return r.value("Correct", Json()) == false; });
    add(
        "op in either case", [](auto& f) { f.op = "RELU"; },
        [](const Json& r) { return contains(r, "Op_Name", "relu"); });
    add(
        "name", [](auto& f) { f.name = "tiled_1"; },
        [](const Json& r) { return contains(r, "Kernel_Name", "tiled_1"); });
    add(
        "word of the name", [](auto& f) { f.nameWord = "TILED"; },
        [](const Json& r) {
            Json padded = r;
            padded["Kernel_Name"] = "_" + r["Kernel_Name"].get<std::string>() + "_";
            return contains(padded, "Kernel_Name", "_tiled_");
        });
    add(
        "no wildcard", [](auto& f) { f.name = "d%1"; }, [](const Json&) { return false; });
    add(
        "speed-up",
        [](auto& f) {
            f.minSpeedupNative = 1;
            f.maxSpeedupNative = 2.5;
        },
        [](const Json& r) {
            return numberOf(r, "CUDA_Speedup_Native") >= 1 && numberOf(r, "CUDA_Speedup_Native") <= 2.5;
        });
    add(
        "speed-up over compile", [](auto& f) { f.minSpeedupCompile = 3; },
        [](const Json& r) { return numberOf(r, "CUDA_Speedup_Compile") >= 3; });
    add(
        "runtime", [](auto& f) { f.maxRuntime = 1; }, [](const Json& r) { return numberOf(r, "CUDA_Runtime") <= 1; });
    add(
        "with error", [](auto& f) { f.hasError = true; }, [](const Json& r) { return r.contains("Error"); });
    add(
        "without error", [](auto& f) { f.hasError = false; }, [](const Json& r) { return !r.contains("Error"); });
    add(
        "compile errors", [](auto& f) { f.errorKind = ErrorKind::compile; },
        [](const Json& r) { return r.contains("Error"); });
    add(
        "wrong results", [](auto& f) { f.errorKind = ErrorKind::wrongResult; },
        [](const Json& r) { return !r.contains("Error") && r.value("Correct", Json()) == false; });
    add(
        "with profile", [](auto& f) { f.hasNcu = true; }, [](const Json& r) { return r.contains("NCU_Profile"); });
    add(
        "several",
        [](auto& f) {
            f.correct = true;
            f.op = "a";
            f.minSpeedupNative = 0.5;
            f.hasNcu = false;
        },
        [](const Json& r) {
            return r.value("Correct", Json()) == true && contains(r, "Op_Name", "a") &&
                   numberOf(r, "CUDA_Speedup_Native") >= 0.5 && !r.contains("NCU_Profile");
        });
    return cases;
}

/// The value that a column sorts by, as text or number; empty: missing.
struct SortValue {
    std::string text;
    std::optional<double> number;
    [[nodiscard]] bool missing(bool isText) const { return !isText && !number; }
};

SortValue sortValue(SortColumn column, const Json& row, int number) {
    const auto real = [&](const char* name) {
        const double value = numberOf(row, name);
        return SortValue{{}, std::isnan(value) ? std::nullopt : std::optional(value)};
    };
    switch (column) {
    case SortColumn::id: return {{}, number};
    case SortColumn::level: return real("Level_ID");
    case SortColumn::task: return real("Task_ID");
    case SortColumn::op: return {row["Op_Name"], {}};
    case SortColumn::name: return {row["Kernel_Name"], {}};
    case SortColumn::runtime: return real("CUDA_Runtime");
    case SortColumn::nativeRuntime: return real("PyTorch_Native_Runtime");
    case SortColumn::compileRuntime: return real("PyTorch_Compile_Runtime");
    case SortColumn::speedupNative: return real("CUDA_Speedup_Native");
    case SortColumn::speedupCompile: return real("CUDA_Speedup_Compile");
    case SortColumn::correct:
        return {{}, row.contains("Correct") ? std::optional<double>(row["Correct"] == true) : std::nullopt};
    case SortColumn::maxDiff: return real("Max_Diff");
    case SortColumn::codeBytes: return {{}, double(row["CUDA_Code"].get_ref<const std::string&>().size())};
    case SortColumn::errorKind: {
        const bool wrong = row.value("Correct", Json()) == false;
        return {{}, row.contains("Error") ? 2.0 : wrong ? 1.0 : 0.0};
    }
    case SortColumn::originalIndex: return real("__index_level_0__");
    default: return {}; // of our verdicts
    }
}

} // namespace

void TestQueries::classesAreThoseOfTheFunction() {
    const ArchiveFixture fixture;
    std::vector<Json> all;
    for (const char* op :
         {"1_Square_matrix_multiplication_", "54_conv_standard_3D", "42_Max_Pooling_2D", "36_RMSNorm_", "19_ReLU",
          "47_Sum_reduction_over_a_dimension", "94_MSELoss", "89_cumsum", "7_GoogleNetInceptionV1", "3_Thing",
          "1_Conv2D_ReLU_BiasAdd", "9_Matmul_Subtract_Sum", "5_RELU_CONV"})
        for (const int level : {1, 2, 3}) {
            auto row = plainRow("k" + std::to_string(all.size()), level, int(all.size()) + 1);
            row["Op_Name"] = op;
            all.push_back(row);
        }
    QVERIFY(importFiles(fixture.path("a"), {fixture.writeRows("r", all)}).ok());
    auto archive = std::move(Archive::open(fixture.path("a")).value());
    const auto table = archive.table().value();
    std::size_t found = 0;
    for (const auto word : operatorClassWords) {
        KernelQuery query;
        query.filter.operatorClass = operatorClassFromWord(word);
        QVERIFY(query.filter.operatorClass.has_value());
        TableSelection selection;
        selection.filter = query.filter;
        std::vector<std::int64_t> stored, inMemory, expected;
        const auto listed = archive.list(query).value();
        for (const auto& kernel : listed)
            stored.push_back(kernel.id);
        for (const auto row : selectRows(table, selection))
            inMemory.push_back(table.id[row]);
        for (std::size_t i = 0; i < table.size(); ++i)
            if (operatorClassWord(operatorClassOf(table.level[i], table.opName[i])) == word)
                expected.push_back(table.id[i]);
        QVERIFY2(!expected.empty(), word.data());
        QCOMPARE(stored, expected);
        QCOMPARE(inMemory, expected);
        found += expected.size();
    }
    QCOMPARE(found, all.size());
    QVERIFY(!operatorClassFromWord("matmul"));
}

void TestQueries::filtersLikeANaiveLoop_data() {
    QTest::addColumn<int>("number");
    const auto cases = filterCases();
    for (std::size_t i = 0; i < cases.size(); ++i)
        QTest::newRow(cases[i].name) << int(i);
}

void TestQueries::filtersLikeANaiveLoop() {
    QFETCH(int, number);
    const auto each = filterCases().at(std::size_t(number));
    std::vector<std::int64_t> expected;
    for (int i = 0; i < rowCount; ++i)
        if (each.holds(rows().json[std::size_t(i)])) expected.push_back(i + 1);
    KernelQuery query;
    query.filter = each.filter;
    const auto kernels = rows().archive.list(query);
    REQUIRE_OK(kernels);
    std::vector<std::int64_t> found;
    for (const auto& kernel : *kernels)
        found.push_back(kernel.id);
    QCOMPARE(found, expected);
    QCOMPARE(*rows().archive.count(each.filter), std::int64_t(expected.size()));
    if (each.filter.name != "d%1") QVERIFY(!expected.empty());
}

void TestQueries::sortsLikeANaiveSort_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    for (const auto& info : sortColumns)
        for (const bool descending : {false, true}) {
            if (isOfVerdicts(info.column)) continue; // which the file does not have: TestVerdictSearch
            QTest::addRow("%s %s", std::string(info.word).c_str(), descending ? "down" : "up")
                << int(info.column) << descending;
        }
}

void TestQueries::sortsLikeANaiveSort() {
    QFETCH(int, column);
    QFETCH(bool, descending);
    const auto sort = static_cast<SortColumn>(column);
    const bool isText = sort == SortColumn::op || sort == SortColumn::name;
    std::vector<std::int64_t> expected(rowCount);
    for (int i = 0; i < rowCount; ++i)
        expected[std::size_t(i)] = i + 1;
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
        const auto left = sortValue(sort, rows().json[std::size_t(a - 1)], int(a));
        const auto right = sortValue(sort, rows().json[std::size_t(b - 1)], int(b));
        if (left.missing(isText) || right.missing(isText)) return !left.missing(isText) && right.missing(isText);
        if (isText) return descending ? left.text > right.text : left.text < right.text;
        return descending ? *left.number > *right.number : *left.number < *right.number;
    });
    KernelQuery query;
    query.sort = sort;
    query.descending = descending;
    const auto kernels = rows().archive.list(query);
    REQUIRE_OK(kernels);
    std::vector<std::int64_t> found;
    for (const auto& kernel : *kernels)
        found.push_back(kernel.id);
    QCOMPARE(found, expected);
}

void TestQueries::pages() {
    KernelQuery query;
    query.sort = SortColumn::speedupNative;
    query.filter.correct = true;
    const auto all = rows().archive.list(query);
    REQUIRE_OK(all);
    std::vector<std::int64_t> joined;
    query.limit = 37;
    for (query.offset = 0; query.offset < std::int64_t(all->size()) + 37; query.offset += 37) {
        const auto page = rows().archive.list(query);
        REQUIRE_OK(page);
        for (const auto& kernel : *page)
            joined.push_back(kernel.id);
    }
    QCOMPARE(joined.size(), all->size());
    for (std::size_t i = 0; i < joined.size(); ++i)
        QCOMPARE(joined[i], (*all)[i].id);
}

void TestQueries::loadsTheWholeTable() {
    const auto table = rows().archive.table();
    REQUIRE_OK(table);
    QCOMPARE(table->size(), std::size_t(rowCount));
    for (std::size_t i = 0; i < table->size(); ++i) {
        const auto& row = rows().json[i];
        QCOMPARE(table->id[i], std::int64_t(i) + 1);
        QCOMPARE(table->name[i], row["Kernel_Name"].get<std::string>());
        QCOMPARE(table->opName[i], row["Op_Name"].get<std::string>());
        QCOMPARE(table->hasError[i] != 0, row.contains("Error"));
        QCOMPARE(table->hasNcu[i] != 0, row.contains("NCU_Profile"));
        QCOMPARE(std::size_t(table->codeBytes[i]), row["CUDA_Code"].get_ref<const std::string&>().size());
        for (const auto& [value, column] :
             {std::pair(table->runtime[i], "CUDA_Runtime"), std::pair(table->speedupNative[i], "CUDA_Speedup_Native"),
              std::pair(table->speedupCompile[i], "CUDA_Speedup_Compile"), std::pair(table->maxDiff[i], "Max_Diff")}) {
            const double expected = numberOf(row, column);
            QVERIFY(std::isnan(expected) ? std::isnan(value) : value == expected);
        }
        const auto correct = row.value("Correct", Json());
        QCOMPARE(int(table->correct[i]), correct.is_null() ? -1 : int(correct.get<bool>()));
        QCOMPARE(table->codeHash[i], files::sha256(row["CUDA_Code"].get<std::string>()));
        QCOMPARE(table->label(i), rows().archive.find(std::to_string(i + 1))->label());
    }
}

void TestQueries::findsByNumberAndLabel() {
    const ArchiveFixture fixture;
    auto other = plainRow("tiled_base", 1, 1);
    other["CUDA_Code"] = "// another version\n";
    const auto written = fixture.writeRows("r", {plainRow("tiled_base", 1, 1), other, plainRow("tiled", 1, 1),
                                                 plainRow("warp", 2, 30), plainRow("odd@name", 1, 2)});
    REQUIRE_OK(importFiles(fixture.path("a"), {written}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    const auto number = [&](const std::string& id) {
        const auto kernel = archive->find(id);
        return kernel ? kernel->id : -1;
    };
    for (std::int64_t id = 1; id <= 5; ++id) {
        const auto kernel = archive->find(std::to_string(id));
        REQUIRE_OK(kernel);
        QCOMPARE(number(kernel->label()), id);
        QCOMPARE(kernel->label().size(),
                 fmt::format("L{}/T{}/{}@12345678", kernel->level, kernel->task, kernel->name).size());
    }
    const auto hash = files::toHex(files::sha256("// another version\n"));
    QCOMPARE(number("L1/T1/tiled_base@" + hash), 2);
    QCOMPARE(number("L1/T1/tiled_base@" + hash.substr(0, 3)), 2);
    QCOMPARE(number("1/1/tiled_base@" + hash.substr(0, 8)), 2);
    QCOMPARE(number("L1/T1/tiled"), 3); // a whole name goes before a beginning
    QCOMPARE(number("L2/T30/wa"), 4);
    QCOMPARE(number("l2/t30/"), 4);
    QCOMPARE(number("warp"), 4);
    QCOMPARE(number("L1/T2/odd@name"), 5);
    for (const char* unknown : {"", "6", "0", "-1", "L1/T1/none", "L9/T1/tiled", "L1/T1/tiled_base@ffffffff",
                                "99999999999999999999", "L1", "/", "//", "'; DROP TABLE kernel; --", "L1/T1/%"}) {
        const auto kernel = archive->find(unknown);
        QVERIFY2(!kernel.ok(), unknown);
        QCOMPARE(kernel.error().code, "unknown_kernel");
    }
}

void TestQueries::refusesAmbiguousIds() {
    const ArchiveFixture fixture;
    auto other = plainRow("tiled_base", 1, 1);
    other["CUDA_Code"] = "// another version\n";
    const auto written = fixture.writeRows("r", {plainRow("tiled_base", 1, 1), other, plainRow("tiled_wide", 1, 1)});
    REQUIRE_OK(importFiles(fixture.path("a"), {written}));
    auto archive = Archive::open(fixture.path("a"));
    REQUIRE_OK(archive);
    const auto kernel = archive->find("L1/T1/tiled");
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, "ambiguous_kernel");
    for (const char* id : {"1", "2", "3"})
        QVERIFY(kernel.error().detail.find(archive->find(id)->label()) != std::string::npos);
    QCOMPARE(archive->find("L1/T1/tiled_base").error().code, "ambiguous_kernel");
    QCOMPARE(archive->find("L1/T1/tiled_w")->id, 3);
}

void TestQueries::countsLikeANaiveLoop() {
    const auto table = rows().archive.table();
    REQUIRE_OK(table);
    const auto statistics = computeStatistics(*table);
    std::vector<double> speedups;
    std::set<std::pair<int, int>> tasks, solved, faster;
    std::int64_t correct = 0, unknown = 0;
    for (const auto& row : rows().json) {
        const std::pair<int, int> task = {row["Level_ID"], row["Task_ID"]};
        tasks.insert(task);
        unknown += !row.contains("Correct");
        if (row.value("Correct", Json()) != true) continue;
        ++correct;
        solved.insert(task);
        if (const double value = numberOf(row, "CUDA_Speedup_Native"); !std::isnan(value)) {
            speedups.push_back(value);
            if (value > 1) faster.insert(task);
        }
    }
    std::sort(speedups.begin(), speedups.end());
    const auto half = speedups.size() / 2;
    const double median = speedups.size() % 2 ? speedups[half] : (speedups[half - 1] + speedups[half]) / 2;
    const auto over = [&](double bound) {
        return double(std::count_if(speedups.begin(), speedups.end(), [&](double value) { return value > bound; })) /
               double(speedups.size());
    };
    QCOMPARE(statistics.all.rows, rowCount);
    QCOMPARE(statistics.all.correct, correct);
    QCOMPARE(statistics.all.unknown, unknown);
    QCOMPARE(statistics.all.incorrect, rowCount - correct - unknown);
    QCOMPARE(statistics.all.tasks, std::int64_t(tasks.size()));
    QCOMPARE(statistics.all.tasksWithCorrect, std::int64_t(solved.size()));
    QCOMPARE(statistics.all.tasksFasterThanNative, std::int64_t(faster.size()));
    QCOMPARE(statistics.all.speedupsNative, std::int64_t(speedups.size()));
    QCOMPARE(statistics.all.medianSpeedupNative, median);
    QCOMPARE(statistics.all.shareFasterThanNative, over(1));
    QCOMPARE(statistics.all.shareOverTwiceNative, over(2));
    QCOMPARE(statistics.all.bestSpeedupNative, speedups.back());
    QCOMPARE(statistics.levels.size(), 3u);
    QCOMPARE(statistics.tasks.size(), tasks.size());
    std::int64_t levelRows = 0, taskCorrect = 0;
    for (const auto& level : statistics.levels)
        levelRows += level.rows;
    for (const auto& task : statistics.tasks)
        taskCorrect += task.correct;
    QCOMPARE(levelRows, rowCount);
    QCOMPARE(taskCorrect, correct);
}

void TestQueries::statisticsOfNothing() {
    const auto statistics = computeStatistics({});
    QCOMPARE(statistics.all.rows, 0);
    QVERIFY(std::isnan(statistics.all.medianSpeedupNative));
    QVERIFY(std::isnan(statistics.all.shareFasterThanNative));
    QVERIFY(statistics.levels.empty());
}

KERNELARIUM_TEST(TestQueries);
