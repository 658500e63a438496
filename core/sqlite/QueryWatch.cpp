// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/QueryWatch.h"

#include <ctime>
#include <sqlite3.h>

namespace kernelarium::sqlite {
namespace {

constexpr int stepsPerLook = 4096;
// The widest list reads a row of 24 columns, 100 bytes at least, in some 70 steps; sorting it takes as many again.
constexpr std::uint64_t stepsPerByte = 16;
constexpr std::uint64_t stepsOfAny = 50'000'000; ///< about a second
constexpr double secondsPerByte = 50e-9;
constexpr double secondsOfAny = 30;

double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

std::uint64_t sizeOf(std::filesystem::path file, const char* suffix) {
    std::error_code problem;
    file += suffix;
    const auto size = std::filesystem::file_size(file, problem);
    return problem ? 0 : size;
}

} // namespace

QueryWatch::QueryWatch(sqlite3* connection, std::filesystem::path file)
    : m_file(std::move(file)) {
    sqlite3_progress_handler(connection, stepsPerLook, look, this);
}

bool QueryWatch::isTooMuch(std::uint64_t steps) {
    const double now = threadSeconds();
    if (!m_began) m_began = now;
    const auto isOver = [&] {
        return steps > stepsOfAny + stepsPerByte * m_bytes ||
               now - *m_began > secondsOfAny + secondsPerByte * double(m_bytes);
    };
    if (!isOver()) return false;
    m_bytes = sizeOf(m_file, "") + sizeOf(m_file, "-wal"); // it may have grown
    return isOver();
}

int QueryWatch::look(void* self) {
    auto& watch = *static_cast<QueryWatch*>(self);
    watch.m_exhausted = false;
    if (watch.m_stop.stop_requested()) return 1;
    *watch.m_steps += stepsPerLook;
    watch.m_exhausted = watch.isTooMuch(*watch.m_steps);
    return watch.m_exhausted ? 1 : 0;
}

} // namespace kernelarium::sqlite
