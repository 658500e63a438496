// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingSampling.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <utility>

namespace kernelarium::device {

namespace {

using SteadyClock = std::chrono::steady_clock;

double secondsSince(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

double medianOfColumn(const std::vector<std::vector<double>>& rows, std::size_t column) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows)
        values.push_back(row[column]);
    return perf::medianOf(std::move(values));
}

} // namespace

bool TimingSampler::fits() const {
    return !m_freely && m_replay.reads() == 0 && m_replay.commands() + 4 <= TimingQueue::commandsAtOnce;
}

std::size_t TimingSampler::batch() const {
    if (m_singly || m_freely || m_replay.reads() > 0) return 1;
    const std::size_t queued = TimingQueue::commandsAtOnce / (m_replay.commands() + 3);
    const double quick = 0.25 / std::max(m_seconds, 1e-7);
    return std::clamp<std::size_t>(std::min<std::size_t>(queued, std::size_t(std::min(quick, 1e6))), 1, 32);
}

Result<void> TimingSampler::warmUp() {
    // A card that slept needs a while to its highest clock; one that just worked has it, and says so.
    constexpr double longEnough = 0.05, awake = 0.98;
    const double highest = m_queue.highestClockMHz();
    const SteadyClock::time_point begin = SteadyClock::now();
    const TimingQueue::Work one = work();
    bool isAwake = false;
    // The first one runs freely: the driver may still have something to load.
    for (int call = 0; call < 3 || (!isAwake && secondsSince(begin) < longEnough); ++call) {
        const std::size_t late = m_queue.late();
        const TimingQueue::Style style{.cold = false, .held = call > 0 && fits(), .clock = call == 2};
        auto samples = m_queue.measure(std::span(&one, 1), style, m_limits);
        if (!samples) return samples.error();
        m_freely = m_freely || m_queue.late() > late;
        m_seconds = samples->front().seconds;
        isAwake = isAwake || (highest > 0 && samples->front().clockMHz >= awake * highest);
    }
    return {};
}

Result<std::vector<perf::Sample>> TimingSampler::measured(bool cold, std::size_t most) {
    for (;;) {
        const std::vector<TimingQueue::Work> pieces(std::min(batch(), most), work());
        const std::size_t late = m_queue.late();
        auto samples = m_queue.measure(pieces, {.cold = cold, .held = fits()}, m_limits);
        if (!samples || m_freely || m_queue.late() == late) return samples;
        (pieces.size() > 1 ? m_singly : m_freely) = true;
    }
}

Result<std::vector<perf::Sample>> TimingSampler::sample(bool cold, const perf::StopRule& rule, double highestClockMHz,
                                                        Early early) {
    constexpr std::size_t any = ~std::size_t(0);
    const SteadyClock::time_point begin = SteadyClock::now();
    std::vector<perf::Sample> all;
    bool isAwaited = false; // these few come first, and the rule is asked of a whole batch behind them
    do {
        isAwaited = bool(early);
        auto samples = measured(cold, isAwaited ? std::max<std::size_t>(rule.least, 1) : any);
        if (!samples) return samples.error();
        all.insert(all.end(), samples->begin(), samples->end());
        if (early && perf::summarise(all, highestClockMHz).count >= rule.least) std::exchange(early, {})(all);
    } while ((isAwaited && secondsSince(begin) < rule.secondsAtMost && all.size() < rule.most) ||
             !rule.isMet(perf::summarise(all, highestClockMHz), secondsSince(begin)));
    if (early && perf::summarise(all, highestClockMHz).count > 0) early(all);
    return all;
}

Result<std::vector<double>> TimingSampler::steps(bool cold) {
    constexpr int repeats = 7;
    if (2 * m_replay.steps() + 4 > TimingQueue::commandsAtOnce) return std::vector<double>();
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < repeats; ++i) {
        auto row = m_queue.measureMarks(
            [&](const std::function<Result<void>()>& mark) {
                return m_replay.queueInOrder([&](std::size_t) { return mark(); });
            },
            {.cold = cold, .held = fits()}, m_limits);
        if (!row) return row.error();
        rows.push_back(std::move(*row));
    }
    std::vector<double> medians;
    for (std::size_t step = 0; step < m_replay.steps(); ++step)
        medians.push_back(medianOfColumn(rows, step));
    return medians;
}

Result<std::optional<double>> TimingSampler::joulesPerCall() {
    constexpr double longEnough = 1.0; // the counter moves in steps of up to a tenth of a second
    const DeviceMonitor* monitor = m_queue.monitor();
    const std::optional<double> before = monitor ? monitor->energyJoules() : std::nullopt;
    if (!before) return std::optional<double>();
    const SteadyClock::time_point begin = SteadyClock::now();
    std::size_t calls = 0;
    do {
        for (std::size_t i = 0; i < batch(); ++i, ++calls)
            if (Result<void> queued = m_replay.queue(); !queued) return queued.error();
        if (Result<void> drained = m_queue.drain(m_limits); !drained) return drained.error();
    } while (secondsSince(begin) < longEnough);
    const std::optional<double> after = monitor->energyJoules();
    if (!after || *after <= *before) return std::optional<double>();
    return std::optional<double>((*after - *before) / double(calls));
}

/// Arrivals go by a clock that stands still while the cache is flushed and somebody waits: flushing is not service.
Result<TimingSampler::Served> TimingSampler::serve(double requestsPerSecond, std::size_t requests, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> gap(requestsPerSecond);
    const auto after = [](SteadyClock::time_point from, double seconds) {
        return from + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
    };
    Served served;
    SteadyClock::time_point due = SteadyClock::now();
    const TimingQueue::Work one = work();
    for (std::size_t i = 0; i < requests; ++i) {
        due = after(due, gap(random));
        const SteadyClock::time_point idle = SteadyClock::now();
        if (Result<void> flushed = m_queue.flush(); !flushed) return flushed.error();
        if (Result<void> drained = m_queue.drain(m_limits); !drained) return drained.error();
        const SteadyClock::time_point ready = SteadyClock::now();
        if (ready > due) due += ready - std::max(due, idle);
        while (SteadyClock::now() < due)
            if (due - SteadyClock::now() > std::chrono::milliseconds(1))
                std::this_thread::sleep_for(std::chrono::microseconds(200));
        auto samples = m_queue.measure(std::span(&one, 1), {.cold = false, .held = false, .clock = false}, m_limits);
        const double latency = secondsSince(due);
        if (!samples) return samples.error();
        served.latency.push_back({latency, m_queue.monitor() ? m_queue.monitor()->clockMHz() : 0});
        served.service.push_back(samples->front().seconds);
    }
    return served;
}

} // namespace kernelarium::device
