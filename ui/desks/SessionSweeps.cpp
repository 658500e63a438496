// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/SessionSweeps.h"

#include "core/tuning/store/Store.h"
#include "core/tuning/store/StoreReader.h"
#include "gpu/protocol/Sweep.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace kernelarium::ui {

namespace {

std::int64_t modifiedMs(const std::filesystem::path& path) {
    std::error_code code;
    const auto time = std::filesystem::last_write_time(path, code);
    if (code) return std::numeric_limits<std::int64_t>::max();
    const auto system = std::chrono::file_clock::to_sys(time).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(system).count();
}

std::int64_t firstWhen(const session::ReportSweep& sweep) {
    return sweep.points.empty() ? std::numeric_limits<std::int64_t>::max() : sweep.points.front().when;
}

Result<session::ReportSweep> readWhole(const std::filesystem::path& path) {
    Result<protocol::SweepRequest> request = protocol::readSweep(path);
    if (!request) return request.error();
    session::ReportSweep sweep;
    sweep.label = request->label;
    sweep.task = request->task;
    sweep.how = protocol::valueWords(*request);
    sweep.strategy = request->strategy;
    sweep.measured = request->points.run.backend == "cuda";
    sweep.space = request->tunable.space;
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    const Result<void> read =
        tuning::eachCandidate(*reader, [&](const tuning::Judged& judged) { sweep.points.push_back(judged); });
    if (!read) return read.error();
    return sweep;
}

/// Nothing where it belongs to another time.
std::optional<session::ReportSweep> sweepOf(const std::filesystem::path& path, std::int64_t begin, std::int64_t end) {
    Result<session::ReportSweep> sweep = readWhole(path);
    if (!sweep) {
        if (sweep.error().code == "empty_store") return std::nullopt;
        session::ReportSweep unread;
        unread.label = path.filename().string();
        unread.problem = sweep.error().text();
        return unread;
    }
    const auto inTime = [&](const tuning::Judged& judged) { return judged.when >= begin && judged.when <= end; };
    if (std::none_of(sweep->points.begin(), sweep->points.end(), inTime)) return std::nullopt;
    return std::move(*sweep);
}

} // namespace

std::vector<session::ReportSweep> sweepsBetween(const std::filesystem::path& folder, std::int64_t begin,
                                                std::int64_t end, const std::stop_token& stop) {
    std::vector<session::ReportSweep> sweeps;
    std::error_code code;
    for (std::filesystem::directory_iterator it(folder, code), last; !code && it != last; it.increment(code)) {
        if (stop.stop_requested()) return {};
        const std::filesystem::path& path = it->path();
        if (path.extension() != ".sweep" || modifiedMs(path) < begin) continue;
        if (auto sweep = sweepOf(path, begin, end)) sweeps.push_back(std::move(*sweep));
    }
    std::stable_sort(sweeps.begin(), sweeps.end(),
                     [](const auto& a, const auto& b) { return firstWhen(a) < firstWhen(b); });
    return sweeps;
}

} // namespace kernelarium::ui
