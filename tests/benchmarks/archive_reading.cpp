// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchSyntax.h"
#include "core/archive/search/TableSelection.h"
#include "core/archive/store/Archive.h"
#include "core/sqlite/Sqlite.h"
#include "tests/benchmarks/archive_figures.h"

#include <cstring>
#include <random>

namespace kernelarium::benchmarks {
namespace {

namespace fs = std::filesystem;
using namespace archive;
using sqlite::Database;

void startFigures(const fs::path& path, const fs::path& raw) {
    std::vector<double> cold;
    std::vector<double> rawCold;
    std::size_t rows = 0;
    for (int i = 0; i < 5; ++i) {
        evict(path);
        cold.push_back(milliseconds([&] {
            auto archive = orDie(Archive::open(path));
            rows = orDie(archive.table()).size();
        }));
        evict(raw);
        rawCold.push_back(milliseconds([&] {
            Database database(raw, Database::Access::readOnly);
            auto row = database.prepare("SELECT id, level, task, op, name, runtime, speedup, correct FROM kernel");
            std::size_t bytes = 0;
            while (row.step())
                bytes += row.text(3).size() + row.text(4).size();
            if (bytes == 0) std::exit(2);
        }));
    }
    fmt::print("cold start        {:.0f} ms to {} rows in the table, file not in memory (under 400 ms); raw "
               "SQLite {:.0f} ms\n",
               quantile(cold, 0.5), rows, quantile(rawCold, 0.5));
}

/// Every code in one piece of memory.
std::string allCode(Archive& archive, const KernelTable& table) {
    std::string all;
    for (const auto id : table.id)
        all += *orDie(archive.text(id, TextKind::cudaCode));
    return all;
}

struct SearchTime {
    double time;
    std::string text;
    SearchResult result;
};

/// The first 200 hits of a query, twice, as it would be typed.
SearchTime timeOf(Archive& archive, SearchQuery query, const std::string& words) {
    query.kernels.limit = 200;
    SearchTime time{0, words, {}};
    time.time = bestOf(2, [&] { time.result = orDie(archive.search(query)); });
    return time;
}

void printSearches(const char* what, std::vector<SearchTime> times) {
    std::vector<double> all;
    for (const auto& time : times)
        all.push_back(time.time);
    fmt::print("{:<18}first 200 hits of {}: median {:.1f}, p95 {:.1f} (under 50), slowest {:.1f} ms\n", what,
               times.size(), quantile(all, 0.5), quantile(all, 0.95), quantile(all, 1));
    std::sort(times.begin(), times.end(), [](const SearchTime& a, const SearchTime& b) { return a.time > b.time; });
    for (std::size_t i = 0; i < std::min<std::size_t>(times.size(), 5); ++i)
        fmt::print("  {:<30} {:6.1f} ms, {} texts decompressed, {} hits\n", times[i].text, times[i].time,
                   times[i].result.textsScanned, times[i].result.hits.size());
}

const std::vector<std::string> typedWords = {"__shfl_down_sync",
                                             "atomicAdd(&",
                                             "__launch_bounds__(256",
                                             "wmma::fragment",
                                             "float4",
                                             "extern __shared__",
                                             "#pragma unroll",
                                             "@#%",
                                             "synthetic_tile",
                                             "cublasSgemm",
                                             "%%",
                                             "<<<",
                                             "not_in_any_kernel",
                                             "x == 17",
                                             "threadIdx.x % 32 == 7",
                                             "sum += a[i] * b[j]",
                                             "for (int k = 0; k < 13",
                                             "const float* x, float* y"};

void searchFigures(Archive& archive, const std::string& code) {
    std::vector<SearchTime> keys;
    std::vector<double> scans;
    std::size_t matches = 0; ///< printed, so that the scans are not optimised away
    for (const auto& word : typedWords)
        for (std::size_t length = 1; length <= word.size(); ++length) {
            SearchQuery query;
            query.text = word.substr(0, length);
            keys.push_back(timeOf(archive, query, query.text));
            std::size_t found = 0;
            scans.push_back(milliseconds([&] {
                const char* at = code.data();
                const char* end = code.data() + code.size();
                while (at < end && found < 200) {
                    at = static_cast<const char*>(memmem(at, std::size_t(end - at), query.text.data(), length));
                    if (at == nullptr) break;
                    ++at, ++found;
                }
            }));
            matches += found;
        }
    printSearches("search, keys", std::move(keys));
    fmt::print("  memmem over {:.0f} MB in memory ({} matches): p95 {:.1f}, slowest {:.1f} ms\n",
               megabytes(code.size()), matches, quantile(scans, 0.95), quantile(scans, 1));
}

void regexFigures(Archive& archive) {
    std::vector<SearchTime> times;
    for (const char* expression :
         {"__shfl_(down|up|xor)_sync", "threadIdx\\.[xyz]", "for \\(int \\w+ = 0", "wmma::\\w+<",
          "__launch_bounds__\\(\\d+\\)", "atomic(Add|Max|Min)\\(", "float4\\s*\\*", "^#define \\w+ \\d+$",
          "blockDim\\.x \\* \\d+", "cublas[A-Z]\\w+", "not_in_(any|some)_kernel", "const\\s+int\\s+\\w+tile\\w*",
          "__shared__ float \\w+\\[\\d+\\]\\[\\d+\\]", "\\bx == \\d\\d\\d\\b", "\\d{7}", "[a-z]{40}"}) {
        SearchQuery query;
        query.text = expression;
        query.regex = true;
        times.push_back(timeOf(archive, query, expression));
    }
    printSearches("search, regex", std::move(times));
}

void fieldFigures(Archive& archive) {
    std::vector<SearchTime> times;
    for (const char* words :
         {"uses:float4", "uses:wmma", "uses:__shfl_down_sync", "uses:mma", "uses:x", "uses:in uses:out"})
        for (const bool correct : {false, true})
            for (const char* text : {"", "x == 1", "__syncthreads"}) {
                SearchQuery query;
                query.text = text;
                for (std::string_view rest = words; !rest.empty();) {
                    const auto end = std::min(rest.find(' '), rest.size());
                    query.uses.emplace_back(rest.substr(5, end - 5));
                    rest.remove_prefix(std::min(end + 1, rest.size()));
                }
                if (correct) {
                    query.kernels.filter.correct = true;
                    query.kernels.filter.minSpeedupNative = 2;
                    query.kernels.sort = SortColumn::speedupNative;
                    query.kernels.descending = true;
                }
                times.push_back(timeOf(archive, query,
                                       fmt::format("{}{}{} {}", words, correct ? " correct:yes speedup>2" : "",
                                                   *text != 0 ? "" : " (no text)", text)));
            }
    printSearches("search, fields", std::move(times));
}

/// Our verdicts on every kernel, and searches by them and by expressions.
void verdictFigures(Archive& archive, const KernelTable& table) {
    auto verdicts = std::make_shared<OwnVerdicts>();
    const double made = milliseconds([&] {
        for (std::size_t row = 0; row < table.size(); ++row)
            verdicts->put(
                table.level[row], table.task[row], table.name[row], table.codeHash[row],
                {std::string(ownVerdictWords[row % ownVerdictWords.size()]),
                 row % 3 == 0 ? std::vector<std::string>{"values", "shared_race"} : std::vector<std::string>{},
                 {},
                 int(row % 20),
                 std::int64_t(row),
                 row % 7 == 0,
                 false});
    });
    const double copied = bestOf(3, [&] { verdicts = std::make_shared<OwnVerdicts>(*verdicts); });
    std::vector<double> fields, sorts;
    std::vector<std::pair<double, std::string>> texts;
    std::size_t rows = 0;
    for (const char* typed :
         {"verdict:wrong", "verdict:wrong,fault,stale", "reason:race", "-verdict:verified", "verdict:none",
          "(verdict:wrong OR verdict:fault) reason:race -task:1/23", "checks<12 speedup>2", "when<2026-01-01",
          "NOT (level:1 OR (op:conv verdict:verified)) name:tile"}) {
        SearchQuery query = orDie(parseSearch(typed));
        fields.push_back(bestOf(3, [&] {
            rows +=
                selectRows(table, {query.kernels.filter, SortColumn::task, false, query.condition, verdicts}).size();
        }));
    }
    for (const SortColumn column :
         {SortColumn::verdict, SortColumn::reason, SortColumn::checks, SortColumn::verdictTime})
        sorts.push_back(bestOf(3, [&] { rows += selectRows(table, {{}, column, true, nullptr, verdicts}).size(); }));
    for (const char* typed : {"atomicAdd verdict:wrong", "atomicAdd OR __shfl_down_sync", "__shared__ -float4",
                              "-__syncthreads verdict:fault", "wmma OR (tile verdict:wrong)", "-zzz_nowhere"}) {
        SearchQuery query = orDie(parseSearch(typed));
        query.kernels.limit = 200;
        query.verdicts = verdicts;
        texts.emplace_back(bestOf(3, [&] { rows += orDie(archive.search(query)).hits.size(); }), typed);
    }
    const auto slowest = *std::max_element(texts.begin(), texts.end());
    fmt::print("verdicts          {} put together in {:.1f} ms, copied in {:.1f} ms; searches by them median {:.1f}, "
               "slowest {:.1f} ms (under 50), sorts slowest {:.1f} ms; expressions with texts, first 200 hits, slowest "
               "{:.1f} ms (under 50: '{}')\n",
               table.size(), made, copied, quantile(fields, 0.5), quantile(fields, 1), quantile(sorts, 1),
               slowest.first, slowest.second);
    if (rows == 0) std::exit(2);
}

void tableFigures(const KernelTable& table) {
    std::vector<double> sorts;
    std::size_t rows = 0;
    for (const auto& info : sortColumns)
        for (const bool descending : {false, true}) {
            TableSelection selection;
            selection.sort = info.column;
            selection.descending = descending;
            sorts.push_back(bestOf(3, [&] { rows += selectRows(table, selection).size(); }));
            selection.filter.correct = true;
            selection.filter.name = "tile";
            sorts.push_back(bestOf(3, [&] { rows += selectRows(table, selection).size(); }));
        }
    std::vector<double> numbers = table.runtime;
    const double plain = bestOf(3, [&] {
        numbers = table.runtime;
        std::sort(numbers.begin(), numbers.end(), [](double a, double b) { return a < b || (a == a && b != b); });
    });
    fmt::print("sort and filter   median {:.1f}, slowest {:.1f} ms over every column (under 16); std::sort of the "
               "numbers alone {:.1f} ms\n",
               quantile(sorts, 0.5), quantile(sorts, 1), plain);
    if (rows == 0) std::exit(2);
}

void sourceFigures(Archive& archive, const KernelTable& table, const fs::path& path, const fs::path& raw) {
    std::mt19937 random(1);
    std::vector<double> ours;
    std::vector<double> theirs;
    evict(path);
    evict(raw);
    Database database(raw, Database::Access::readOnly);
    auto read = database.prepare("SELECT a FROM kernel WHERE id = ?");
    std::string text;
    for (int i = 0; i < 500; ++i) {
        const auto row = random() % table.size();
        ours.push_back(milliseconds([&] { text = *orDie(archive.text(table.id[row], TextKind::cudaCode)); }));
        theirs.push_back(milliseconds([&] {
            read.bind(1, table.id[row]).step();
            text = read.text(0);
            read.reset();
        }));
    }
    fmt::print("row to source     median {:.3f}, p95 {:.2f}, slowest {:.2f} ms (under 30); raw SQLite p95 {:.2f} ms\n",
               quantile(ours, 0.5), quantile(ours, 0.95), quantile(ours, 1), quantile(theirs, 0.95));
}

} // namespace

void readingFigures(const fs::path& folder) {
    const fs::path path = folder / "archive.sqlite";
    const fs::path raw = folder / "raw.sqlite";
    startFigures(path, raw);
    auto archive = orDie(Archive::open(path));
    const auto table = orDie(archive.table());
    SearchQuery query;
    query.text = "__syncthreads";
    query.kernels.limit = 200;
    const double first = milliseconds([&] { orDie(archive.search(query)); });
    fmt::print("memory            {:.0f} MB with the table and the signatures loaded (the first search took {:.0f} "
               "ms), peak {:.0f} MB (under 350)\n",
               memory("VmRSS"), first, memory("VmHWM"));
    tableFigures(table);
    verdictFigures(archive, table);
    sourceFigures(archive, table, path, raw);
    regexFigures(archive);
    fieldFigures(archive);
    searchFigures(archive, allCode(archive, table));
}

} // namespace kernelarium::benchmarks
