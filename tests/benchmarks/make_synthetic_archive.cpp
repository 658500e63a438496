// SPDX-License-Identifier: GPL-3.0-or-later
// Writes an archive of the published size and columns, marked synthetic, as JSON lines.
//
//     make_synthetic_archive OUT.jsonl [ROWS]
#include "tests/benchmarks/archive_rows.h"

#include <cstdlib>
#include <fmt/format.h>

int main(int argc, char** argv) {
    using namespace kernelarium::benchmarks;
    if (argc < 2) {
        fmt::print(stderr, "make_synthetic_archive OUT.jsonl [ROWS]\n");
        return 2;
    }
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const std::filesystem::path shared = named != nullptr ? named : KERNELARIUM_SHARED_DIR;
    const int rows = argc > 2 ? std::max(1, std::atoi(argv[2])) : publishedRows;
    const auto written = writeRows(argv[1], shared / "archive_sample", rows, 1);
    fmt::print("{}: {} rows, {:.1f} MB, {:.1f} MB of text\n", argv[1], written.rows, double(written.fileBytes) / 1e6,
               double(written.textBytes) / 1e6);
    return written.rows > 0 ? 0 : 1;
}
