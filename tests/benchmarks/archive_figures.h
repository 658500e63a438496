// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "tests/benchmarks/archive_rows.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

namespace kernelarium::benchmarks {

template <class Body> double milliseconds(Body&& body) {
    const auto started = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
}

template <class Body> double bestOf(int times, Body&& body) {
    double best = milliseconds(body);
    for (int i = 1; i < times; ++i)
        best = std::min(best, milliseconds(body));
    return best;
}

template <class T> T orDie(Result<T> result) {
    if (result) return std::move(result).value();
    fmt::print(stderr, "{} {}\n", result.error().text(), result.error().detail);
    std::exit(2);
}

inline double megabytes(std::uint64_t bytes) {
    return double(bytes) / 1e6;
}

/// The q-quantile: 0.95 of them are not larger.
inline double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, std::size_t(q * double(values.size())))];
}

/// Of /proc/self/status, in megabytes: "VmRSS", "VmHWM" (the peak).
double memory(const std::string& field);
/// Drops what the system has of a file in memory, so that the next reader finds it on the disk.
void evict(const std::filesystem::path& file);
/// Runs `body` in a process of its own; its peak memory in megabytes.
double peakOf(const std::function<void()>& body);

void importFigures(const std::filesystem::path& folder, const RowsWritten& written);
void readingFigures(const std::filesystem::path& folder);
/// What search would cost by other means.
void alternativeFigures(const std::filesystem::path& folder);

} // namespace kernelarium::benchmarks
