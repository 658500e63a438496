// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to index the code of an archive of the published size, and to find the kernels that are like one.
//
//     bench_similar [ARCHIVE.sqlite]     without one: 30,615 synthetic kernels
#include "core/archive/import/Import.h"
#include "core/archive/import/JsonLines.h"
#include "core/similar/Likeness.h"
#include "tests/benchmarks/archive_figures.h"

#include <fstream>
#include <map>
#include <random>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace kernelarium;
using namespace kernelarium::benchmarks;

int numberBehind(const std::string& line, const std::string& key) {
    const std::size_t at = line.find(key);
    return at == std::string::npos ? 0 : std::atoi(line.c_str() + at + key.size());
}

/// The rows with the names of KernelBench's tasks, whose operators the cards know.
void nameTasks(const fs::path& from, const fs::path& to) {
    std::ifstream in(from);
    std::ofstream out(to);
    std::map<std::pair<int, int>, std::string> names;
    for (const task::TaskKey& key : task::builtInCards())
        names[{key.level, key.task}] = orDie(task::loadCard(key.level, key.task)).name;
    const std::string field = "\"Op_Name\":\"";
    for (std::string line; std::getline(in, line);) {
        const std::size_t begin = line.find(field) + field.size();
        const auto name = names.find({numberBehind(line, "\"Level_ID\":"), numberBehind(line, "\"Task_ID\":")});
        if (name != names.end()) line.replace(begin, line.find('"', begin) - begin, name->second);
        out << line << '\n';
    }
}

fs::path synthetic(const fs::path& folder) {
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const fs::path shared = named != nullptr ? named : KERNELARIUM_SHARED_DIR;
    const auto written = writeRows(folder / "rows.jsonl", shared / "archive_sample", publishedRows, 1);
    nameTasks(folder / "rows.jsonl", folder / "named.jsonl");
    auto source = orDie(archive::JsonLinesSource::open(folder / "named.jsonl"));
    std::vector<archive::RowSource*> sources = {&source};
    orDie(archive::importRows(folder / "archive.sqlite", sources, {}));
    fmt::print("{} kernels, {:.0f} MB of code\n", written.rows, megabytes(written.codeBytes));
    return folder / "archive.sqlite";
}

/// As the command line asks it: everything from an archive that is not open.
double firstQuestion(const fs::path& path, const std::string& kernel) {
    return milliseconds([&] {
        auto archive = orDie(archive::Archive::open(path));
        const auto index = similar::PieceIndex::of(path);
        orDie(index.update(archive));
        similar::TaskOperators tasks(archive, {});
        const auto subject = orDie(similar::archivedSubject(archive, orDie(archive.find(kernel))));
        orDie(similar::kernelsLike(archive, index, tasks, subject, {}));
    });
}

void questions(const fs::path& path) {
    auto archive = orDie(archive::Archive::open(path));
    const auto index = similar::PieceIndex::of(path);
    const auto table = orDie(archive.sharedTable());
    similar::TaskOperators tasks(archive, {});
    std::mt19937 random(1);
    std::vector<double> times, found;
    for (int i = 0; i < 40; ++i) {
        const std::size_t row = random() % table->size();
        auto subject = orDie(similar::archivedSubject(archive, orDie(archive.find(std::to_string(table->id[row])))));
        if (const auto* operators = tasks.of(*table, row)) subject.operators = *operators;
        times.push_back(milliseconds([&] {
            orDie(index.update(archive));
            const auto result = orDie(similar::kernelsLike(archive, index, tasks, subject, {}));
            found.push_back(double(result.found.size() + result.more));
        }));
    }
    fmt::print("questions         40: median {:.0f}, slowest {:.0f} ms (under 500), {:.0f} kernels found (median)\n",
               quantile(times, 0.5), quantile(times, 1), quantile(found, 0.5));
}

} // namespace

int main(int argc, char** argv) {
    const fs::path folder = fs::temp_directory_path() / fmt::format("bench_similar_{}", ::getpid());
    fs::create_directories(folder);
    fs::path path = argc > 1 ? fs::path(argv[1]) : synthetic(folder);
    auto archive = orDie(archive::Archive::open(path));
    const similar::PieceIndex index{folder / "index.pieces"};
    similar::PieceIndex::Update update;
    const double built = milliseconds([&] { update = orDie(index.update(archive)); });
    fmt::print("index             {:.1f} s for {} codes, {:.0f} MB (under 15 s)\n", built / 1e3, update.added,
               megabytes(fs::file_size(index.path)));
    std::error_code problem;
    if (argc == 1) {
        fs::rename(index.path, similar::PieceIndex::of(path).path, problem);
        const auto first = orDie(archive.sharedTable())->label(0);
        fmt::print("first question    {:.0f} ms with opening all (under 1000)\n", firstQuestion(path, first));
        questions(path);
    }
    fs::remove_all(folder, problem);
    return 0;
}
