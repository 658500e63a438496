// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ToolRun.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::process {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds step(50); // so that a stop is soon seen

/// One that closed its output is about to end by itself, and how it does is worth knowing.
Result<void> letEnd(Child& child, const ToolRun& run) {
    constexpr int steps = 20; // a second
    for (int i = 0; i < steps && !child.endsWithin(step); ++i)
        if (run.watch)
            if (Result<void> seen = run.watch(child.pid()); !seen) return seen;
    child.kill();
    return {};
}

/// Exchanges until the program has closed its streams.
Result<void> talk(Channel& channel, const ToolRun& run, const std::stop_token& stop) {
    Clock::time_point nextLook = Clock::now();
    const Clock::time_point deadline = Clock::now() + run.timeLimit;
    while (!channel.outputEnded() || !channel.errorsEnded()) {
        if (stop.stop_requested()) return Error{"cancelled", "It was cancelled."};
        auto wait = step;
        if (run.timeLimit.count() > 0) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
            if (left.count() <= 0)
                return Error{"timeout",
                             fmt::format("It took longer than {} s and was ended.", run.timeLimit.count() / 1000)};
            wait = std::min(step, left);
        }
        channel.exchange(wait);
        if (run.watch && Clock::now() >= nextLook) {
            if (Result<void> seen = run.watch(channel.child().pid()); !seen) return seen;
            nextLook = Clock::now() + step;
        }
        if (channel.output().size() > run.longestOutput)
            return Error{"too_large", fmt::format("It wrote more than {} MB and was ended.", run.longestOutput >> 20)};
    }
    return {};
}

} // namespace

Result<ToolEnd> runTool(const ToolRun& run, const std::stop_token& stop) {
    Result<Channel> channel = startTool(run);
    if (!channel) return channel.error();
    return endTool(*channel, run, stop);
}

Result<Channel> startTool(const ToolRun& run) {
    return Channel::start(run.start, run.keepsErrors ? Errors::kept : Errors::dropped, run.longestOutput);
}

Result<ToolEnd> endTool(Channel& channel, const ToolRun& run, const std::stop_token& stop) {
    channel.send(run.input);
    channel.endInput();
    if (Result<void> talked = talk(channel, run, stop); !talked) return talked.error();
    if (Result<void> ended = letEnd(channel.child(), run); !ended) return ended.error();
    return ToolEnd{channel.child().wait(), channel.takeOutput(), channel.errors()};
}

} // namespace kernelarium::process
