// SPDX-License-Identifier: GPL-3.0-or-later
// Import, size, start, search and reading of an archive of the published size, each beside what raw SQLite or memcpy
// needs for the same.
//
//     bench_archive [ROWS] [--keep FOLDER] [--alternatives] [--reading]
//
// --reading: of an archive that an earlier --keep left in the folder; no import.
#include "tests/benchmarks/archive_figures.h"

#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kernelarium::benchmarks {

double memory(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field + ":")) return std::strtod(line.c_str() + field.size() + 1, nullptr) / 1e3;
    return 0;
}

void evict(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    fdatasync(descriptor);
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
}

double peakOf(const std::function<void()>& body) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        body();
        fflush(stdout);
        _exit(0);
    }
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    if (status != 0) std::exit(2);
    return double(usage.ru_maxrss) / 1e3;
}

} // namespace kernelarium::benchmarks

int main(int argc, char** argv) {
    using namespace kernelarium::benchmarks;
    namespace fs = std::filesystem;
    int rows = publishedRows;
    bool alternatives = false, onlyReading = false;
    fs::path kept;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--alternatives")
            alternatives = true;
        else if (argument == "--reading")
            onlyReading = true;
        else if (argument == "--keep" && i + 1 < argc)
            kept = argv[++i];
        else
            rows = std::max(1000, std::atoi(argv[i]));
    }
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const fs::path shared = named != nullptr ? named : KERNELARIUM_SHARED_DIR;
    const fs::path folder =
        kept.empty() ? fs::temp_directory_path() / fmt::format("kernelarium-bench-{}", getpid()) : kept;
    fs::create_directories(folder);
    if (!onlyReading) {
        const RowsWritten written = writeRows(folder / "synthetic.jsonl", shared / "archive_sample", rows, 1);
        fmt::print("synthetic archive {} rows, {:.0f} MB of text ({:.1f} KB of code a row), mixed from {}\n",
                   written.rows, megabytes(written.textBytes), double(written.codeBytes) / 1e3 / written.rows,
                   written.fromSample ? "the shared sample" : "lines of our own (the shared sample is absent)");
        importFigures(folder, written);
    }
    peakOf([&] { readingFigures(folder); });
    if (alternatives) alternativeFigures(folder);
    if (kept.empty()) fs::remove_all(folder);
    return 0;
}
